import { locale } from "../../app/language.ts";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { type MachineKind, machineKinds, refOf, stopAfterSeconds } from "../../domain/first-steps.ts";
import { numberFrom } from "../../domain/formats.ts";
import { Form, useForm } from "../../form/form.tsx";
import { start } from "../../texts/start.ts";
import { Step } from "./step.tsx";

const t = start.machine;

/** The node and the channel that the first machine's signals come from. Others are set in the set-up of the desk. */
const FIRST_CHANNEL = 1;

interface FirstMachineProps {
  machines: readonly ApiSchema<"Machine">[];
  /** Whether the plant has causes of stops already. */
  hasCauses: boolean;
}

/** The first machine: what there is, or a form. */
export function FirstMachine({ machines, hasCauses }: FirstMachineProps) {
  const isDone = machines.length > 0;
  return (
    <Step id="machine" title={t.title} hint={isDone ? machines.map(({ name }) => name).join(", ") : t.hint} isDone={isDone}>
      {isDone ? <a href="/desk/setup">{t.more}</a> : <Add hasCauses={hasCauses} />}
    </Step>
  );
}

function Add({ hasCauses }: Pick<FirstMachineProps, "hasCauses">) {
  const kinds = Object.keys(machineKinds) as MachineKind[];
  const form = useForm({
    fields: {
      name: { kind: "text", label: t.name, maxLength: 200 },
      standardCycleSeconds: { kind: "number", label: t.seconds },
      kind: { kind: "choice", label: t.kind, options: kinds.map((value) => ({ value, label: t.kinds[value] })) },
    },
    initial: { name: "", standardCycleSeconds: "", kind: "press" },
    body: (draft, refuse) => {
      const name = draft.name.trim();
      if (name === "") refuse("name", start.required);
      const typed = numberFrom(draft.standardCycleSeconds, locale);
      const seconds = typeof typed === "object" ? typed.value : 0;
      if (seconds <= 0) refuse("standardCycleSeconds", typed === "empty" ? start.required : start.number);
      const kind = draft.kind as MachineKind;
      const limits = { standardCycleSeconds: seconds, stopAfterSeconds: stopAfterSeconds(kind, seconds) };
      return { kind, machine: { ...companyQuery(), name, ref: refOf(name), nodeId: 1, ...limits } };
    },
    // With the key of an earlier try, what was stored then is not stored again.
    send: async ({ kind, machine }, key) => {
      const { id } = await api("post", "/v1/machines", { body: machine, idempotencyKey: key });
      const config = { type: "total" as const, channel: FIRST_CHANNEL, nodeId: 1, countingFactor: 1 };
      await api("put", "/v1/machines/{id}/count-sensor", {
        ...{ path: { id }, body: { isCountEnabled: true, configs: [config] }, idempotencyKey: `${key}-sensor` },
      });
      if (hasCauses) return;
      for (const [i, name] of t.causes[kind].entries()) {
        const body = { ...companyQuery(), level: "general" as const, name, isIncludedInAvailability: true };
        await api("post", "/v1/stop-causes", { body, idempotencyKey: `${key}-cause-${i}` });
      }
    },
  });
  return (
    <Form form={form} label={t.title} send={t.add} sending={t.adding} isPrimary isFocused={false}>
      {!hasCauses && <p class="quiet">{t.kindHint(t.causes[form.draft.kind as MachineKind].join(", "))}</p>}
    </Form>
  );
}
