import { useEffect, useRef, useState } from "preact/hooks";
import { companyQuery } from "../../../app/session.ts";
import { type ApiSchema, api } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import { firstOf } from "../../../data/pages.ts";
import { useRead } from "../../../data/query.ts";
import { setUp } from "../../../texts/set-up.ts";
import { FormEnd } from "../form-end.tsx";
import { ListCard } from "../list-card.tsx";
import { useMutation } from "../use-mutation.ts";

const t = setUp.reasons;
type Reason = ApiSchema<"DefectReason">;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;

/** The reasons why units are rejected. Admins add, rename and delete them. */
export function DefectReasons() {
  const [most, setMost] = useState(STEP);
  const [open, setOpen] = useState<{ id: number; does: "rename" | "remove" } | null>(null);
  const loaded = useRead(["/v1/defect-reasons", most], () =>
    firstOf(most, (cursor) => api("get", "/v1/defect-reasons", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
  );
  const { data = [], hasMore = false } = loaded.data ?? {};
  const mayChange = may("set-up:write");
  const rows = data.map((one) => ({
    key: one.id,
    cells: [
      one.name,
      open?.id === one.id ? (
        open.does === "rename" ? (
          <Rename reason={one} onEnd={() => setOpen(null)} />
        ) : (
          <Remove reason={one} onEnd={() => setOpen(null)} />
        )
      ) : (
        mayChange &&
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
    <ListCard
      title={t.title}
      hint={t.hint}
      loaded={loaded}
      table={{ columns: t.columns, isStacked: true, rows }}
      none={<p class="quiet">{t.none}</p>}
      onMore={hasMore ? () => setMost(most + STEP) : null}
    >
      {mayChange && <Add />}
    </ListCard>
  );
}

function Add() {
  const [name, setName] = useState("");
  const work = useMutation();
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
      <FormEnd reason={work.reason} label={work.isWaiting ? t.adding : t.add} isDisabled={work.isWaiting} />
    </form>
  );
}

interface ChangeProps {
  reason: Reason;
  onEnd(): void;
}

function Rename({ reason: { id, name }, onEnd }: ChangeProps) {
  const [typed, setTyped] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  // The button that opened it is gone.
  useEffect(() => field.current?.select(), []);
  const work = useMutation(onEnd);
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
      <FormEnd reason={work.reason} label={t.save} isDisabled={work.isWaiting} cancel={{ label: t.cancel, onCancel: onEnd }} />
    </form>
  );
}

function Remove({ reason: { id, name }, onEnd }: ChangeProps) {
  const work = useMutation(onEnd);
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
      <FormEnd reason={work.reason} label={t.remove} isDisabled={work.isWaiting} cancel={{ label: t.cancel, onCancel: onEnd }} />
    </form>
  );
}
