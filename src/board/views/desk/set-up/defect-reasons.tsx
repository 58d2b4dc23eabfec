import { useState } from "preact/hooks";
import { companyQuery } from "../../../app/session.ts";
import { type ApiSchema, api } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import { usePaged } from "../../../data/paged.ts";
import { firstOf } from "../../../data/pages.ts";
import { ConfirmForm } from "../../../form/confirm-form.tsx";
import { Form, useForm } from "../../../form/form.tsx";
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
  const form = useForm({
    fields: { name: { kind: "text", label: t.name, maxLength: 200 } },
    initial: { name: "" },
    body: ({ name }, refuse) => {
      if (name.trim() === "") refuse("name", setUp.faults.required);
      return { ...companyQuery(), name: name.trim() };
    },
    send: (body, idempotencyKey) => api("post", "/v1/defect-reasons", { body, idempotencyKey }),
    isRepeated: true,
  });
  return <Form form={form} label={t.add} send={t.add} sending={t.adding} isFocused={false} />;
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
