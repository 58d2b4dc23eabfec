import "./signals.css";
import { useState } from "preact/hooks";
import { locale } from "../../app/language.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { isAdmin } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { ignoreSignal, type Signal, useIgnoredSignals, useSignals } from "../../data/signals.ts";
import { decimalsOf, numberFrom } from "../../domain/formats.ts";
import { adoptionOf, dotsOf } from "../../domain/signals.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { Refused } from "../../form/form-end.tsx";
import { useMutation } from "../../form/use-mutation.ts";
import { reasonOf } from "../../texts/common.ts";
import { signals as t } from "../../texts/signals.ts";

type Machine = Pick<ApiSchema<"Machine">, "id" | "name" | "commissionedAt">;
type Sensors = ApiSchema<"CountSensors">;

interface SignalsProps {
  /** Whose counted signals are shown. */
  machineIds: readonly number[];
  /** The machine that takes a channel, and whether it was ever heard. */
  machine: Machine & { isHeard: boolean };
  sensors: Sensors | undefined;
}

/** What arrives, live: what counts, what nobody knows yet, with a button that takes it, and what is refused, with what to do. */
export function Signals({ machineIds, machine, sensors }: SignalsProps) {
  const loaded = useSignals(machineIds);
  const { data } = loaded;
  // What is silent does not arrive. Of the machine that is being connected it is shown.
  const isShown = (one: Signal) => one.status !== "counted" || one.events > 0 || one.machine?.id === machine.id;
  const shown = data?.signals.filter(isShown) ?? [];
  return (
    <section class="signals" aria-labelledby="signals">
      <h3 id="signals">{t.title}</h3>
      <p class="quiet">{t.hint}</p>
      <Refused reason={loaded.error === null ? null : reasonOf(loaded.error)} />
      {data && shown.length === 0 && <p>{t.none}</p>}
      <ul>
        {data &&
          shown.map((signal) => (
            <li key={keyOf(signal)} class={`is-${signal.events === 0 ? "silent" : signal.status}`}>
              <Heard signal={signal} />
              <Dots signal={signal} asOf={data.asOf} />
              <Why signal={signal} />
              {signal.status === "unknown" && signal.machine === null && (
                <>
                  <Adopt signal={signal} machine={machine} sensors={sensors} />
                  <IgnoreButton signal={signal} />
                </>
              )}
            </li>
          ))}
      </ul>
      {data && data.ignored > 0 && <Ignored count={data.ignored} />}
    </section>
  );
}

function keyOf({ status, nodeId, channel, gatewayToken }: Signal): string {
  return `${status} ${nodeId} ${channel} ${gatewayToken?.id}`;
}

function Heard({ signal: { nodeId, channel, gatewayToken } }: { signal: Signal }) {
  return (
    <p class="signal-name">
      <strong>{t.channel(nodeId, channel)}</strong>
      {gatewayToken && <span class="quiet"> {t.from(gatewayToken.name)}</span>}
    </p>
  );
}

function Dots({ signal, asOf }: { signal: Signal; asOf: string }) {
  const dots = dotsOf(signal, asOf);
  return (
    <div class="signal-dots">
      <svg viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label={t.lately(dots.length)}>
        <path class="axis" d="M0 23.5H100" vector-effect="non-scaling-stroke" />
        {dots.map((place) => (
          <path key={place} d={`M${(place * 99 + 0.5).toFixed(2)} 23V5`} vector-effect="non-scaling-stroke" />
        ))}
      </svg>
      <span>{t.minuteAgo}</span>
      <span>{t.now}</span>
    </div>
  );
}

function Why({ signal }: { signal: Signal }) {
  const [title, hint] = whyOf(signal);
  return (
    <p class="signal-why">
      <strong>{title}</strong>
      <span class="quiet">{hint}</span>
    </p>
  );
}

/** Ignores a channel that nobody wants, such as one of a machine of somebody else, or takes an ignored one back. */
function IgnoreButton({ signal, isIgnored = false }: { signal: Signal; isIgnored?: boolean }) {
  const work = useMutation();
  const name = t.channel(signal.nodeId, signal.channel);
  return (
    <div class="signal-ignore">
      <button
        type="button"
        class="tool"
        aria-label={isIgnored ? t.takeBackOf(name) : t.ignoreOf(name)}
        disabled={work.isWaiting}
        onClick={() => void work.run(() => ignoreSignal(signal, !isIgnored))}
      >
        {isIgnored ? t.takeBack : t.ignore}
      </button>
      <Refused reason={work.reason} />
    </div>
  );
}

/** The channels that are ignored, if somebody wants to see them. */
function Ignored({ count }: { count: number }) {
  const [isOpen, open] = useState(false);
  return (
    <>
      <p>
        <button type="button" class="tool" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {isOpen ? t.hideIgnored : t.showIgnored(count, formats().number(count))}
        </button>
      </p>
      {isOpen && <IgnoredList />}
    </>
  );
}

function IgnoredList() {
  const loaded = useIgnoredSignals();
  return (
    <>
      <p class="quiet">{t.ignoredHint}</p>
      <Refused reason={loaded.error === null ? null : reasonOf(loaded.error)} />
      <ul aria-label={t.ignored}>
        {loaded.data?.signals.map((signal) => (
          <li key={keyOf(signal)} class="is-silent">
            <Heard signal={signal} />
            <p class="signal-why">
              <span class="quiet">{signal.lastAt === null ? t.notHeard : t.lastHeard(formats().dateTime(signal.lastAt))}</span>
            </p>
            <IgnoreButton signal={signal} isIgnored />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Whether a signal counts, and what to know of it or to do about it. */
function whyOf({ status, channel, code, machine, type, events, kept, lastAt, sentAt, message }: Signal): [string, string] {
  const { number, time } = formats();
  const name = machine?.name ?? "";
  if (status === "counted") {
    return [t.counted(name, t.types[type ?? "total"]), events === 0 ? t.silent : t.countedEvents(events, number(events))];
  }
  const keptText =
    kept &&
    (kept.pulses > 0 ? t.kept(number(kept.pulses), time(kept.from)) : t.keptReadings(number(kept.events), time(kept.from)));
  if (status === "unknown") return [machine ? t.notThen(name) : t.unknown(channel), keptText ?? t.keptNoMore];
  if (code === "in_future" && lastAt && sentAt) {
    const minutes = Math.round((Date.parse(sentAt) - Date.parse(lastAt)) / MINUTE_MS);
    return [t.ahead(number(minutes)), t.clocks(time(sentAt), time(lastAt))];
  }
  if (code === "before_commissioning") return [t.before(name), t.beforeHint];
  if (code === "closed_books") return [t.closed, message ?? ""];
  return [code === "invalid_event" ? t.invalid : t.other, message ?? ""];
}

interface AdoptProps extends Pick<SignalsProps, "machine" | "sensors"> {
  signal: Signal;
}

/** Gives the channel to the machine, as its total: what is kept of it then counts. */
function Adopt({ signal, machine, sensors }: AdoptProps) {
  const adopting = useMutation();
  const [typed, setTyped] = useState("1");
  const [fault, setFault] = useState<string | null>(null);
  const adopt = () => {
    const factor = numberFrom(typed, locale);
    const value = typeof factor === "object" && decimalsOf(factor.value) <= 6 ? factor.value : 0;
    setFault(value > 0 ? null : t.number);
    if (value <= 0) return;
    const { configs, commissionedAt, effectiveFrom } = adoptionOf(signal, machine, sensors, value);
    const path = { id: machine.id };
    void adopting.run(async () => {
      if (commissionedAt !== null) await api("patch", "/v1/machines/{id}", { path, body: { commissionedAt } });
      const dated = effectiveFrom !== null && isAdmin() ? { effectiveFrom, reason: t.reason(signal.channel) } : {};
      await api("put", "/v1/machines/{id}/count-sensor", {
        ...{ path, body: { isCountEnabled: true, configs, ...dated }, idempotencyKey: adopting.key },
      });
    });
  };
  return (
    <div class="signal-adopt">
      <button type="button" class="button primary" disabled={adopting.isWaiting} onClick={adopt}>
        {adopting.isWaiting ? t.adopting : t.adopt(machine.name)}
      </button>
      <label>
        <span>{t.of}</span>
        <input inputMode="decimal" size={5} value={typed} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
        <span>{t.units}</span>
      </label>
      {machine.isHeard && !isAdmin() && <p class="quiet">{t.fromNow}</p>}
      <Refused reason={fault ?? adopting.reason} />
    </div>
  );
}
