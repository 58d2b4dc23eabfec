import { companyQuery, user } from "../../../app/session.ts";
import { leave } from "../../../app/unsaved.ts";
import { api } from "../../../data/api.ts";
import { lossOfKey, type Place } from "../../../domain/actions.ts";
import { allChoices, byName, causeTree } from "../../../domain/causes.ts";
import { addDays, rangeOf } from "../../../domain/days.ts";
import { iso } from "../../../domain/time.ts";
import { Form, useForm } from "../../../form/form.tsx";
import { actions as t } from "../../../texts/actions.ts";
import { desk } from "../../../texts/desk.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { actedOn } from "../acted-on.ts";
import { useDesk } from "../desk-state.ts";
import { useCauses } from "../plant-data.ts";
import { kindText, useOwners } from "./data.ts";

/** Without others, a loss is seen in the last days, and to be acted on within as many more. */
const DAYS_SEEN = 7;
const DAYS_TO_ACT = 14;
const close = () => {
  actedOn.value = null;
};

/** A dialog with the form for a new action. What it was opened with is filled in. */
export function NewAction() {
  return (
    <Dialog title={t.new} class="action-dialog" close={t.close} onClose={() => leave(close)}>
      <NewActionForm />
    </Dialog>
  );
}

function NewActionForm() {
  const { setUp, today } = useDesk();
  const { lossKey, name, days, machineId, lineId } = actedOn.peek() ?? { ...{ lossKey: null, name: "", days: null }, ...nowhere };
  const owners = useOwners(null);
  const causes = allChoices(causeTree(byName(useCauses().data ?? []))).map(({ key, path }) => ({ value: key, label: path }));
  const kinds = ["/", "speed", "quality", "noData"].map((key) => ({ value: key, label: kindText(key) ?? "" }));
  const known = [...causes, ...kinds];
  const given = lossKey !== null && !known.some(({ value }) => value === lossKey) ? [{ value: lossKey, label: name }] : [];
  const me = String(user.value?.userId ?? "");
  const last = days === null || days.last > today ? today : days.last;
  const form = useForm({
    fields: {
      loss: { kind: "choice", label: t.columns.loss, options: [{ value: "", label: t.chooseLoss }, ...given, ...known] },
      place: {
        kind: "choice",
        label: t.columns.place,
        options: [
          { value: "", label: t.everywhere },
          ...setUp.lines.map((line) => ({ value: `line ${line.id}`, label: desk.allOfLine(line.name) })),
          ...setUp.machines.map((machine) => ({ value: `machine ${machine.id}`, label: machine.name })),
        ],
      },
      from: { kind: "day", label: t.from, last: today },
      to: { kind: "day", label: t.to, last: today },
      measure: { kind: "lines", label: t.columns.measure, maxLength: 2000 },
      ownerId: { kind: "choice", label: t.columns.owner, options: owners },
      dueOn: { kind: "day", label: t.columns.due, isAhead: true },
    },
    initial: {
      loss: lossKey ?? "",
      place: machineId !== null ? `machine ${machineId}` : lineId !== null ? `line ${lineId}` : "",
      from: days?.first ?? addDays(today, 1 - DAYS_SEEN),
      to: last,
      measure: "",
      ownerId: me,
      dueOn: addDays(today, DAYS_TO_ACT),
    },
    body: ({ loss, place, from, to, measure, ownerId, dueOn }, refuse) => {
      if (loss === "") refuse("loss", t.required);
      if (measure.trim() === "") refuse("measure", t.required);
      if (to < from) refuse("to", t.backwards);
      const [kind, id] = place.split(" ");
      const { start } = rangeOf("day", from, setUp.timezone, setUp.weekStart);
      const { end } = rangeOf("day", to, setUp.timezone, setUp.weekStart);
      // The first of the list is shown as chosen if the list has not who is chosen.
      const owner = owners.find(({ value }) => value === ownerId) ?? owners[0];
      return {
        ...companyQuery(),
        ...lossOfKey(loss),
        machineId: kind === "machine" ? Number(id) : null,
        lineId: kind === "line" ? Number(id) : null,
        ...{ from: iso(start), to: iso(Math.min(end, Math.max(Date.now(), start + 1))) },
        ...{ measure: measure.trim(), ownerId: Number(owner?.value), dueOn },
      };
    },
    send: (body, idempotencyKey) => api("post", "/v1/actions", { body, idempotencyKey }),
    onSent: close,
  });
  return <Form form={form} label={t.new} send={t.send} sending={t.sending} cancel={{ label: t.cancel, onCancel: close }} />;
}

const nowhere: Place = { machineId: null, lineId: null };
