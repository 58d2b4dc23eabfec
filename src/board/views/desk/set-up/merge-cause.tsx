import { useState } from "preact/hooks";
import { companyQuery } from "../../../app/session.ts";
import { api } from "../../../data/api.ts";
import { useRead } from "../../../data/query.ts";
import { FormEnd } from "../../../form/form-end.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { resource } from "../../../texts/resource.ts";
import { Body } from "../../../ui/body.tsx";
import type { StopCause } from "../plant-data.ts";

const t = resource.merge;

interface MergeProps {
  cause: StopCause;
  /** Its names, with those above it. */
  nameOf(cause: StopCause): string;
  /** All causes. */
  causes: readonly StopCause[];
  onEnd(): void;
}

/** The causes that a cause can be merged into. */
function othersOf({ id, level }: StopCause, causes: readonly StopCause[]): readonly StopCause[] {
  return causes.filter((one) => one.id !== id && one.level === level);
}

/** The causes below a cause: they would be left without it. */
function belowOf({ id }: StopCause, causes: readonly StopCause[]): readonly StopCause[] {
  return causes.filter(({ parentId }) => parentId === id);
}

/** Whether a cause can be merged into another one. */
export function canMerge(cause: StopCause, causes: readonly StopCause[]): boolean {
  return othersOf(cause, causes).length > 0 && belowOf(cause, causes).length === 0;
}

/** Gives all stops of a cause another one, and deletes it. How many stops that are is said first. */
export function MergeCause({ cause, nameOf, causes, onEnd }: MergeProps) {
  const others = othersOf(cause, causes);
  const [into, choose] = useState(others[0]?.id ?? null);
  const target = others.find(({ id }) => id === into);
  const below = belowOf(cause, causes);
  const tried = useRead(
    target && below.length === 0 ? ["merge", cause.id, target.id] : null,
    () => api("post", "/v1/stops/classify", { body: { ...bodyOf(cause, target as StopCause), dryRun: true } }),
    { isOnce: true },
  );
  const found = tried.data && "isDryRun" in tried.data ? tried.data : null;
  const work = useMutation(onEnd);
  const merge = () =>
    work.run(async () => {
      if (!target) return;
      if (found && found.total > 0) {
        await api("post", "/v1/stops/classify", { body: bodyOf(cause, target), idempotencyKey: `${work.key}-stops` });
      }
      await api("delete", "/v1/stop-causes/{id}", { path: { id: cause.id }, query: companyQuery(), idempotencyKey: work.key });
    });
  const name = nameOf(cause);
  if (below.length > 0) return <p>{t.hasBelow(name, below.length)}</p>;
  if (!target) return <p>{t.noOther}</p>;
  return (
    <form
      class="form"
      aria-label={t.title(name)}
      onSubmit={(event) => {
        event.preventDefault();
        void merge();
      }}
    >
      <h3>{t.title(name)}</h3>
      <label class="field">
        <span>{t.into}</span>
        <select value={into ?? ""} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      </label>
      <Body loaded={tried}>
        {found && (
          <p role="status">
            {t.effect(found.total, found.machines, nameOf(target))} {flagsText(cause, target)}
          </p>
        )}
      </Body>
      <FormEnd
        reason={work.reason}
        label={work.isWaiting ? t.merging : t.merge}
        isDisabled={work.isWaiting || !found}
        cancel={{ label: resource.cancel, onCancel: onEnd }}
      />
    </form>
  );
}

/** The stops of a cause, and the causes that they get. */
function bodyOf({ id, level }: StopCause, target: StopCause) {
  const all = companyQuery();
  if (level === "component") return { ...all, filter: { componentIds: [id] }, componentId: target.id };
  if (level === "general") return { ...all, filter: { generalCauseIds: [id] }, generalCauseId: target.id };
  return { ...all, filter: { specificCauseIds: [id] }, generalCauseId: target.parentId, specificCauseId: target.id };
}

/** Whether the stops then count in another way. */
function flagsText(cause: StopCause, target: StopCause): string {
  const planned = cause.isProgrammed !== target.isProgrammed;
  const counted = cause.isIncludedInAvailability !== target.isIncludedInAvailability;
  if (!planned && !counted) return t.sameMeaning;
  return [planned && t.planned(target.isProgrammed), counted && t.counted(target.isIncludedInAvailability)]
    .filter(Boolean)
    .join(" ");
}
