import "./stop-panel.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiSchema, api, Refusal } from "../../data/api.ts";
import { may, mayNot } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { invalidate, useRead } from "../../data/query.ts";
import { allChoices, byName, causeIdsOf, causeTree, choiceOf, choiceWith, componentsFor, treeWith } from "../../domain/causes.ts";
import { clockFrom, instantAt, wallClock } from "../../domain/days.ts";
import { kindOfStop } from "../../domain/machine-kind.ts";
import { iso, MINUTE_MS } from "../../domain/time.ts";
import { type MachineDay, neighboursOf } from "../../domain/timeline.ts";
import { Refused } from "../../form/form-end.tsx";
import { type Mutation, useMutation } from "../../form/use-mutation.ts";
import { desk as t } from "../../texts/desk.ts";
import { Body } from "../../ui/body.tsx";
import { Icon } from "../../ui/icon.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";
import { useUnsaved } from "../../ui/use-unsaved.ts";
import { CauseOptions } from "./cause-options.tsx";
import { useDesk } from "./desk-state.ts";
import { loadCauses, type StopCause } from "./plant-data.ts";
import { StopHistory } from "./stop-history.tsx";

type Stop = ApiSchema<"SlicedStop">;

interface StopDetails {
  stop: Stop;
  causes: StopCause[];
  changes: ApiSchema<"StopChange">[];
}

interface PanelProps {
  stopId: number;
  days: readonly MachineDay[];
  /** Called after each change, to load the day again. */
}

/** The open stop: its data, its classification, and forms to change it. */
export function StopPanel({ stopId, days }: PanelProps) {
  const { go } = useDesk();
  const loaded = useRead(["/v1/stops/{id}", stopId], () => loadStopDetails(stopId));
  const panel = useRef<HTMLElement>(null);
  // The panel may be far below the time lines, so it is scrolled into view.
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const isGone = loaded.error instanceof Refusal && loaded.error.status === 404;
  const work = useMutation();
  return (
    <section ref={panel} class="card stop" aria-label={t.stop.panel} tabIndex={-1}>
      <button
        type="button"
        class="tool stop-close"
        aria-label={t.stop.close}
        onClick={() => {
          go({ stopId: null });
          document.querySelector<HTMLElement>(".tl-box")?.focus();
        }}
      >
        <Icon name="close" />
      </button>
      {isGone ? (
        <p class="stop-gone">{t.stop.gone}</p>
      ) : (
        <Body loaded={loaded}>
          {loaded.data && (
            // Keeps what was entered until the stop has a newer version.
            <Editor key={loaded.data.stop.version} details={loaded.data} days={days} work={work} onLoad={invalidate} />
          )}
        </Body>
      )}
    </section>
  );
}

async function loadStopDetails(stopId: number): Promise<StopDetails> {
  const path = { id: stopId };
  const [stop, causes, changes] = await Promise.all([
    api("get", "/v1/stops/{id}", { path }),
    loadCauses(),
    api("get", "/v1/stops/{id}/changes", { path, query: { limit: 100 } }),
  ]);
  return { stop, causes, changes: changes.data };
}

interface EditorProps {
  details: StopDetails;
  days: readonly MachineDay[];
  work: Mutation;
  onLoad(): Promise<void>;
}

function Editor({ details: { stop, causes, changes }, days, work, onLoad }: EditorProps) {
  const { hrefWith, go } = useDesk();
  const { time } = formats();
  const isEditor = may("stops:write");
  const sorted = byName(causes);
  const tree = treeWith(stop.classification, causeTree(sorted));
  const present = choiceOf(stop.classification, allChoices(tree));
  const [cause, setCause] = useState(present?.key ?? "");
  const [component, setComponent] = useState(String(stop.classification?.component?.id ?? ""));
  const [note, setNote] = useState(stop.classification?.description ?? "");
  const entered = [cause, component, note].join("\n");
  const initial = useRef(entered);
  useUnsaved(!work.isWaiting && entered !== initial.current);
  const choice = choiceWith(cause, tree);
  const isPresent = choice?.key === present?.key;
  const components = componentsFor(choice, sorted, isPresent ? (stop.classification?.component ?? null) : null);
  const path = { id: stop.id };
  const ifMatch = `"${stop.version}"`;
  const kind = kindOfStop(stop);
  const shift = shiftOf(days, stop.id);
  const { before, after } = neighboursOf(days, stop.id);
  const isEmpty = cause === "" && component === "" && note.trim() === "";

  const save = () =>
    work.run(async () => {
      if (isEmpty) return void (await api("delete", "/v1/stops/{id}/classification", { path, ifMatch }));
      const body = { ...causeIdsOf(choice), componentId: component || null, description: note.trim() || null };
      await api("put", "/v1/stops/{id}/classification", { path, body, ifMatch });
    });
  const merge = (other: { id: number; version: number }, firstId: number) =>
    work.run(async () => {
      const body = { ids: [stop.id, other.id], versions: [stop.version, other.version] };
      await api("post", "/v1/stops/merge", { body, idempotencyKey: work.key });
      go({ stopId: firstId }, { replace: true });
    });

  return (
    <>
      <Title stop={stop} kind={kind} shiftName={shift?.name} />
      {mayNot("stops:write") && <p class="stop-looking">{t.stop.looking}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label class="field">
          <span>{t.stop.cause}</span>
          <select
            value={cause}
            disabled={!isEditor}
            onChange={({ currentTarget }) => {
              setCause(currentTarget.value);
              setComponent("");
            }}
          >
            <option value="">{t.stop.noCause}</option>
            <CauseOptions tree={tree} />
          </select>
        </label>
        {(components.length > 0 || component !== "") && (
          <label class="field">
            <span>{t.stop.component}</span>
            <select value={component} disabled={!isEditor} onChange={({ currentTarget }) => setComponent(currentTarget.value)}>
              <option value="">{t.stop.noComponent}</option>
              {components.map(({ id, name }) => (
                <option key={id} value={String(id)}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="field">
          <span>{t.stop.note}</span>
          <textarea
            rows={2}
            maxLength={2000}
            value={note}
            disabled={!isEditor}
            onInput={({ currentTarget }) => setNote(currentTarget.value)}
          />
        </label>
        <div role="alert">
          {work.reason !== null && (
            <p class="refusal">
              {work.reason}{" "}
              {work.isOutdated && (
                <button type="button" class="tool" onClick={() => void onLoad()}>
                  {t.stop.loadAgain}
                </button>
              )}
            </p>
          )}
        </div>
        {isEditor && (
          <p class="stop-buttons">
            <button type="submit" class="button primary" disabled={work.isWaiting}>
              {work.isWaiting ? t.stop.saving : t.stop.save}
            </button>
          </p>
        )}
        <p class="quiet" role="status">
          {work.isDone && t.stop.saved}
        </p>
      </form>
      {isEditor && (
        <>
          <Split stop={stop} work={work} ifMatch={ifMatch} />
          {before && (
            <button
              type="button"
              class="button stop-wide"
              disabled={work.isWaiting}
              onClick={() => void merge(before.stop, before.stop.id)}
            >
              {t.stop.mergeBefore(time(before.start))}
            </button>
          )}
          {after && (
            <button
              type="button"
              class="button stop-wide"
              disabled={work.isWaiting}
              onClick={() => void merge(after.stop, stop.id)}
            >
              {t.stop.mergeAfter(time(after.start))}
            </button>
          )}
        </>
      )}
      {shift && (
        <p>
          <a
            href={hrefWith({
              ...{ tab: "shift", machineId: stop.machine.id, shiftStart: Date.parse(shift.startTime) },
              bar: kind === "stopped" ? "stops" : kind,
            })}
          >
            {t.stop.explain}
          </a>
        </p>
      )}
      <StopHistory stop={stop} changes={changes} causes={causes} />
    </>
  );
}

function Title({ stop, kind, shiftName }: { stop: Stop; kind: ReturnType<typeof kindOfStop>; shiftName: string | undefined }) {
  const { time, number } = formats();
  const minutes = number(stop.durationInMinutes, 1);
  const about = [
    stop.machine.name,
    shiftName,
    stop.isProgrammed ? t.stop.planned : null,
    stop.isIncludedInAvailability ? null : t.stop.outside,
    stop.isManual ? t.stop.manual : null,
  ];
  return (
    <>
      <h2 class={`stop-title kind-${kind}`}>
        <StateIcon kind={kind} />{" "}
        {stop.endTime
          ? t.stop.title(time(stop.startTime), time(stop.endTime), minutes)
          : t.stop.open(time(stop.startTime), minutes)}
      </h2>
      <p class="quiet">{about.filter(Boolean).join(" · ")}</p>
    </>
  );
}

function Split({ stop, work, ifMatch }: { stop: Stop; work: Mutation; ifMatch: string }) {
  const { setUp } = useDesk();
  const start = Date.parse(stop.startTime);
  const end = stop.endTime === null ? Date.now() : Date.parse(stop.endTime);
  // A short stop may have no whole minute in it.
  const digits = end - start < 5 * MINUTE_MS ? "HH:mm:ss".length : "HH:mm".length;
  const time = (at: number) => wallClock(at, setUp.timezone).slice(11, 11 + digits);
  const [clock, setClock] = useState(time((start + end) / 2));
  const [fault, setFault] = useState<string | null>(null);
  function split(): void {
    const typed = clockFrom(clock);
    const at = typed === null ? null : instantAt(typed, { start, end }, setUp.timezone);
    setFault(typed === null ? t.stop.splitWrong : at === null ? t.stop.splitOutside : null);
    if (at === null) return;
    void work.run(async () => {
      const body = { at: iso(at) };
      await api("post", "/v1/stops/{id}/split", { path: { id: stop.id }, body, ifMatch, idempotencyKey: work.key });
    });
  }
  return (
    <form
      class="stop-split"
      onSubmit={(event) => {
        event.preventDefault();
        split();
      }}
    >
      <label class="field">
        <span>{t.stop.splitAt}</span>
        <input
          type="text"
          autocomplete="off"
          required
          value={clock}
          title={t.stop.splitHint(time(start), time(end))}
          onInput={({ currentTarget }) => setClock(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button" disabled={work.isWaiting}>
        {t.stop.split}
      </button>
      <Refused reason={fault} />
    </form>
  );
}

/** The shift of a stop, as the day knows it. */
function shiftOf(days: readonly MachineDay[], stopId: number) {
  for (const { stretches } of days) {
    const found = stretches.find(({ stop }) => stop?.id === stopId);
    if (found) return found.shift;
  }
  return null;
}
