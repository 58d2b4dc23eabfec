import { useState } from "preact/hooks";
import { companyQuery } from "../../../../app/session.ts";
import { type ApiSchema, send } from "../../../../data/api.ts";
import { may } from "../../../../data/may.ts";
import { FormEnd, Refused } from "../../../../form/form-end.tsx";
import { useMutation, useTrial } from "../../../../form/use-mutation.ts";
import { plantFile as t } from "../../../../texts/plant-file.ts";
import { setUp } from "../../../../texts/set-up.ts";
import { saveFile } from "../../../../ui/save-file.ts";
import { PlainTable } from "../../../../ui/table.tsx";
import { useUnsaved } from "../../../../ui/use-unsaved.ts";

type Changes = ApiSchema<"PlantChanges">;

/** The most that the service takes. */
const MOST_BYTES = 1024 * 1024;
/** How many changes of a trial are listed. */
const MOST_CHANGES = 100;
const formats = { yaml: "application/yaml", json: "application/json" } as const;
type Format = keyof typeof formats;

/** The whole set-up as a file: to keep it, to copy it, or to move it. */
export function PlantFile() {
  const work = useTrial();
  const save = (format: Format) =>
    work.run(async () => {
      const file = await send<Blob>("get", "/v1/plant", {
        query: { ...companyQuery(), format },
        headers: { accept: formats[format] },
        as: "blob",
      });
      saveFile(file, `plant.${format}`);
    });
  return (
    <section class="card" aria-label={t.title}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{t.hint}</p>
      </header>
      <Refused reason={work.reason} />
      <p class="form-buttons">
        {(Object.keys(formats) as Format[]).map((format) => (
          <button key={format} type="button" class="button" disabled={work.isWaiting} onClick={() => void save(format)}>
            {t.save[format]}
          </button>
        ))}
      </p>
      {may("set-up:write") && <PutFile />}
    </section>
  );
}

/** Makes the set-up what a file says, after what that would change was shown. */
function PutFile() {
  const [text, setText] = useState("");
  const [isPruned, prune] = useState(false);
  const [tried, setTried] = useState<Changes | null>(null);
  const [isDone, setDone] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const trying = useTrial();
  const putting = useMutation(() => {
    setText("");
    setTried(null);
    setDone(true);
  });
  useUnsaved(text !== "" && !putting.isWaiting);
  const put = (dryRun: boolean, idempotencyKey?: string) =>
    send<Changes>("put", "/v1/plant", {
      query: { ...companyQuery(), dryRun, prune: isPruned },
      body: new Blob([text]),
      headers: { "content-type": text.trimStart().startsWith("{") ? formats.json : formats.yaml },
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      withinMs: null,
    });
  const change = (next: string) => {
    setText(next);
    forget();
  };
  const forget = () => {
    setTried(null);
    setDone(false);
    setFault(null);
    trying.forget();
    putting.forget();
  };
  const read = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MOST_BYTES) setFault(t.tooLarge);
    else change(await file.text());
  };
  const isChanging = tried !== null && tried.created.length + tried.changed.length + tried.deleted.length > 0;
  return (
    <form
      class="form set-up-form"
      aria-label={t.put}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "") setFault(setUp.faults.required);
        else if (isChanging) void putting.run(async () => void (await put(false, putting.key)));
        else void trying.run(async () => setTried(await put(true)));
      }}
    >
      <h3>{t.put}</h3>
      <p class="quiet">{t.putHint}</p>
      <label class="field">
        <span>{t.file}</span>
        <input type="file" accept=".yaml,.yml,.json" onChange={({ currentTarget }) => void read(currentTarget.files?.[0])} />
      </label>
      <label class="field">
        <span>{t.text}</span>
        <textarea
          class="file-text"
          rows={12}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={isPruned}
          onChange={({ currentTarget }) => {
            prune(currentTarget.checked);
            forget();
          }}
        />
        {t.prune}
      </label>
      {tried && <Tried tried={tried} />}
      <p role="status">{isDone && t.done}</p>
      <FormEnd
        reason={fault ?? trying.reason ?? putting.reason}
        label={putting.isWaiting ? t.putting : trying.isWaiting ? setUp.previewing : isChanging ? t.apply : setUp.preview}
        isDisabled={trying.isWaiting || putting.isWaiting}
        isPrimary
      />
    </form>
  );
}

/** What a file would change. */
function Tried({ tried: { created, changed, deleted, unchanged } }: { tried: Changes }) {
  const rows = [
    ...created.map((one) => ({ ...one, does: t.created, members: [] as string[] })),
    ...changed.map((one) => ({ ...one, does: t.changed, members: Object.keys(one.after) })),
    ...deleted.map((one) => ({ ...one, does: t.deleted, members: [] as string[] })),
  ];
  return (
    <>
      <p role="status">{t.sum(created.length, changed.length, deleted.length, unchanged)}</p>
      {rows.length > 0 && (
        <PlainTable
          caption={t.wouldChange}
          data={{
            columns: [
              { name: t.kind, cell: ({ kind }) => t.kinds[kind] },
              { name: t.key, cell: ({ key }) => keyText(key) },
              { name: t.does, cell: ({ does }) => does },
              { name: t.members, cell: ({ members }) => members.map((name) => setUp.fields[name] ?? name).join(", ") },
            ],
            rows: rows.slice(0, MOST_CHANGES),
            keyOf: ({ kind, key }) => `${kind} ${JSON.stringify(key)}`,
          }}
        />
      )}
      {rows.length > MOST_CHANGES && <p class="quiet">{t.more(rows.length - MOST_CHANGES)}</p>}
    </>
  );
}

function keyText(key: Readonly<Record<string, unknown>>): string {
  return Object.values(key)
    .flat()
    .filter((value) => value !== null)
    .join(" › ");
}
