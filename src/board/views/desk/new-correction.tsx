import { useEffect, useRef, useState } from "preact/hooks";
import { locale } from "../../app/language.ts";
import { companyQuery } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { allOf } from "../../data/pages.ts";
import { useRead } from "../../data/query.ts";
import { unitMembers, unitsIn } from "../../domain/corrections.ts";
import { dayOf, instantOf, type TypedInstant, wallClock } from "../../domain/days.ts";
import { iso } from "../../domain/time.ts";
import { past } from "../../texts/past.ts";
import { setUp } from "../../texts/set-up.ts";
import { useUnsaved } from "../../ui/use-unsaved.ts";
import { useDesk } from "./desk-state.ts";
import { FormEnd } from "./form-end.tsx";
import { FieldFault, faultProps } from "./set-up/field-fault.tsx";
import { InstantField } from "./set-up/from-when.tsx";
import { faultsOf } from "./set-up/refused.ts";
import { useMutation } from "./use-mutation.ts";

const t = past.corrections;
const members = [...unitMembers, "at", "machineId", "skuId", "reasonId", "comment"];

/** A form that adds units to what a machine counted, or takes some away, with a reason and a comment. */
export function NewCorrection({ onEnd }: { onEnd(): void }) {
  const { setUp: plant, state } = useDesk();
  const now = Date.now();
  const [machineId, setMachineId] = useState(state.machineId ?? plant.machines[0]?.id ?? 0);
  const [at, setAt] = useState<TypedInstant>({
    ...{ day: dayOf(now, plant.timezone), clock: wallClock(now, plant.timezone).slice(11, 16) },
  });
  const [typed, setTyped] = useState({ total: "", defects: "", rework: "", skuId: "", comment: "", reasonId: "" });
  const [own, setOwn] = useState<ReadonlyMap<string, string>>(new Map());
  const reasons = useRead(["/v1/defect-reasons"], () =>
    allOf((cursor) => api("get", "/v1/defect-reasons", { query: { ...companyQuery(), limit: 500, ...cursor } })),
  );
  const work = useMutation(onEnd);
  const faults = faultsOf([work.error], members, own);
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);

  function send(): void {
    const wrong = new Map<string, string>();
    const instant = instantOf(at, plant.timezone);
    if ("fault" in instant) wrong.set("at", setUp.faults[instant.fault]);
    const { units, faults: ofUnits } = unitsIn(typed, locale);
    for (const [name, why] of ofUnits) wrong.set(name, why === "nothing" ? t.nothing : setUp.faults[why]);
    work.forget();
    setOwn(wrong);
    if (wrong.size > 0 || "fault" in instant) return;
    const sku = typed.skuId.trim();
    const body = {
      ...{ machineId, at: iso(instant.at), ...units },
      ...(sku !== "" && { skuId: sku }),
      ...(typed.reasonId !== "" && { reasonId: Number(typed.reasonId) }),
      comment: typed.comment.trim() || null,
    };
    void work.run(async () => void (await api("post", "/v1/corrections", { body, idempotencyKey: work.key })));
  }

  useUnsaved(!work.isWaiting && Object.values(typed).some((text) => text !== ""));
  // What was refused is not what is typed now.
  function touch(): void {
    setOwn(new Map());
    work.forget();
  }
  function type(changes: Partial<typeof typed>): void {
    setTyped({ ...typed, ...changes });
    touch();
  }

  const field = (name: keyof typeof typed, label: string) => (
    <div class="field">
      <label for={`correction-${name}`}>{label}</label>
      <input
        {...faultProps(`correction-${name}`, faults.get(name) ?? null)}
        type="text"
        maxLength={2000}
        autocomplete="off"
        value={typed[name]}
        onInput={({ currentTarget }) => type({ [name]: currentTarget.value })}
      />
      <FieldFault id={`correction-${name}`} fault={faults.get(name) ?? null} />
    </div>
  );
  const general = faults.get("") ?? null;
  return (
    <form
      class="form set-up-form"
      aria-label={t.formTitle}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label class="field">
        <span>{t.machine}</span>
        <select
          ref={first}
          value={String(machineId)}
          onChange={({ currentTarget }) => {
            setMachineId(Number(currentTarget.value));
            touch();
          }}
        >
          {plant.machines.map(({ id, name }) => (
            <option key={id} value={String(id)}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <InstantField
        labels={[t.day, t.clock]}
        typed={at}
        fault={faults.get("at") ?? null}
        isAhead={false}
        onChange={(next) => {
          setAt(next);
          touch();
        }}
      />
      <div class="field-grid">
        {field("total", t.total)}
        {field("defects", t.defects)}
        {field("rework", t.rework)}
        <label class="field">
          <span>{t.reason}</span>
          <select value={typed.reasonId} onChange={({ currentTarget }) => type({ reasonId: currentTarget.value })}>
            <option value="">{t.noReason}</option>
            {reasons.data?.map(({ id, name }) => (
              <option key={id} value={String(id)}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {field("skuId", t.sku)}
        {field("comment", t.comment)}
      </div>
      <FormEnd
        reason={general}
        label={work.isWaiting ? t.sending : t.send}
        isDisabled={work.isWaiting}
        cancel={{ label: t.cancel, onCancel: onEnd }}
      />
    </form>
  );
}
