import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { api, Refusal } from "../../data/api.ts";
import { newKey } from "../../data/new-key.ts";
import { NoAnswer } from "../../domain/no-answer.ts";
import { reasonOf } from "../../texts/common.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore, Operator } from "./machine-store.ts";
import { say } from "./said.tsx";
import { SheetDialog } from "./sheet-dialog.tsx";

interface PinFormProps {
  store: MachineStore;
  operator: Operator;
  /** Back to the names. */
  onEnd(): void;
  onClose(): void;
}

/** Signs an operator in by PIN. The service checks it, so it is not kept to be sent later, as other actions are. */
export function PinForm({ store, operator, onEnd, onClose }: PinFormProps) {
  const pin = useSignal("");
  const isWaiting = useSignal(false);
  const fault = useSignal<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const key = useRef(newKey());
  useEffect(() => input.current?.focus(), []);
  const isOffline = store.live.freshness.value.kind === "lost";

  async function signIn(): Promise<void> {
    isWaiting.value = true;
    fault.value = null;
    try {
      const body = { operatorId: operator.id, pin: pin.value };
      await api("post", "/v1/machines/{id}/sign-in", { path: { id: store.machineId }, body, idempotencyKey: key.current });
      say(floor.signedIn(operator.name));
      onClose();
    } catch (error) {
      isWaiting.value = false;
      fault.value = faultIn(error, operator.name);
      // Whether an unanswered request was carried out is not known: the same one again does no harm.
      if (!(error instanceof Refusal)) return;
      key.current = newKey();
      pin.value = "";
      input.current?.focus();
    }
  }

  return (
    <SheetDialog title={floor.pinTitle(operator.name)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWaiting.value) void signIn();
        }}
      >
        <label class="field">
          <span>{floor.pin}</span>
          <input
            ref={input}
            type="password"
            inputMode="numeric"
            autocomplete="one-time-code"
            required
            pattern="[0-9]{4,8}"
            maxLength={8}
            value={pin.value}
            aria-describedby="pin-hint"
            onInput={({ currentTarget }) => (pin.value = currentTarget.value)}
          />
        </label>
        <div role="alert">{fault.value !== null && <p class="refusal">{fault.value}</p>}</div>
        <p class="quiet" id="pin-hint">
          {isOffline ? floor.pinOffline : floor.pinHint}
        </p>
        <button type="submit" class="act primary" disabled={isWaiting.value}>
          {floor.signIn}
        </button>
        <button type="button" class="act" onClick={onEnd}>
          {floor.back}
        </button>
      </form>
    </SheetDialog>
  );
}

function faultIn(error: unknown, name: string): string {
  if (error instanceof NoAnswer) return floor.pinOffline;
  if (error instanceof Refusal && error.status === 429 && error.retryAfter !== null) return floor.pinLocked(error.retryAfter);
  const [fault] = error instanceof Refusal ? error.faults : [];
  if (fault?.pointer === "/pin" && fault.code === "wrong") return floor.pinWrong(name);
  return reasonOf(error);
}
