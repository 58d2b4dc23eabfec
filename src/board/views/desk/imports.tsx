import "./orphaned-edits.css";
import "./recalculations.css";
import { useRef, useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api, send as sendAny } from "../../data/api.ts";
import { usePaged } from "../../data/paged.ts";
import { allOf, firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { FormEnd, Refused } from "../../form/form-end.tsx";
import { useMutation } from "../../form/use-mutation.ts";
import { desk } from "../../texts/desk.ts";
import { past } from "../../texts/past.ts";
import { Body } from "../../ui/body.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ListCard } from "../../ui/list-card.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Part } from "./part.tsx";

const t = past.imports;
type Import = ApiSchema<"Import">;

/** How many rows are shown at first, and added with each press. */
const STEP = 10;
const PROGRESS_MS = 2000;
/** How many refused lines the service keeps. */
const MOST_ERRORS = 1000;
const going: readonly Import["state"][] = ["receiving", "waiting", "running", "undoing"];

/** The files of events that were imported, newest first: with their progress, the lines that were refused, and the undoing; and a field for another one. */
export function Imports() {
  const [openId, open] = useState<number | null>(null);
  const list = usePaged(
    ["/v1/imports"],
    STEP,
    (most) => firstOf(most, (cursor) => api("get", "/v1/imports", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
    { everyMs: (found) => (found?.data.some(({ state }) => going.includes(state)) ? PROGRESS_MS : null) },
  );
  const work = useMutation();
  const undo = (id: number) => work.run(async () => void (await api("post", "/v1/imports/{id}/undo", { path: { id } })));
  const { number, percent, dateTime } = formats();
  const names = t.columns;
  const columns: Column<Import>[] = [
    {
      name: names.file,
      cell: ({ id, format, createdBy, createdAt }) =>
        `${t.named(id, format)}: ${[createdBy?.name, dateTime(createdAt)].filter(Boolean).join(", ")}`,
      sortBy: ({ id }) => id,
    },
    {
      name: names.state,
      cell: ({ state, progress, reason }) =>
        [t.states[state], state === "running" && percent(100 * progress), reason].filter(Boolean).join(", "),
      sortBy: ({ state }) => t.states[state],
    },
    {
      name: names.lines,
      cell: ({ accepted, duplicates, failed }) => t.counts(number(accepted), number(duplicates), number(failed)),
      sortBy: ({ accepted }) => accepted,
    },
    {
      name: names.actions,
      cell: ({ id, failed, state }) => (
        <>
          {failed > 0 && (
            <button type="button" class="tool" onClick={() => open(id)}>
              {t.showErrors}
            </button>
          )}
          {state !== "undoing" && state !== "undone" && (
            <button type="button" class="tool" disabled={work.isWaiting} onClick={() => void undo(id)}>
              {t.undo}
            </button>
          )}
        </>
      ),
    },
  ];
  return (
    <>
      <ListCard title={t.title} hint={t.hint} list={list} columns={columns} keyOf={({ id }) => id} none={t.none}>
        <Upload />
        <Refused reason={work.reason} />
      </ListCard>
      {openId !== null && (
        <Part>
          <Errors key={openId} id={openId} onClose={() => open(null)} />
        </Part>
      )}
    </>
  );
}

function Upload() {
  const field = useRef<HTMLInputElement>(null);
  const work = useMutation();
  const send = (file: File) =>
    work.run(async () => {
      const type = /\.csv$/i.test(file.name) ? "text/csv" : "application/x-ndjson";
      await sendAny("post", "/v1/imports", {
        body: file,
        headers: { "content-type": type },
        query: companyQuery(),
        withinMs: null,
      });
      if (field.current) field.current.value = "";
    });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const file = field.current?.files?.[0];
        if (file) void send(file);
      }}
    >
      <label class="field">
        <span>{t.file}</span>
        <input ref={field} type="file" required accept=".ndjson,.jsonl,.csv" />
      </label>
      <FormEnd reason={work.reason} label={work.isWaiting ? t.sending : t.send} isDisabled={work.isWaiting} />
    </form>
  );
}

/** The lines of a file that were refused, and why. */
function Errors({ id, onClose }: { id: number; onClose(): void }) {
  const loaded = useRead(["/v1/imports/{id}/errors", id], () =>
    allOf((cursor) => api("get", "/v1/imports/{id}/errors", { path: { id }, query: { limit: 500, ...cursor } })),
  );
  const rows = loaded.data ?? [];
  const names = t.errorColumns;
  return (
    <section class="card" aria-label={t.errors(id)} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{t.errors(id)}</h2>
        <p class="card-tools">
          <button type="button" class="tool" aria-label={desk.stop.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </p>
      </header>
      <Body loaded={loaded}>
        <Table
          caption={t.errors(id)}
          data={{
            columns: [
              { name: names.line, cell: ({ line }) => formats().number(line), sortBy: ({ line }) => line },
              { name: names.member, cell: ({ member }) => member ?? "–", sortBy: ({ member }) => member },
              { name: names.why, cell: ({ message }) => message, sortBy: ({ message }) => message },
            ],
            rows,
            keyOf: ({ offset }) => offset,
            isPartial: rows.length >= MOST_ERRORS,
          }}
        />
        {rows.length >= MOST_ERRORS && <p class="quiet">{t.first}</p>}
      </Body>
    </section>
  );
}
