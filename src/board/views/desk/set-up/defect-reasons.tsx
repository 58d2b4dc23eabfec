import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiSchema, api } from "../../../api.ts";
import { firstOf } from "../../../pages.ts";
import { companyQuery, user } from "../../../session.ts";
import { setUp } from "../../../texts/set-up.ts";
import { useLoaded } from "../../../use-loaded.ts";
import { Body } from "../card.tsx";
import { More } from "../more.tsx";
import { mayAdmin } from "../plant-data.ts";
import { Table } from "../table.tsx";
import { useMutation } from "../use-mutation.ts";

const t = setUp.reasons;
type Reason = ApiSchema<"DefectReason">;

/** The table shows so many at first, and as many more with each press. */
const STEP = 20;

/** The reasons for which units are rejected: admins add, rename and delete them. */
export function DefectReasons() {
  const [most, setMost] = useState(STEP);
  const [open, setOpen] = useState<{ id: number; does: "rename" | "remove" } | null>(null);
  const loaded = useLoaded(String(most), () =>
    firstOf(most, (cursor) => api("get", "/v1/defect-reasons", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
  );
  const { data = [], hasMore = false } = loaded.data ?? {};
  const isAdmin = mayAdmin(user.value?.role);
  const changed = async () => {
    setOpen(null);
    await loaded.reload();
  };
  const rows = data.map((one) => ({
    key: one.id,
    cells: [
      one.name,
      open?.id === one.id ? (
        open.does === "rename" ? (
          <Rename reason={one} onChanged={changed} onCancel={() => setOpen(null)} />
        ) : (
          <Remove reason={one} onChanged={changed} onCancel={() => setOpen(null)} />
        )
      ) : (
        isAdmin &&
        (["rename", "remove"] as const).map((does) => (
          <button
            key={does}
            type="button"
            class="tool"
            aria-label={t.of(t[does], one.name)}
            onClick={() => setOpen({ id: one.id, does })}
          >
            {t[does]}
          </button>
        ))
      ),
    ],
  }));
  return (
    <section class="card" aria-label={t.title} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{t.title}</h2>
        <p class="card-sub">{t.hint}</p>
      </header>
      {isAdmin && <Add onAdded={loaded.reload} />}
      <Body loaded={loaded}>
        {rows.length === 0 ? (
          <p class="quiet">{t.none}</p>
        ) : (
          <Table caption={t.title} data={{ columns: t.columns, isStacked: true, rows }} />
        )}
        {hasMore && <More shown={data.length} onMore={() => setMost(most + STEP)} />}
      </Body>
    </section>
  );
}

function Add({ onAdded }: { onAdded(): Promise<void> }) {
  const [name, setName] = useState("");
  const work = useMutation(onAdded);
  const add = () =>
    work.run(async () => {
      await api("post", "/v1/defect-reasons", { body: { ...companyQuery(), name: name.trim() }, idempotencyKey: work.key });
      setName("");
    });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label class="field">
        <span>{t.name}</span>
        <input
          type="text"
          required
          maxLength={200}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <div role="alert">{work.reason !== null && <p class="refusal">{work.reason}</p>}</div>
      <p class="form-buttons">
        <button type="submit" class="button" disabled={work.isWaiting}>
          {work.isWaiting ? t.adding : t.add}
        </button>
      </p>
    </form>
  );
}

interface ChangeProps {
  reason: Reason;
  onChanged(): Promise<void>;
  onCancel(): void;
}

function Rename({ reason: { id, name }, onChanged, onCancel }: ChangeProps) {
  const [typed, setTyped] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  // The button that opened it is gone.
  useEffect(() => field.current?.select(), []);
  const work = useMutation(onChanged);
  const rename = () =>
    work.run(async () => {
      const body = { name: typed.trim() };
      await api("patch", "/v1/defect-reasons/{id}", { path: { id }, body, idempotencyKey: work.key });
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void rename();
      }}
    >
      <label class="field">
        <span>{t.newName}</span>
        <input
          ref={field}
          type="text"
          required
          maxLength={200}
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <Buttons work={work} label={t.save} onCancel={onCancel} />
    </form>
  );
}

function Remove({ reason: { id, name }, onChanged, onCancel }: ChangeProps) {
  const work = useMutation(onChanged);
  const remove = () =>
    work.run(async () => void (await api("delete", "/v1/defect-reasons/{id}", { path: { id }, idempotencyKey: work.key })));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void remove();
      }}
    >
      <p>{t.sure(name)}</p>
      <Buttons work={work} label={t.remove} onCancel={onCancel} />
    </form>
  );
}

interface ButtonsProps {
  work: Pick<ReturnType<typeof useMutation>, "reason" | "isWaiting">;
  label: string;
  onCancel(): void;
}

function Buttons({ work, label, onCancel }: ButtonsProps) {
  return (
    <>
      <div role="alert">{work.reason !== null && <p class="refusal">{work.reason}</p>}</div>
      <p class="form-buttons">
        <button type="submit" class="button primary" disabled={work.isWaiting}>
          {label}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          {t.cancel}
        </button>
      </p>
    </>
  );
}
