import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { companyQuery } from "../../../app/session.ts";
import { send } from "../../../data/api.ts";
import { may, type Permission } from "../../../data/may.ts";
import { usePaged } from "../../../data/paged.ts";
import { firstOf } from "../../../data/pages.ts";
import { changedOf, type Members } from "../../../domain/set-up.ts";
import { ConfirmForm } from "../../../form/confirm-form.tsx";
import { type Draft, type Fields, Form, type Refuse, useForm } from "../../../form/form.tsx";
import { resource as t } from "../../../texts/resource.ts";
import { ListCard } from "../../../ui/list-card.tsx";
import type { Column } from "../../../ui/table.tsx";

// The page of a kind of set-up whose members hold from now on: a list, a form that adds and changes, and a question before one is deleted.

/** How many rows are shown at first, and added with each press. */
const STEP = 50;

interface Row {
  id: number | string;
}

/** The form of an item: its fields, their first values, and the body of the request that they make. */
export interface ItemFields<F extends Fields = Fields> {
  fields: F;
  initial: Draft<F>;
  body(draft: Draft<F>, refuse: Refuse<F>): Members;
}

/** Declares the form of an item, with the types of its fields. */
export function itemFields<F extends Fields>(one: ItemFields<F>): ItemFields {
  return one as unknown as ItemFields;
}

/** All that a page needs to know of a kind. */
export interface ResourceKind<R extends Row> {
  /** Its list, such as `/v1/lines`: the operations of one item are below it. */
  path: string;
  title: string;
  hint: string;
  none: string;
  columns: readonly Column<R>[];
  nameOf(row: R): string;
  /** The form of an item; null: of a new one. Undefined: they are made elsewhere. */
  form?(row: R | null): ItemFields;
  /** Whether an item, once made, can be changed; default true. */
  isChangeable?: boolean;
  /** What takes the permission: whoever has it sees the forms. */
  permission: Permission;
  /** What deleting one means. Undefined: it cannot be deleted. */
  sure?(name: string): string;
  /** Shown while an item is new: what is said once, such as a token. */
  made?(answer: R & Members): ComponentChildren;
  /** More buttons of a row, and what they open. */
  tools?(row: R, open: (what: ComponentChildren) => void): ComponentChildren;
  /** More members of the list's query. */
  query?: Members;
  /** Above the list. */
  children?: ComponentChildren;
}

type Open<R> = { does: "add" } | { does: "change" | "remove"; row: R } | { does: "show"; what: ComponentChildren };

/** The page of a kind of set-up. */
export function ResourcePage<R extends Row>({ kind }: { kind: ResourceKind<R> }) {
  const { path, title, hint, none, nameOf, form, isChangeable = true, permission, sure, made, tools, query, children } = kind;
  const [open, setOpen] = useState<Open<R> | null>(null);
  const [said, say] = useState<ComponentChildren>(null);
  const list = usePaged<{ data: R[]; hasMore: boolean }>([path, query], STEP, (most) =>
    firstOf(most, (cursor) =>
      send<{ data: R[]; cursor: string | null }>("get", path, { query: { ...companyQuery(), ...query, limit: STEP, ...cursor } }),
    ),
  );
  const mayChange = may(permission);
  const show = (next: Open<R> | null) => {
    say(null);
    setOpen(next);
  };
  const done = (text: ComponentChildren) => {
    setOpen(null);
    say(text);
  };
  const toolsOf = (row: R) => (
    <>
      {tools?.(row, (what) => show({ does: "show", what }))}
      {mayChange && form && isChangeable && (
        <RowButton label={t.change} name={nameOf(row)} onPress={() => show({ does: "change", row })} />
      )}
      {mayChange && sure && <RowButton label={t.remove} name={nameOf(row)} onPress={() => show({ does: "remove", row })} />}
    </>
  );
  return (
    <ListCard
      title={title}
      hint={hint}
      list={list}
      columns={[...kind.columns, { name: t.actions, cell: toolsOf }]}
      keyOf={({ id }) => id}
      none={none}
      tool={
        mayChange &&
        form &&
        open?.does !== "add" && (
          <button type="button" class="tool" onClick={() => show({ does: "add" })}>
            {t.add}
          </button>
        )
      }
    >
      {children}
      <div role="status">{said}</div>
      {open && (
        <section class="set-up-open">
          {open.does === "add" && form && (
            <ItemEditor
              {...{ path, form }}
              row={null}
              title={t.newOne}
              onEnd={() => setOpen(null)}
              onDone={(answer) => done(made ? made(answer as R & Members) : t.added)}
            />
          )}
          {open.does === "change" && form && (
            <ItemEditor
              key={open.row.id}
              {...{ path, form }}
              row={open.row}
              title={nameOf(open.row)}
              onEnd={() => setOpen(null)}
              onDone={() => done(t.changed)}
            />
          )}
          {open.does === "remove" && sure && (
            <ConfirmForm
              key={open.row.id}
              question={sure(nameOf(open.row))}
              label={t.remove}
              cancel={t.cancel}
              act={(idempotencyKey) => send("delete", `${path}/{id}`, { path: { id: open.row.id }, idempotencyKey })}
              onEnd={() => setOpen(null)}
            />
          )}
          {open.does === "show" && (
            <>
              {open.what}
              <p class="form-buttons">
                <button type="button" class="button" onClick={() => setOpen(null)}>
                  {t.close}
                </button>
              </p>
            </>
          )}
        </section>
      )}
    </ListCard>
  );
}

/** A button of a row, whose accessible name says which row. */
function RowButton({ label, name, onPress }: { label: string; name: string; onPress(): void }) {
  return (
    <>
      <button type="button" class="tool" aria-label={t.of(label, name)} onClick={onPress}>
        {label}
      </button>{" "}
    </>
  );
}

interface EditorProps<R> {
  path: string;
  row: R | null;
  title: string;
  form(row: R | null): ItemFields;
  onEnd(): void;
  onDone(answer: unknown): void;
}

/** The form of one item. Only what was changed is sent. */
function ItemEditor<R extends Row>({ path, row, title, form, onEnd, onDone }: EditorProps<R>) {
  const [{ fields, initial, body }] = useState(() => form(row));
  const [answer] = useState<{ value?: unknown }>({});
  const state = useForm({
    fields,
    initial,
    body: (draft, refuse) => {
      const sent = body(draft, refuse);
      if (row === null) return { ...companyQuery(), ...sent };
      const changes = changedOf(
        body(initial, () => undefined),
        sent,
      );
      if (Object.keys(changes).length === 0) refuse("", t.same);
      return changes;
    },
    send: async (sent, idempotencyKey) => {
      const request = { body: sent, idempotencyKey };
      answer.value =
        row === null
          ? await send("post", path, request)
          : await send("patch", `${path}/{id}`, { ...request, path: { id: row.id }, query: companyQuery() });
    },
    onSent: () => onDone(answer.value),
  });
  return (
    <Form
      form={state}
      label={title}
      intro={<h3>{title}</h3>}
      send={row === null ? t.add : t.save}
      sending={t.saving}
      cancel={{ label: t.cancel, onCancel: onEnd }}
    />
  );
}
