import { useState } from "preact/hooks";
import { deviceState, notifyHere, notifyHereNoMore } from "../data/notify-device.ts";
import { useRead } from "../data/query.ts";
import { alerts as t } from "../texts/alerts.ts";
import { common, reasonOf } from "../texts/common.ts";

/** Whether push messages come to this device, with the button that turns them on or off, or the reason why there is no button. */
export function NotifyHere() {
  const { data: state, error, reload } = useRead(["/v1/push-key"], deviceState);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  async function change(act: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await act();
    } catch (failure) {
      setFault(reasonOf(failure));
    }
    await reload();
    setBusy(false);
  }
  const isOn = state === "on" || state === "idle";
  const reason = fault ?? (error === null ? null : reasonOf(error));
  return (
    <div class="bell-device" aria-busy={state === null && error === null}>
      <p class="bell-none" role="status">
        {state && t.device[state]}
      </p>
      {(isOn || state === "off") && (
        <button type="button" class="button" disabled={isBusy} onClick={() => void change(isOn ? notifyHereNoMore : notifyHere)}>
          {isOn ? t.device.stop : t.device.notify}
        </button>
      )}
      <div role="alert">{reason !== null && <p class="refusal">{reason}</p>}</div>
      {error !== null && (
        <button type="button" class="button" onClick={() => void reload()}>
          {common.tryAgain}
        </button>
      )}
    </div>
  );
}
