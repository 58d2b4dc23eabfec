import { useState } from "preact/hooks";
import { api } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import { formats } from "../../../data/plant.ts";
import { Form, useForm } from "../../../form/form.tsx";
import { actions as t } from "../../../texts/actions.ts";
import { Body } from "../../../ui/body.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useDesk } from "../desk-state.ts";
import { type ActionWithEffect, daysText, dayText, lossTextOf, placeText, useActionWithEffect, useOwners } from "./data.ts";
import { DueText } from "./due-text.tsx";
import { EffectCharts } from "./effect.tsx";

/** The action that the address names: what it is, whether it helped, and for those who may the form to change it. */
export function ActionDialog({ id }: { id: number }) {
  const { go } = useDesk();
  const loaded = useActionWithEffect(id);
  const [isChanging, change] = useState(false);
  const action = loaded.data;
  const title = action ? `${lossTextOf(action)} · ${placeText(action)}` : t.title;
  return (
    <Dialog title={title} class="action-dialog" close={t.close} onClose={() => go({ actionId: null })}>
      <Body loaded={loaded}>
        {action && isChanging && <ChangeForm action={action} onEnd={() => change(false)} />}
        {action && !isChanging && (
          <>
            <Facts action={action} />
            {may("actions:write") && (
              <p class="form-buttons">
                <button type="button" class="button" onClick={() => change(true)}>
                  {t.change}
                </button>
              </p>
            )}
          </>
        )}
        {action && <EffectCharts action={action} />}
      </Body>
    </Dialog>
  );
}

function Facts({ action }: { action: ActionWithEffect }) {
  const { measure, owner, state, endedAt, comment, createdBy, createdAt, from, to, minutes } = action;
  const facts = [
    { name: t.columns.measure, text: measure },
    { name: t.columns.owner, text: owner.name },
    {
      name: endedAt === null ? t.columns.due : t.columns.state,
      text: endedAt === null ? <DueText action={action} /> : t.endedOn(t.states[state], dayText(endedAt)),
    },
    { name: t.facts.comment, text: comment },
    { name: t.facts.seen, text: t.seen(daysText(from, to), formats().number(minutes)) },
    { name: t.facts.created, text: t.by(createdBy.name ?? "", dayText(createdAt)) },
  ];
  return (
    <dl class="action-facts">
      {facts.map(
        ({ name, text }) =>
          text !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function ChangeForm({ action, onEnd }: { action: ActionWithEffect; onEnd(): void }) {
  const owners = useOwners(action.owner);
  const form = useForm({
    fields: {
      measure: { kind: "lines", label: t.columns.measure, maxLength: 2000 },
      ownerId: { kind: "choice", label: t.columns.owner, options: owners },
      dueOn: { kind: "day", label: t.columns.due, isAhead: true },
      state: {
        kind: "choice",
        label: t.columns.state,
        options: (["open", "done", "dropped"] as const).map((value) => ({ value, label: t.states[value] })),
      },
      comment: { kind: "lines", label: t.facts.comment, maxLength: 2000 },
    },
    initial: {
      ...{ measure: action.measure, ownerId: String(action.owner.id), dueOn: action.dueOn, state: action.state as string },
      comment: action.comment ?? "",
    },
    body: ({ measure, ownerId, dueOn, state, comment }, refuse) => {
      if (measure.trim() === "") refuse("measure", t.required);
      return {
        ...{ measure: measure.trim(), ownerId: Number(ownerId), dueOn, state: state as ActionWithEffect["state"] },
        comment: comment.trim() || null,
      };
    },
    send: (body, idempotencyKey) => api("patch", "/v1/actions/{id}", { path: { id: action.id }, body, idempotencyKey }),
    onSent: onEnd,
  });
  return <Form form={form} label={t.change} send={t.send} sending={t.sending} cancel={{ label: t.cancel, onCancel: onEnd }} />;
}
