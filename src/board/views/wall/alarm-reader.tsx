import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { allOf } from "../../data/pages.ts";

const READ_EVERY_MS = 10_000;

/** Keeps a signal with the machines that have an open incident which nobody has acknowledged. Shows nothing itself. */
export function AlarmReader({ into }: { into: Signal<ReadonlySet<number>> }) {
  useEffect(() => {
    let isReading = false;
    const read = () => {
      if (isReading) return;
      isReading = true;
      allOf((cursor) => api("get", "/v1/incidents", { query: { ...companyQuery(), isOpen: true, limit: 500, ...cursor } }))
        .then((data) => {
          const ids = data.flatMap(({ acknowledgedAt, machineIds }) => (acknowledgedAt === null ? machineIds : []));
          if (ids.join() !== [...into.peek()].join()) into.value = new Set(ids);
        })
        // The line at the bottom shows a broken connection.
        .catch(() => undefined)
        .finally(() => {
          isReading = false;
        });
    };
    read();
    const timer = setInterval(read, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return null;
}
