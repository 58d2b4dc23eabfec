import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { locale } from "../../app/language.ts";
import { companyQuery } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { allOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { weekdayName } from "../../domain/days.ts";
import { type NamedShift, nextShift } from "../../domain/shifts.ts";
import { wall } from "../../texts/wall.ts";

/** Shown while no shift runs: when the next one begins. */
export function NextShift({ now }: { now: number }) {
  const shifts = useSignal<readonly NamedShift[] | null>(null);
  useEffect(() => {
    allOf((cursor) => api("get", "/v1/shifts", { query: { ...companyQuery(), limit: 500, ...cursor } }))
      .then((all) => {
        shifts.value = all;
      })
      // The freshness line shows a broken connection, and the next shift can be left out.
      .catch(() => undefined);
  }, []);
  const next = shifts.value && nextShift(shifts.value, formats().timeZone, now);
  const days = [wall.today, wall.tomorrow];
  const begins = next && wall.nextShift(next.name, days[next.inDays] ?? weekdayName(next.weekday, locale), next.start);
  const none = shifts.value?.length === 0 ? wall.noShiftDefined : "";
  const text = [wall.noShift, begins ?? none].filter(Boolean).join(" ");
  return (
    <p class="wall-shift" title={text}>
      {text}
    </p>
  );
}
