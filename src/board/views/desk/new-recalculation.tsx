import { useRef } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { addDays, dayOf, startOfDay } from "../../domain/days.ts";
import { maxOf } from "../../domain/extremes.ts";
import { iso } from "../../domain/time.ts";
import { Form, useForm } from "../../form/form.tsx";
import { past } from "../../texts/past.ts";
import { setUp as setUpTexts } from "../../texts/set-up.ts";
import { useDesk } from "./desk-state.ts";

const t = past.recalculations;

/** A form that asks for a recalculation of whole days. `onEnd` gets its id; null: it was given up. */
export function NewRecalculation({ onEnd }: { onEnd(id: number | null): void }) {
  const { setUp } = useDesk();
  const today = dayOf(Date.now(), setUp.timezone);
  const made = useRef<number | null>(null);
  const form = useForm({
    fields: {
      reason: { kind: "text", label: t.reason, maxLength: 500 },
      from: { kind: "day", label: t.from },
      to: { kind: "day", label: t.to },
      machineIds: {
        ...{ kind: "several", label: t.machines, all: t.all },
        options: setUp.machines.map(({ id, name }) => ({ value: String(id), label: name })),
      },
    },
    initial: { reason: "", from: addDays(today, -7), to: today, machineIds: [] as readonly string[] },
    body: ({ reason, from, to, machineIds }, refuse) => {
      if (reason.trim() === "") refuse("reason", setUpTexts.faults.required);
      if (from > to) refuse("to", t.notInOrder);
      if (machineIds.length === 0) refuse("machineIds", t.noMachine);
      const machines = setUp.machines.filter(({ id }) => machineIds.includes(String(id)));
      return {
        ...{ ...companyQuery(), reason: reason.trim(), machineIds: machines.map(({ id }) => id) },
        from: machines.length > 0 ? beginOf(from, machines, setUp.timezone) : "",
        // Today's end is now.
        ...(to < today && { to: iso(startOfDay(addDays(to, 1), setUp.timezone)) }),
      };
    },
    send: async (body, idempotencyKey) => {
      ({ id: made.current } = await api("post", "/v1/recalculations", { body, idempotencyKey }));
    },
    onSent: () => onEnd(made.current),
  });
  const cancel = { label: t.cancel, onCancel: () => onEnd(null) };
  return <Form form={form} label={t.formTitle} send={t.send} sending={t.sending} cancel={cancel} />;
}

/** The start of the first day; if machines were commissioned on it, that. */
function beginOf(day: string, machines: readonly { commissionedAt: string }[], timezone: string): string {
  const start = startOfDay(day, timezone);
  const commissioned = maxOf(machines.map(({ commissionedAt }) => Date.parse(commissionedAt)));
  const isOnThatDay = dayOf(commissioned, timezone) === day;
  return iso(isOnThatDay ? Math.max(start, commissioned) : start);
}
