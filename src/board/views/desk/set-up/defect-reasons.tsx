import { useState } from "preact/hooks";
import { companyQuery } from "../../../app/session.ts";
import { type ApiSchema, api } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import { usePaged } from "../../../data/paged.ts";
import { firstOf } from "../../../data/pages.ts";
import { ConfirmForm } from "../../../form/confirm-form.tsx";
import { FormEnd } from "../../../form/form-end.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { setUp } from "../../../texts/set-up.ts";
import { ListCard } from "../../../ui/list-card.tsx";
import type { Column } from "../../../ui/table.tsx";
import { EditableCell } from "../editable-cell.tsx";

const t = setUp.reasons;
type Reason = ApiSchema<"DefectReason">;

/** How many rows are shown at first, and added with each press. */
const STEP = 20;

/** The reasons why units are rejected. Admins add, rename and delete them. */
export function DefectReasons() {
  const [removing, remove] = useState<number | null>(null);
  const list = usePaged(["/v1/defect-reasons"], STEP, (most) =>
    firstOf(most, (cursor) => api("get", "/v1/defect-reasons", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
  );
  const mayChange = may("set-up:write");
  const columns: Column<Reason>[] = [
    { name: t.columns.name, cell: (one) => (mayChange ? <Name reason={one} /> : one.name), sortBy: ({ name }) => name },
    {
      name: t.columns.actions,
      cell: (one) =>
        removing === one.id ? (
          <Remove reason={one} onEnd={() => remove(null)} />
        ) : (
          mayChange && (
            <button type="button" class="tool" aria-label={t.of(t.remove, one.name)} onClick={() => remove(one.id)}>
              {t.remove}
            </button>
          )
        ),
    },
  ];
  return (
    <ListCard title={t.title} hint={t.hint} list={list} columns={columns} keyOf={({ id }) => id} none={t.none}>
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

function Name({ reason: { id, name } }: { reason: Reason }) {
  return (
    <EditableCell
      value={name}
      member="name"
      maxLength={200}
      texts={{ edit: t.of(t.rename, name), field: t.newName, save: t.save, cancel: t.cancel }}
      change={(typed, idempotencyKey) =>
        api("patch", "/v1/defect-reasons/{id}", { path: { id }, body: { name: typed }, idempotencyKey })
      }
    />
  );
}

interface RemoveProps {
  reason: Reason;
  onEnd(): void;
}

function Remove({ reason: { id, name }, onEnd }: RemoveProps) {
  return (
    <ConfirmForm
      question={t.sure(name)}
      label={t.remove}
      cancel={t.cancel}
      act={(idempotencyKey) => api("delete", "/v1/defect-reasons/{id}", { path: { id }, idempotencyKey })}
      onEnd={onEnd}
    />
  );
}
