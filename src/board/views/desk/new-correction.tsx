import { locale } from "../../app/language.ts";
import { api } from "../../data/api.ts";
import { everyOf } from "../../data/every.ts";
import { useRead } from "../../data/query.ts";
import { unitsIn } from "../../domain/corrections.ts";
import { dayOf, instantOf, wallClock } from "../../domain/days.ts";
import { iso } from "../../domain/time.ts";
import { Form, useForm } from "../../form/form.tsx";
import { past } from "../../texts/past.ts";
import { setUp } from "../../texts/set-up.ts";
import { useDesk } from "./desk-state.ts";

const t = past.corrections;

/** A form that adds units to what a machine counted, or takes some away, with a reason and a comment. */
export function NewCorrection({ onEnd }: { onEnd(): void }) {
  const { setUp: plant, state } = useDesk();
  const reasons = useRead(["/v1/defect-reasons"], () => everyOf("/v1/defect-reasons"));
  const named = (all: readonly { id: number; name: string }[]) => all.map(({ id, name }) => ({ value: String(id), label: name }));
  const now = Date.now();
  const form = useForm({
    fields: {
      machineId: { kind: "choice", label: t.machine, options: named(plant.machines) },
      at: { kind: "instant", label: t.day, clockLabel: t.clock },
      total: { kind: "number", label: t.total },
      defects: { kind: "number", label: t.defects },
      rework: { kind: "number", label: t.rework },
      reasonId: { kind: "choice", label: t.reason, options: [{ value: "", label: t.noReason }, ...named(reasons.data ?? [])] },
      skuId: { kind: "text", label: t.sku, maxLength: 200 },
      comment: { kind: "text", label: t.comment, maxLength: 2000 },
    },
    initial: {
      machineId: String(state.machineId ?? plant.machines[0]?.id ?? ""),
      at: { day: dayOf(now, plant.timezone), clock: wallClock(now, plant.timezone).slice(11, 16) },
      ...{ total: "", defects: "", rework: "", reasonId: "", skuId: "", comment: "" },
    },
    body: (draft, refuse) => {
      const instant = instantOf(draft.at, plant.timezone);
      if ("fault" in instant) refuse("at", setUp.faults[instant.fault]);
      const { units, faults } = unitsIn(draft, locale);
      for (const [name, why] of faults) refuse(name, why === "nothing" ? t.nothing : setUp.faults[why]);
      const sku = draft.skuId.trim();
      return {
        ...{ machineId: Number(draft.machineId), at: "at" in instant ? iso(instant.at) : "", ...units },
        ...(sku !== "" && { skuId: sku }),
        ...(draft.reasonId !== "" && { reasonId: Number(draft.reasonId) }),
        comment: draft.comment.trim() || null,
      };
    },
    send: (body, idempotencyKey) => api("post", "/v1/corrections", { body, idempotencyKey }),
    onSent: onEnd,
  });
  return <Form form={form} label={t.formTitle} send={t.send} sending={t.sending} cancel={{ label: t.cancel, onCancel: onEnd }} />;
}
