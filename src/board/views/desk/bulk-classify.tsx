import "./bulk-classify.css";
import "./recalculations.css";
import { useEffect, useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { invalidate, useRead } from "../../data/query.ts";
import { byName, causeIdsOf, causeTree, choiceWith } from "../../domain/causes.ts";
import { Refused } from "../../form/form-end.tsx";
import { useMutation, useTrial } from "../../form/use-mutation.ts";
import { past } from "../../texts/past.ts";
import { ChooseBox } from "../../ui/choose-box.tsx";
import { CauseOptions } from "./cause-options.tsx";
import { useCauses } from "./plant-data.ts";

const t = past.bulk;
type Classification = ApiSchema<"StopClassification">;

/** The stops that are chosen in a list: all of it, or those with these ids. */
export type Choice = "all" | readonly number[];

interface ChooseProps {
  choice: Choice;
  onChange(choice: Choice): void;
}

/** The field that chooses a whole list, with all that it does not show. Nothing for users who may not classify. */
export function ChooseAll({ choice, label, onChange }: ChooseProps & { label: string }) {
  if (!may("stops:write")) return null;
  return (
    <label class="choice">
      <input type="checkbox" checked={choice === "all"} onChange={() => onChange(choice === "all" ? [] : "all")} />
      {label}
    </label>
  );
}

/** The field that chooses a stop of a list. */
export function ChooseStop(props: ChooseProps & { id: number; machine: string; start: number }) {
  const { choice, id, machine, start, onChange } = props;
  if (!may("stops:write")) return null;
  return (
    <ChooseBox
      name={choiceName(machine, start)}
      isChosen={choice === "all" || choice.includes(id)}
      isDisabled={choice === "all"}
      onChoose={(isChosen) => onChange(withStop(choice, id, isChosen))}
    />
  );
}

/** The accessible name of the field that chooses a stop. */
export function choiceName(machine: string, start: number): string {
  return t.choose(machine, formats().time(start));
}

/** A choice in which one more stop is chosen, or one less. */
export function withStop(choice: Choice, id: number, isChosen: boolean): Choice {
  const others = choice === "all" ? [] : choice.filter((one) => one !== id);
  return isChosen ? [...others, id] : others;
}

interface BulkProps {
  choice: Choice;
  /** The ids of all stops of the list. */
  all(): Promise<number[]>;
  onChoose(choice: Choice): void;
}

interface Counted {
  ids: number[];
  total: number;
  unchanged: number;
  machines: number;
}

/** Gives the chosen stops one cause: first it counts them, then it classifies them, and then it can put them back. */
export function BulkClassify({ choice, all, onChoose }: BulkProps) {
  const isChosen = choice === "all" || choice.length > 0;
  const [jobId, setJobId] = useState<string | null>(null);
  return (
    <>
      {isChosen && (
        <Form
          choice={choice}
          ids={async () => (choice === "all" ? await all() : [...choice])}
          onDone={(id) => {
            setJobId(id);
            onChoose([]);
          }}
        />
      )}
      {jobId !== null && (
        <section class="bulk" aria-label={t.listTitle}>
          <Job key={jobId} id={jobId} />
        </section>
      )}
    </>
  );
}

interface FormProps {
  choice: Choice;
  ids(): Promise<number[]>;
  onDone(jobId: string): void;
}

function Form({ choice, ids, onDone }: FormProps) {
  const [cause, setCause] = useState("");
  const [note, setNote] = useState("");
  const [counted, setCounted] = useState<Counted | null>(null);
  const causes = useCauses();
  const tree = causeTree(byName(causes.data ?? []));
  const chosen = String(choice);
  useEffect(() => setCounted(null), [chosen]);
  const counting = useTrial();
  const work = useMutation();
  const description = note.trim();
  // Without a note, stops keep theirs.
  const body = { ...companyQuery(), ...causeIdsOf(choiceWith(cause, tree)), ...(description && { description }) };

  const count = () =>
    counting.run(async () => {
      const wanted = await ids();
      const found = await api("post", "/v1/stops/classify", { body: { ...body, ids: wanted, dryRun: true } });
      if ("isDryRun" in found) setCounted({ ...found, ids: wanted });
    });
  const classify = ({ ids: wanted }: Counted) =>
    work.run(async () => {
      const made = await api("post", "/v1/stops/classify", {
        body: { ...body, ids: wanted, dryRun: false },
        idempotencyKey: work.key,
      });
      if ("id" in made) onDone(made.id);
    });
  const reason = counting.reason ?? work.reason;
  return (
    <form
      class="bulk"
      aria-label={t.title}
      onSubmit={(event) => {
        event.preventDefault();
        void (counted ? classify(counted) : count());
      }}
    >
      <h3>{t.title}</h3>
      <label class="field">
        <span>{t.cause}</span>
        <select
          required
          value={cause}
          onChange={({ currentTarget }) => {
            setCause(currentTarget.value);
            setCounted(null);
          }}
        >
          <option value="">{t.chooseCause}</option>
          <CauseOptions tree={tree} />
        </select>
      </label>
      <label class="field">
        <span>{t.note}</span>
        <input
          type="text"
          autocomplete="off"
          maxLength={2000}
          value={note}
          onInput={({ currentTarget }) => {
            setNote(currentTarget.value);
            setCounted(null);
          }}
        />
      </label>
      <Refused reason={reason} />
      <p class="quiet" role="status">
        {counted && t.counted(counted.total, counted.machines)}
        {counted && counted.unchanged > 0 && ` ${t.unchanged(counted.unchanged)}`}
      </p>
      <button type="submit" class="button primary" disabled={counting.isWaiting || work.isWaiting}>
        {counting.isWaiting ? t.counting : work.isWaiting ? t.classifying : counted ? t.classify(counted.total) : t.count}
      </button>
    </form>
  );
}

const PROGRESS_MS = 2000;

export function isGoing({ state }: Classification): boolean {
  return state === "running" || state === "undoing";
}

/** A bulk classification: how far it is, what it did, and its undoing. */
function Job({ id }: { id: string }) {
  const loaded = useRead(
    ["/v1/stop-classifications/{id}", id],
    () => api("get", "/v1/stop-classifications/{id}", { path: { id } }),
    { everyMs: (data) => (data && isGoing(data) ? PROGRESS_MS : null) },
  );
  const state = loaded.data?.state;
  useEffect(() => {
    if (state === "done" || state === "undone") void invalidate();
  }, [state]);
  return (
    <>
      <p role="status">{loaded.data && jobText(loaded.data)}</p>
      {loaded.data && <Undo job={loaded.data} />}
    </>
  );
}

export function Undo({ job: { id, state, classified } }: { job: Classification }) {
  const work = useMutation();
  if (state !== "done" || classified === 0 || !may("stops:write")) return null;
  const undo = () =>
    work.run(async () => {
      await api("post", "/v1/stop-classifications/{id}/undo", { path: { id }, idempotencyKey: work.key });
    });
  return (
    <>
      <Refused reason={work.reason} />
      <button type="button" class="button" disabled={work.isWaiting} onClick={() => void undo()}>
        {t.undo}
      </button>
    </>
  );
}

/** What a bulk classification has done, in words. */
export function jobText({ state, total, classified, unchanged, leftOut, undone, kept }: Classification): string {
  const { number } = formats();
  if (state === "running") return t.running(number(classified + unchanged), number(total));
  if (state === "undoing") return t.undoing;
  if (state === "undone") return [t.undone(undone), kept > 0 && t.kept(kept)].filter(Boolean).join(" ");
  const left = leftOut.changed.length + leftOut.gone.length + leftOut.unreachable.length + leftOut.closed.length;
  return [t.done(classified), unchanged > 0 && t.unchanged(unchanged), left > 0 && t.leftOut(left)].filter(Boolean).join(" ");
}
