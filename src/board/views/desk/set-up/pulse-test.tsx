import "./pulse-test.css";
import { useRef, useState } from "preact/hooks";
import { type Signal, useSignals } from "../../../data/signals.ts";
import { newPulses, type Pulses } from "../../../domain/signals.ts";
import { Refused } from "../../../form/form-end.tsx";
import { reasonOf } from "../../../texts/common.ts";
import { signals as texts } from "../../../texts/signals.ts";

const t = texts.test;

/** So many pulses are no accident. */
const WANTED = 5;

/** Whether a machine's channels are the right ones: somebody makes it send, and sees here what comes. */
export function PulseTest({ machineId }: { machineId: number }) {
  /** When the test was begun (epoch ms); 0: it was not. */
  const [run, setRun] = useState(0);
  return (
    <section class="card pulse-test" aria-labelledby="pulse-test">
      <h2 id="pulse-test">{t.title}</h2>
      {run > 0 && <Running key={run} machineId={machineId} since={run} />}
      <button type="button" class="button" onClick={() => setRun(Date.now())}>
        {run === 0 ? t.start : t.again}
      </button>
    </section>
  );
}

function Running({ machineId, since }: { machineId: number; since: number }) {
  const { data, error } = useSignals([machineId], since);
  const before = useRef<readonly Signal[] | null>(null);
  const seen = useRef<readonly Pulses[]>([]);
  if (data) {
    before.current ??= data.signals;
    seen.current = newPulses(before.current, data.signals, seen.current);
  }
  const own = (data?.signals ?? []).filter(({ status, machine }) => status === "counted" && machine?.id === machineId);
  const isOwn = (one: Pulses) => own.some(({ nodeId, channel }) => nodeId === one.nodeId && channel === one.channel);
  const pulsesOf = ({ nodeId, channel }: Signal) =>
    seen.current.find((one) => one.nodeId === nodeId && one.channel === channel)?.times.size ?? 0;
  const others = seen.current.filter((one) => !isOwn(one));
  return (
    <div role="status">
      <p>{t.hint(WANTED)}</p>
      <Refused reason={error === null ? null : reasonOf(error)} />
      {own.map((signal) => (
        <Seen key={`${signal.nodeId} ${signal.channel}`} signal={signal} pulses={Math.min(pulsesOf(signal), WANTED)} />
      ))}
      {others.length > 0 && (
        <p class="pulse-others">{t.others(others.map((one) => texts.channel(one.nodeId, one.channel)).join(", "))}</p>
      )}
    </div>
  );
}

function Seen({ signal: { nodeId, channel, type }, pulses }: { signal: Signal; pulses: number }) {
  return (
    <p class="pulse-channel">
      <span>
        {texts.channel(nodeId, channel)}, {texts.types[type ?? "total"]}
      </span>
      <svg class="pulse-seen" viewBox={`0 0 ${WANTED * 24} 20`} aria-hidden="true">
        {Array.from({ length: WANTED }, (_, i) => (
          <circle key={i} class={i < pulses ? "is-seen" : ""} cx={i * 24 + 12} cy="10" r="8" />
        ))}
      </svg>
      <strong>{t.seen(pulses, WANTED)}</strong>
      {pulses === WANTED && <span class="quiet">{t.done}</span>}
    </p>
  );
}
