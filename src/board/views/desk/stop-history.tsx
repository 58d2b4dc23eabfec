import type { ApiSchema } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { type Change, changeOf } from "../../domain/changes.ts";
import { desk as t } from "../../texts/desk.ts";
import type { StopCause } from "./plant-data.ts";

interface HistoryProps {
  stop: ApiSchema<"SlicedStop">;
  changes: readonly ApiSchema<"StopChange">[];
  causes: readonly StopCause[];
}

/** The history of a stop, newest first: who did what, and since when Andon knows it. */
export function StopHistory({ stop, changes, causes }: HistoryProps) {
  const nameOf = (id: string) => causes.find((cause) => String(cause.id) === id)?.name ?? id;
  return (
    <section class="stop-history" aria-label={t.stop.history}>
      <h3>{t.stop.history}</h3>
      <ul>
        {changes.map(({ id, time, action, user, apiTokenId, before, after }) => (
          <li key={id}>
            <strong>{user.name ?? t.stop.someone}</strong> {changeText(changeOf(action, before, after), nameOf)}
            {apiTokenId !== null && ` ${t.stop.byProgram}`}, {formats().dateTime(time)}
          </li>
        ))}
        {!changes.some(({ action }) => action === "record") && (
          <li>
            <strong>{stop.isManual ? t.stop.recorded : t.stop.found}</strong>, {formats().dateTime(stop.createdAt)}
          </li>
        )}
      </ul>
    </section>
  );
}

function changeText(change: Change, nameOf: (id: string) => string): string {
  const { did } = t.stop;
  switch (change.kind) {
    case "classified":
      return did.classified(change.causeIds.map(nameOf).join(" › "));
    case "named":
      return did.named(change.name);
    case "split":
      return did.split(formats().time(change.at));
    case "merge":
      return did.merge(change.count);
    default:
      return did[change.kind];
  }
}
