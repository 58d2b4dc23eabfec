import { useState } from "preact/hooks";
import { type ApiSchema, api } from "../../data/api.ts";
import { FormEnd } from "../../form/form-end.tsx";
import { useMutation } from "../../form/use-mutation.ts";
import { desk } from "../../texts/desk.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ChangeButton } from "./change-button.tsx";

type Order = ApiSchema<"WorkOrder">;
type Status = Order["status"];

const t = desk.orders.actions;

/** What people do with an order in a status; finishing it comes last, and is asked for first, because only admins can take it back. */
const steps: Partial<Record<Status, readonly { to: Status; label: string }[]>> = {
  Backlog: [{ to: "Planned", label: t.plan }],
  Planned: [{ to: "InProgress", label: t.start }],
  InProgress: [
    { to: "Paused", label: t.pause },
    { to: "Completed", label: t.finish },
  ],
  Paused: [
    { to: "InProgress", label: t.resume },
    { to: "Completed", label: t.finish },
  ],
};

/** The buttons of an order that change its status. */
export function OrderActions({ order: { id, code, status } }: { order: Order }) {
  const [isFinishing, finish] = useState(false);
  const change = (to: Status) => (idempotencyKey: string) =>
    api("put", "/work-order-target", { body: { workOrder: { id, status: to } }, idempotencyKey });
  return (
    <span class="order-actions">
      {steps[status]?.map(({ to, label }) =>
        to === "Completed" ? (
          <button key={to} type="button" class="tool" aria-label={t.named(label, code)} onClick={() => finish(true)}>
            {label}
          </button>
        ) : (
          <ChangeButton key={to} label={label} name={t.named(label, code)} change={change(to)} />
        ),
      )}
      {isFinishing && <Finish code={code} change={change("Completed")} onEnd={() => finish(false)} />}
    </span>
  );
}

/** Asks before an order is finished. */
function Finish({ code, change, onEnd }: { code: string; change(key: string): Promise<unknown>; onEnd(): void }) {
  const work = useMutation(onEnd);
  return (
    <Dialog title={t.finishTitle(code)} onClose={onEnd}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void work.run(async () => void (await change(work.key)));
        }}
      >
        <p>{t.finishHint}</p>
        <FormEnd
          reason={work.reason}
          label={t.finish}
          isDisabled={work.isWaiting}
          cancel={{ label: t.cancel, onCancel: onEnd }}
        />
      </form>
    </Dialog>
  );
}
