import "./imports.css";
import { useRef, useState } from "preact/hooks";
import { locale } from "../../../../app/language.ts";
import { companyQuery } from "../../../../app/session.ts";
import { type ApiSchema, api, send } from "../../../../data/api.ts";
import { may } from "../../../../data/may.ts";
import { formats } from "../../../../data/plant.ts";
import {
  type ImportKind,
  importMembers,
  linesText,
  MOST_BYTES,
  templateOf,
  withColumn,
} from "../../../../domain/set-up-imports.ts";
import { MINUTE_MS } from "../../../../domain/time.ts";
import { FieldInput } from "../../../../form/fields.tsx";
import { Refused } from "../../../../form/form-end.tsx";
import { useMutation, useTrial } from "../../../../form/use-mutation.ts";
import { setUpImports as t } from "../../../../texts/set-up-imports.ts";
import { saveFile } from "../../../../ui/save-file.ts";
import { type Column, Table } from "../../../../ui/table.tsx";
import { EarlierImports } from "./earlier-imports.tsx";

type Report = ApiSchema<"SetUpImportReport">;
type Read = Report["file"];

const PATH = "/v1/setup/imports";
/** The service reads and compares 10,000 rows. */
const WITHIN_MS = MINUTE_MS;
/** How many changes are shown. */
const SAMPLES = 6;

/** How a file is to be read, as far as the person has chosen it; the rest is recognised. */
interface Chosen {
  encoding?: string;
  delimiter?: string;
  decimal?: string;
  header?: boolean;
  columns?: string;
}

interface Picked {
  blob: Blob;
  name: string;
}

interface Ask {
  kind: ImportKind;
  picked: Picked;
  chosen: Chosen;
}

/** Sends a file. */
function sendFile<T>({ kind, picked, chosen }: Ask, query: object, more: object = {}): Promise<T> {
  return send<T>("post", PATH, {
    query: { ...companyQuery(), kind, ...chosen, ...query },
    ...{ body: picked.blob, headers: { "content-type": "text/csv" }, withinMs: WITHIN_MS },
    ...more,
  });
}

/** The way of a file of a spreadsheet into the set-up: what is read of it, what its columns are, what it would change, and doing and undoing that. */
export function Imports() {
  if (may("set-up:write"))
    return (
      <>
        <Way />
        <EarlierImports />
      </>
    );
  return (
    <section class="card" aria-label={t.title}>
      <h2>{t.title}</h2>
      <p class="quiet">{t.notAllowed}</p>
    </section>
  );
}

function Way() {
  const [kind, setKind] = useState<ImportKind>("skus");
  const [picked, setPicked] = useState<Picked | null>(null);
  const [chosen, setChosen] = useState<Chosen>({});
  const [report, setReport] = useState<Report | null>(null);
  const [stored, setStored] = useState<Report | null>(null);
  const trial = useTrial();
  const asked = useRef(0);
  const check = (next: Ask) => {
    const number = ++asked.current;
    setStored(null);
    trial.forget();
    void trial.run(async () => {
      const found = await sendFile<Report>(next, { dryRun: true });
      // The answer to an earlier question may come later.
      if (number === asked.current) setReport(found);
    });
  };
  const pick = (next: Picked | null) => {
    setPicked(next);
    setChosen({});
    setReport(null);
    setStored(null);
    asked.current++;
    trial.forget();
    if (next) check({ kind, picked: next, chosen: {} });
  };
  const choose = (changes: Chosen) => {
    if (!picked) return;
    const next = { ...chosen, ...changes };
    setChosen(next);
    check({ kind, picked, chosen: next });
  };
  const chooseKind = (next: ImportKind) => {
    const { columns: _, ...others } = chosen;
    setKind(next);
    setChosen(others);
    setReport(null);
    if (picked) check({ kind: next, picked, chosen: others });
  };
  return (
    <section class="card" aria-label={t.title} aria-busy={trial.isWaiting}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{t.hint}</p>
      </header>
      <FileStep kind={kind} onKind={chooseKind} onPick={pick} />
      <div role="status">{trial.isWaiting && <p class="quiet">{t.checking}</p>}</div>
      <Refused reason={trial.reason} />
      {picked && report && (
        <>
          <ReadingStep name={picked.name} file={report.file} chosen={chosen} onChoose={choose} />
          <ColumnsStep {...{ kind, chosen }} file={report.file} onChoose={(columns) => choose({ columns: columns.join(",") })} />
          <CheckStep ask={{ kind, picked, chosen }} report={report} />
          <StoreStep
            key={asked.current}
            {...{ report, stored, isChecking: trial.isWaiting }}
            ask={{ kind, picked, chosen }}
            onStored={setStored}
            onAnother={() => pick(null)}
          />
        </>
      )}
    </section>
  );
}

interface FileStepProps {
  kind: ImportKind;
  onKind(kind: ImportKind): void;
  onPick(picked: Picked): void;
}

function FileStep({ kind, onKind, onPick }: FileStepProps) {
  const [isOver, setOver] = useState(false);
  const [pasted, setPasted] = useState("");
  const [refused, refuse] = useState<string | null>(null);
  const take = (blob: Blob, name: string) => {
    refuse(blob.size > MOST_BYTES ? t.tooLarge : null);
    if (blob.size <= MOST_BYTES) onPick({ blob, name });
  };
  const template = () => {
    const text = templateOf(kind, t.members, t.examples[kind], locale === "es-ES" ? "," : ".");
    saveFile(new Blob([text], { type: "text/csv" }), t.templateName(kind));
  };
  return (
    <section class="import-step form" aria-label={t.steps.file}>
      <h3>{t.steps.file}</h3>
      <Choice label={t.kind} value={kind} options={kindNames()} onChoose={(one) => onKind(one as ImportKind)} />
      <p class="import-tool">
        <button type="button" class="tool" onClick={template}>
          {t.template}
        </button>
      </p>
      {/* Dropping is for the pointer alone: the field in it is for all. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div
        class={isOver ? "import-drop is-over" : "import-drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const [file] = event.dataTransfer?.files ?? [];
          if (file) take(file, file.name);
        }}
      >
        <label class="field">
          <span>{t.choose}</span>
          <input
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              if (file) take(file, file.name);
              // The same file can be chosen again after it was mended.
              currentTarget.value = "";
            }}
          />
        </label>
      </div>
      <label class="field">
        <span>{t.paste}</span>
        <textarea rows={3} value={pasted} onInput={({ currentTarget }) => setPasted(currentTarget.value)} />
      </label>
      {pasted.trim() !== "" && (
        <p>
          <button type="button" class="button" onClick={() => take(new Blob([pasted], { type: "text/csv" }), t.pasted)}>
            {t.usePasted}
          </button>
        </p>
      )}
      <Refused reason={refused} />
    </section>
  );
}

/** What the person may import: work orders have a permission of their own. */
function kindNames(): Partial<Record<ImportKind, string>> {
  const mayOrder = may("work-orders:write");
  return Object.fromEntries(Object.entries(t.kinds).filter(([kind]) => kind !== "work-orders" || mayOrder));
}

interface ChoiceProps {
  label: string;
  value: string;
  options: Readonly<Record<string, string>>;
  onChoose(value: string): void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const all = Object.entries(options).map(([one, name]) => ({ value: one, label: name }));
  return (
    <FieldInput
      field={{ kind: "choice", label, options: all }}
      typed={value}
      fault={null}
      onChange={(chosen) => onChoose(String(chosen))}
    />
  );
}

interface ReadingProps {
  name: string;
  file: Read;
  chosen: Chosen;
  onChoose(changes: Chosen): void;
}

function ReadingStep({ name, file, chosen, onChoose }: ReadingProps) {
  const hasHeader = chosen.header ?? true;
  return (
    <section class="import-step form" aria-label={t.steps.reading}>
      <h3>{t.steps.reading}</h3>
      <p>{t.chosen(name, formats().number(file.rows))}</p>
      <div class="field-grid">
        <Choice label={t.encoding} value={file.encoding} options={t.encodings} onChoose={(encoding) => onChoose({ encoding })} />
        <Choice
          label={t.delimiter}
          value={file.delimiter}
          options={t.delimiters}
          onChoose={(delimiter) => onChoose({ delimiter })}
        />
        <Choice label={t.decimal} value={file.decimal} options={t.decimals} onChoose={(decimal) => onChoose({ decimal })} />
      </div>
      <label class="choice">
        <input
          type="checkbox"
          checked={hasHeader}
          onChange={({ currentTarget }) => onChoose({ header: currentTarget.checked })}
        />
        {t.header}
      </label>
    </section>
  );
}

interface ColumnsProps {
  kind: ImportKind;
  file: Read;
  chosen: Chosen;
  onChoose(columns: string[]): void;
}

function ColumnsStep({ kind, file, chosen, onChoose }: ColumnsProps) {
  // What was chosen a moment ago is not in the report yet.
  const members = chosen.columns?.split(",") ?? file.columns.map(({ member }) => member);
  const rows = file.columns.map(({ header, samples }, place) => {
    return { samples, place, name: header || t.unnamed(place + 1), member: members[place] ?? "" };
  });
  const columns: Column<(typeof rows)[number]>[] = [
    { name: t.columnNames.header, cell: ({ name }) => name },
    { name: t.columnNames.samples, cell: ({ samples }) => samples.join(" · ") || "–" },
    {
      name: t.columnNames.member,
      cell: ({ place, name, member }) => (
        <select
          class="control"
          aria-label={t.memberOf(name)}
          value={member}
          onChange={({ currentTarget }) => onChoose(withColumn(members, place, currentTarget.value))}
        >
          <option value="">{t.leftOut}</option>
          {importMembers[kind].map((one) => (
            <option key={one} value={one}>
              {t.members[one]}
            </option>
          ))}
        </select>
      ),
    },
  ];
  return (
    <section class="import-step" aria-label={t.steps.columns}>
      <h3>{t.steps.columns}</h3>
      <Table caption={t.steps.columns} data={{ columns, rows, keyOf: ({ place }) => place, isStacked: true }} />
    </section>
  );
}

function CheckStep({ ask, report }: { ask: Ask; report: Report }) {
  const { number } = formats();
  const download = useTrial();
  const counts = ["created", "changed", "unchanged", "faulty"] as const;
  const save = () =>
    download.run(async () => {
      const file = await sendFile<Blob>(ask, { dryRun: true, answer: "faulty-rows" }, { as: "blob" });
      saveFile(file, t.faultyName);
    });
  return (
    <section class="import-step" aria-label={t.steps.check}>
      <h3>{t.steps.check}</h3>
      <dl class="import-counts">
        {counts.map((one) => (
          <div key={one} class={one === "faulty" && report.faulty > 0 ? "is-faulty" : undefined}>
            <dt>{t.counts[one]}</dt>
            <dd>{number(report[one])}</dd>
          </div>
        ))}
      </dl>
      {report.faulty > 0 && (
        <>
          <Faults report={report} />
          <p class="import-tool">
            <button type="button" class="tool" disabled={download.isWaiting} onClick={() => void save()}>
              {t.downloadFaulty}
            </button>
          </p>
          <Refused reason={download.reason} />
        </>
      )}
      {report.samples.length > 0 && <Samples samples={report.samples.slice(0, SAMPLES)} />}
    </section>
  );
}

type Fault = Report["faults"][number];

function Faults({ report: { faults } }: { report: Report }) {
  const { number } = formats();
  const rows = faults.map((fault, place) => ({ ...fault, place }));
  const columns: Column<Fault & { place: number }>[] = [
    {
      name: t.faultNames.column,
      cell: ({ header, member }) => header || (member !== null ? (t.members[member] ?? member) : t.wholeRow),
    },
    { name: t.faultNames.why, cell: ({ code, message }) => t.codes[code] ?? message },
    { name: t.faultNames.rows, cell: (fault) => number(fault.rows), isNumber: true },
    {
      name: t.faultNames.lines,
      cell: ({ lines, rows: count }) => {
        const ranges = lines as [number, number][];
        const named = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
        return linesText(ranges, number) + (named < count ? t.moreLines : "");
      },
    },
  ];
  return (
    <>
      <h4>{t.faults}</h4>
      <Table caption={t.faults} data={{ columns, rows, keyOf: ({ place }) => place, isStacked: true }} />
    </>
  );
}

type Sample = Report["samples"][number];

function Samples({ samples }: { samples: readonly Sample[] }) {
  const { number } = formats();
  const columns: Column<Sample>[] = [
    { name: t.sampleNames.name, cell: ({ name }) => name },
    { name: t.sampleNames.line, cell: ({ line }) => number(line), isNumber: true },
    { name: t.sampleNames.before, cell: ({ before }) => (before === null ? t.isNew : membersText(before)) },
    { name: t.sampleNames.after, cell: ({ after }) => membersText(after) },
  ];
  return (
    <>
      <h4>{t.samples}</h4>
      <Table caption={t.samples} data={{ columns, rows: samples, keyOf: ({ line }) => line, isStacked: true }} />
    </>
  );
}

/** Members in words: those of a new item that are nothing are left out. */
function membersText(members: Record<string, unknown>): string {
  const all = Object.entries(members).filter(([, value]) => value !== null && value !== "");
  if (all.length === 0) return t.none;
  return all.map(([name, value]) => `${t.members[name] ?? name}: ${valueText(value)}`).join(" · ");
}

function valueText(value: unknown): string {
  if (typeof value === "boolean") return value ? t.yes : t.no;
  return typeof value === "number" ? value.toLocaleString(locale) : String(value);
}

interface StoreProps {
  ask: Ask;
  report: Report;
  stored: Report | null;
  isChecking: boolean;
  onStored(report: Report): void;
  onAnother(): void;
}

function StoreStep({ ask, report, stored, isChecking, onStored, onAnother }: StoreProps) {
  const { number } = formats();
  const [mode, setMode] = useState<"all" | "good">("all");
  const work = useMutation();
  const rows = report.created + report.changed;
  const hasFaulty = report.faulty > 0;
  const store = () => work.run(async () => onStored(await sendFile<Report>(ask, { mode }, { idempotencyKey: work.key })));
  return (
    <section class="import-step form" aria-label={t.steps.store}>
      <h3>{t.steps.store}</h3>
      {stored === null && hasFaulty && (
        <fieldset class="choices">
          <legend>{t.mode}</legend>
          {(["all", "good"] as const).map((one) => (
            <label key={one} class="choice">
              <input type="radio" name="mode" checked={mode === one} onChange={() => setMode(one)} />
              {one === "all" ? t.modes.all : t.modes.good(number(rows))}
            </label>
          ))}
        </fieldset>
      )}
      {stored === null && rows === 0 && <p class="quiet">{t.nothing}</p>}
      <Refused reason={work.reason} />
      {stored === null ? (
        <p class="form-buttons">
          <button
            type="button"
            class="button primary"
            disabled={isChecking || work.isWaiting || rows === 0 || (hasFaulty && mode === "all")}
            onClick={() => void store()}
          >
            {work.isWaiting ? t.storing : t.store(number(rows))}
          </button>
        </p>
      ) : (
        <Stored report={stored} onAnother={onAnother} />
      )}
    </section>
  );
}

function Stored({ report: { id, created, changed }, onAnother }: { report: Report; onAnother(): void }) {
  const { number } = formats();
  const [undone, setUndone] = useState<ApiSchema<"UndoneSetUpImport"> | null>(null);
  const work = useMutation();
  const undo = () =>
    work.run(async () => {
      const path = { id: Number(id) };
      setUndone(await api("post", "/v1/setup/imports/{id}/undo", { path, idempotencyKey: work.key }));
    });
  return (
    <>
      <div role="status">
        <p>{undone ? t.undone(number(undone.deleted), number(undone.changed)) : t.stored(number(created), number(changed))}</p>
      </div>
      <Refused reason={work.reason} />
      <p class="form-buttons">
        {id !== null && !undone && (
          <button type="button" class="button" disabled={work.isWaiting} onClick={() => void undo()}>
            {work.isWaiting ? t.undoing : t.undo}
          </button>
        )}
        <button type="button" class="button" onClick={onAnother}>
          {t.another}
        </button>
      </p>
    </>
  );
}
