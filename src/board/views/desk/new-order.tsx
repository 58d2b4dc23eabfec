import { locale } from "../../app/language.ts";
import { api } from "../../data/api.ts";
import { everyOf } from "../../data/every.ts";
import { useRead } from "../../data/query.ts";
import { addDays, dayOf, instantOf } from "../../domain/days.ts";
import { faultOfNumber, numberFrom } from "../../domain/formats.ts";
import { iso } from "../../domain/time.ts";
import { Form, useForm } from "../../form/form.tsx";
import { desk } from "../../texts/desk.ts";
import { setUp as texts } from "../../texts/set-up.ts";
import { useDesk } from "./desk-state.ts";

const t = desk.orders.form;

/** A form for a new order: what is to be made, how much, until when, and on which machines. */
export function NewOrder({ onEnd }: { onEnd(): void }) {
  const { setUp } = useDesk();
  const skus = useRead(["/v1/skus"], () => everyOf("/v1/skus"));
  const form = useForm({
    fields: {
      code: { kind: "text", label: t.code, maxLength: 200 },
      name: { kind: "text", label: t.name, maxLength: 200 },
      skuId: {
        kind: "text",
        label: t.sku,
        maxLength: 200,
        suggestions: (skus.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      },
      targetQuantity: { kind: "number", label: t.quantity },
      priority: { kind: "number", label: t.priority },
      estimatedDeliveryTime: { kind: "instant", label: t.due, clockLabel: t.clock, isAhead: true },
      status: {
        kind: "choice",
        label: desk.orders.columns.status,
        options: (["Backlog", "Planned", "InProgress"] as const).map((value) => ({
          value,
          label: desk.orders.statuses[value],
        })),
      },
      machines: {
        kind: "several",
        label: t.machines,
        all: t.allMachines,
        options: setUp.machines.map(({ id, name }) => ({ value: String(id), label: name })),
      },
    },
    initial: {
      ...{ code: "", name: "", skuId: "", targetQuantity: "", priority: "0", status: "Planned", machines: [] },
      estimatedDeliveryTime: { day: addDays(dayOf(Date.now(), setUp.timezone), 7), clock: "12:00" },
    },
    body: (draft, refuse) => {
      const due = instantOf(draft.estimatedDeliveryTime, setUp.timezone);
      if ("fault" in due) refuse("estimatedDeliveryTime", texts.faults[due.fault]);
      for (const name of ["code", "name", "skuId"] as const) {
        if (draft[name].trim() === "") refuse(name, texts.faults.required);
      }
      if (draft.machines.length === 0) refuse("machines", texts.faults.required);
      const numberOf = (name: "targetQuantity" | "priority"): number => {
        const typed = numberFrom(draft[name], locale);
        if (typeof typed === "object") return typed.value;
        refuse(name, texts.faults[faultOfNumber(typed)]);
        return 0;
      };
      return {
        machines: draft.machines.map((id) => ({ machineId: Number(id) })),
        targets: [{ skuId: draft.skuId.trim(), targetQuantity: numberOf("targetQuantity") }],
        workOrder: {
          ...{ code: draft.code.trim(), name: draft.name.trim(), source: "", priority: numberOf("priority") },
          status: draft.status as "Backlog" | "Planned" | "InProgress",
          ...("at" in due && { estimatedDeliveryTime: iso(due.at) }),
        },
      };
    },
    send: (body, idempotencyKey) => api("post", "/work-orders/production-full", { body, idempotencyKey }),
    onSent: onEnd,
  });
  return <Form form={form} label={t.title} send={t.send} sending={t.sending} cancel={{ label: t.cancel, onCancel: onEnd }} />;
}
