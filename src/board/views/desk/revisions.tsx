import "./revisions.css";
import { useEffect, useRef } from "preact/hooks";
import { type ApiSchema, api } from "../../data/api.ts";
import { usePaged } from "../../data/paged.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { type ChangedNumber, changedNumbers, differencesOf, type StopDifference, timesOfStop } from "../../domain/revisions.ts";
import { desk } from "../../texts/desk.ts";
import { past } from "../../texts/past.ts";
import { Body } from "../../ui/body.tsx";
import { Icon } from "../../ui/icon.tsx";
import { More } from "../../ui/more.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useDesk } from "./desk-state.ts";
import { loadCauses } from "./plant-data.ts";

const t = past.revisions;
type Revision = ApiSchema<"ShiftRevision">;
type NameOf = (causeId: number) => string;

/** How many entries are shown at first, and added with each press. */
const STEP = 20;

/** What changed of a shift since it was closed, newest first: when, who, why, and what was different before. */
export function Revisions({ recordId, count }: { recordId: number; count: number }) {
  const { hrefWith } = useDesk();
  const loaded = usePaged(["/v1/shift-records/{id}/revisions", recordId, count], STEP, async (most) => {
    const path = { id: recordId };
    const [revisions, causes] = await Promise.all([
      firstOf(most, (cursor) => api("get", "/v1/shift-records/{id}/revisions", { path, query: { limit: STEP, ...cursor } })),
      loadCauses(),
    ]);
    return { ...revisions, names: new Map(causes.map(({ id, name }) => [id, name])) };
  });
  const card = useRef<HTMLElement>(null);
  // On a phone the card is far below the mark that opened it.
  useEffect(() => {
    card.current?.focus({ preventScroll: true });
    card.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const { rows, hasMore } = loaded;
  const nameOf = (id: number) => loaded.data?.names.get(id) ?? String(id);
  return (
    <section ref={card} class="card revisions" aria-label={t.title} aria-busy={loaded.isStale} tabIndex={-1}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-tools">
          <a class="tool" href={hrefWith({ showsRevisions: false })} aria-label={desk.stop.close}>
            <Icon name="close" />
          </a>
        </p>
      </header>
      <Body loaded={loaded}>
        {rows.length === 0 && <p class="quiet">{t.none}</p>}
        <ol>
          {rows.map((one) => (
            <li key={one.number}>
              <OneRevision revision={one} nameOf={nameOf} />
            </li>
          ))}
        </ol>
        {hasMore && <More shown={rows.length} onMore={loaded.more} />}
      </Body>
    </section>
  );
}

const memberNames = Object.keys(t.members) as (keyof typeof t.members)[];

function OneRevision({ revision, nameOf }: { revision: Revision; nameOf: NameOf }) {
  const { recordedAt, reasons, user, apiTokenId, before, after, stops, stopCount } = revision;
  const numbers = changedNumbers(memberNames, before, after);
  const when = formats().dateTime(recordedAt);
  return (
    <>
      <p>
        <strong>{reasons.map((reason) => t.reasons[reason] ?? reason).join(". ")}</strong>
      </p>
      <p class="quiet">
        {user ? (user.name ?? t.someone) : t.nobody}
        {apiTokenId !== null && ` ${desk.stop.byProgram}`}, {when}
      </p>
      {numbers.length > 0 && <Table caption={when} data={{ columns, rows: numbers, keyOf: ({ name }) => name }} />}
      {stopCount > 0 && <p>{t.stops(stopCount)}:</p>}
      <ul>
        {stops.map((stop) => (
          <li key={stop.id}>
            <ChangedStop stop={stop} nameOf={nameOf} />
          </li>
        ))}
        {stopCount > stops.length && <li class="quiet">{t.moreStops(stopCount - stops.length)}</li>}
        {revision.arePartsChanged && <li class="quiet">{t.parts}</li>}
        {revision.areOperatorsChanged && <li class="quiet">{t.operators}</li>}
      </ul>
    </>
  );
}

type Changed = ChangedNumber<keyof typeof t.members>;
const textOfNumber = (value: number | null, { decimals }: Changed) => (value === null ? "–" : formats().number(value, decimals));
const columns: Column<Changed>[] = [
  { name: t.columns.what, cell: ({ name }) => t.members[name] },
  { name: t.columns.before, isNumber: true, cell: (one) => textOfNumber(one.before, one) },
  { name: t.columns.after, isNumber: true, cell: (one) => textOfNumber(one.after, one) },
];

function ChangedStop({ stop: { id, before, after }, nameOf }: { stop: Revision["stops"][number]; nameOf: NameOf }) {
  const { hrefWith } = useDesk();
  const { from, to } = timesOfStop(before, after);
  const title = t.stop(formats().time(from), clockOf(to));
  return (
    <>
      {after ? <a href={hrefWith({ tab: "day", stopId: id, window: null })}>{title}</a> : title}:{" "}
      {differencesOf(before, after)
        .map((difference) => textOf(difference, nameOf))
        .join("; ")}
    </>
  );
}

function textOf(difference: StopDifference, nameOf: NameOf): string {
  switch (difference.kind) {
    case "time":
      return t.was(formats().time(difference.from), clockOf(difference.to));
    case "cause":
      return t.cause(causesText(difference.before, nameOf), causesText(difference.after, nameOf));
    default:
      return t[difference.kind];
  }
}

function causesText(ids: readonly number[], nameOf: NameOf): string {
  return ids.length === 0 ? t.noCause : ids.map(nameOf).join(" › ");
}

function clockOf(at: string | null): string {
  return at === null ? t.going : formats().time(at);
}
