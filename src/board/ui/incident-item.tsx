import "./control.css";
import "./incident-item.css";
import { useState } from "preact/hooks";
import { second } from "../app/clock.ts";
import { acknowledge, type Incident } from "../data/alerts.ts";
import { may } from "../data/may.ts";
import { formats } from "../data/plant.ts";
import { incidentLength, needsSomeone } from "../domain/alerts.ts";
import { clockText } from "../domain/formats.ts";
import { alerts as t } from "../texts/alerts.ts";
import { reasonOf } from "../texts/common.ts";
import { StateIcon } from "./state-icon.tsx";

interface ItemProps {
  incident: Incident;
  /** Whether its name links to its page. */
  isLink?: boolean;
  onAcknowledged?(): void;
}

/** An incident: what, where, since when, who acknowledged it, and a button to acknowledge it. */
export function IncidentItem({ incident, isLink = false, onAcknowledged }: ItemProps) {
  const { id, rule, kind, nodeId, gateway, machine, machineCount, cause, since } = incident;
  const { level, acknowledgedAt, acknowledgedBy, resolvedAt } = incident;
  const { dateTime } = formats();
  return (
    <div class="incident">
      <span class={`incident-mark${needsSomeone(incident) ? " incident-open" : ""}`}>
        <StateIcon kind={resolvedAt === null ? "stopped" : "outside"} />
      </span>
      <div class="incident-words">
        <strong>{isLink ? <a href={`/desk/incidents/${id}`}>{rule.name}</a> : rule.name}</strong>
        <p>
          {nodeId !== null && `${t.gateway(nodeId)}: `}
          {machine ? <a href={`/desk/day?machine=${machine.id}`}>{machine.name}</a> : (gateway?.name ?? t.plant)}
          {machineCount > 1 && ` ${t.more(machineCount - 1)}`}
          {["", t.kinds[kind], cause, findingText(incident), t.since(dateTime(since)), level > 1 && t.level(level)]
            .filter((part) => typeof part === "string")
            .join(" · ")}
        </p>
        {acknowledgedAt !== null && <p>{t.acknowledged(acknowledgedBy?.name ?? "–", dateTime(acknowledgedAt))}</p>}
        {resolvedAt !== null && <p>{t.resolved(dateTime(resolvedAt))}</p>}
        {needsSomeone(incident) && may("incidents:acknowledge") && <Acknowledge incident={incident} onDone={onAcknowledged} />}
      </div>
      <Clock incident={incident} />
    </div>
  );
}

/** The measured value, in the unit of the rule's kind; null: the rule only concerns time. */
function findingText({ kind, value }: Incident): string | null {
  if (value === null) return null;
  return kind === "short_stops" ? formats().number(value) : formats().percent(value, 1);
}

/** A separate component, so that only it renders each second. */
function Clock({ incident }: { incident: Incident }) {
  const now = incident.resolvedAt === null ? second.value : 0;
  return <span class="incident-clock">{clockText(incidentLength(incident, now))}</span>;
}

function Acknowledge({ incident: { id, rule, machine }, onDone }: { incident: Incident; onDone: (() => void) | undefined }) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  async function act(): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await acknowledge(id);
      onDone?.();
    } catch (error) {
      setFault(reasonOf(error));
      setBusy(false);
    }
  }
  return (
    <>
      <button
        type="button"
        class="tool"
        disabled={isBusy}
        aria-label={t.acknowledgeOf([rule.name, machine?.name].filter(Boolean).join(", "))}
        onClick={() => void act()}
      >
        {t.acknowledge}
      </button>
      <div role="alert">{fault !== null && <p class="refusal">{fault}</p>}</div>
    </>
  );
}
