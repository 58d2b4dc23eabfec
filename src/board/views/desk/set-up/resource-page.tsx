import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { companyQuery } from "../../../app/session.ts";
import { send } from "../../../data/api.ts";
import { may, type Permission } from "../../../data/may.ts";
import { usePaged } from "../../../data/paged.ts";
import { firstOf } from "../../../data/pages.ts";
import { changedOf, type Members } from "../../../domain/set-up.ts";
import { type ChangedField, ChangedMeanwhile } from "../../../form/changed-meanwhile.tsx";
import { ConfirmForm } from "../../../form/confirm-form.tsx";
import type { Field } from "../../../form/fields.tsx";
import { type Draft, type Fields, Form, type Refuse, useForm } from "../../../form/form.tsx";
import { Refused } from "../../../form/form-end.tsx";
import { isChangedMeanwhile, useTrial } from "../../../form/use-mutation.ts";
import { resource as t } from "../../../texts/resource.ts";
import { setUp } from "../../../texts/set-up.ts";
import { ListCard } from "../../../ui/list-card.tsx";
import type { Column } from "../../../ui/table.tsx";

// The page of a kind of set-up whose members hold from now on: a list, a form that adds and changes, and a question before one is deleted.

/** How many rows are shown at first, and added with each press. */
const STEP = 50;

interface Row {
  id: number | string;
  /** When it was changed last: its ETag. Personas have none. */
  updatedAt?: string;
}

/** The header with which a change is refused if somebody else was faster. */
function ifUnchanged({ updatedAt }: Row): { ifMatch?: string } {
  return updatedAt === undefined ? {} : { ifMatch: `"${updatedAt}"` };
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

interface ResourceTexts {
  title: string;
  hint: string;
  none: string;
  /** What deleting one means. Undefined: it cannot be deleted. */
  sure?(name: string): string;
}

/** A column of texts, by which the rows can be put in order. */
export function textColumn<R>(name: string, textOf: (row: R) => string): Column<R> {
  return { name, cell: textOf, sortBy: textOf };
}

/** A column that says whether something is so. */
export function flagColumn<R>(name: string, isSo: (row: R) => boolean): Column<R> {
  return { name, cell: (row) => (isSo(row) ? setUp.yes : setUp.no), sortBy: (row) => Number(isSo(row)) };
}

/** All that a page needs to know of a kind. */
export interface ResourceKind<R extends Row> {
  /** Its list, such as `/v1/lines`: the operations of one item are below it. */
  path: string;
  texts: ResourceTexts;
  columns: readonly Column<R>[];
  nameOf(row: R): string;
  /** The form of an item; null: of a new one. Undefined: they are made elsewhere. */
  form?(row: R | null): ItemFields;
  /** How one is made, if not by POST to the list. */
  create?: { send(body: Members, idempotencyKey: string): Promise<unknown>; isAllowed: boolean };
  /** How one is changed, if not by PATCH. */
  change?(row: R, body: Members, idempotencyKey: string): Promise<unknown>;
  /** What the form can find out before it is sent. */
  tryOut?: { label: string; trying: string; run(body: Members): Promise<ComponentChildren> };
  /** What takes the permission: whoever has it sees the forms. */
  permission: Permission;
  /** Whether a row is somebody else's, who alone may change and delete it. */
  isFixed?(row: R): boolean;
  /** Shown while an item is new: what is said once, such as a token. */
  made?(answer: R & Members): ComponentChildren;
  /** More buttons of a row, and what they open. `close` ends it. */
  tools?(row: R, open: (what: ComponentChildren, hasEnd?: boolean) => void, close: () => void): ComponentChildren;
  /** A button beside the one that adds, and what it opens. */
  tool?(open: (what: ComponentChildren) => void): ComponentChildren;
  /** Above the list. */
  children?: ComponentChildren;
}

type Open<R> =
  | { does: "add" }
  | { does: "change" | "remove"; row: R }
  | { does: "show"; what: ComponentChildren; hasEnd: boolean };

/** The page of a kind of set-up. */
export function ResourcePage<R extends Row>({ kind }: { kind: ResourceKind<R> }) {
  const { path, texts, nameOf, form, create, tryOut, permission, isFixed, made, tool, tools, children } = kind;
  const { title, hint, none, sure } = texts;
  const [open, setOpen] = useState<Open<R> | null>(null);
  const [said, say] = useState<ComponentChildren>(null);
  const list = usePaged<{ data: R[]; hasMore: boolean }>([path], STEP, (most) =>
    firstOf(most, (cursor) =>
      send<{ data: R[]; cursor: string | null }>("get", path, { query: { ...companyQuery(), limit: STEP, ...cursor } }),
    ),
  );
  const mayChange = may(permission);
  const mayChangeIt = (row: R) => mayChange && !isFixed?.(row);
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
      {tools?.(
        row,
        (what, hasEnd = false) => show({ does: "show", what, hasEnd }),
        () => setOpen(null),
      )}
      {mayChangeIt(row) && form && (
        <RowButton label={t.change} name={nameOf(row)} onPress={() => show({ does: "change", row })} />
      )}
      {mayChangeIt(row) && sure && (
        <RowButton label={t.remove} name={nameOf(row)} onPress={() => show({ does: "remove", row })} />
      )}
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
        <>
          {tool?.((what) => show({ does: "show", what, hasEnd: false }))}
          {mayChange && form && create?.isAllowed !== false && open?.does !== "add" && (
            <button type="button" class="tool" onClick={() => show({ does: "add" })}>
              {t.add}
            </button>
          )}
        </>
      }
    >
      {children}
      <div role="status">{said}</div>
      {open && (
        <section class="set-up-open">
          {open.does === "add" && form && (
            <ItemEditor
              {...{ path, form, create, tryOut }}
              row={null}
              title={t.newOne}
              onEnd={() => setOpen(null)}
              onDone={(answer) => done(made ? made(answer as R & Members) : t.added)}
            />
          )}
          {open.does === "change" && form && (
            <ItemEditor
              key={open.row.id}
              {...{ path, form, tryOut }}
              update={kind.change}
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
              act={(idempotencyKey) =>
                send("delete", `${path}/{id}`, {
                  path: { id: open.row.id },
                  query: companyQuery(),
                  idempotencyKey,
                  ...ifUnchanged(open.row),
                })
              }
              onEnd={() => setOpen(null)}
            />
          )}
          {open.does === "show" && (
            <>
              {open.what}
              {!open.hasEnd && (
                <p class="form-buttons">
                  <button type="button" class="button" onClick={() => setOpen(null)}>
                    {t.close}
                  </button>
                </p>
              )}
            </>
          )}
        </section>
      )}
    </ListCard>
  );
}

/** A button of a row, whose accessible name says which row. */
export function RowButton({ label, name, onPress }: { label: string; name: string; onPress(): void }) {
  return (
    <>
      <button type="button" class="tool" aria-label={t.of(label, name)} onClick={onPress}>
        {label}
      </button>{" "}
    </>
  );
}

interface EditorProps<R extends Row> {
  path: string;
  create?: ResourceKind<R>["create"] | undefined;
  update?: ResourceKind<R>["change"] | undefined;
  tryOut?: ResourceKind<R>["tryOut"] | undefined;
  /** Null: it makes a new one. */
  row: R | null;
  title: string;
  form(row: R | null): ItemFields;
  onEnd(): void;
  onDone(answer: unknown): void;
}

/** The form of one item. Only what was changed is sent, and only if nobody else has changed the item since. */
export function ItemEditor<R extends Row>({ path, create, update, tryOut, row, title, form, onEnd, onDone }: EditorProps<R>) {
  // What the person changes: as they see it, until they are told that somebody else has changed it.
  const [base, setBase] = useState(row);
  const [{ fields, initial }] = useState(() => form(row));
  // A body may have parts of the item as it is now, which no field shows.
  const { body, initial: stored } = form(base);
  const [others, setOthers] = useState<readonly ChangedField[] | null>(null);
  const answer = useRef<unknown>(null);
  const state = useForm({
    fields,
    initial,
    body: (draft, refuse) => {
      const sent = body(draft, refuse);
      if (base === null) return { ...companyQuery(), ...sent };
      const changes = changedOf(
        body(stored, () => undefined),
        sent,
      );
      if (Object.keys(changes).length === 0) refuse("", t.same);
      return changes;
    },
    send: async (sent, idempotencyKey) => {
      const request = { body: sent, idempotencyKey };
      if (base === null) answer.current = await (create?.send(sent, idempotencyKey) ?? send("post", path, request));
      else if (update) answer.current = await update(base, sent, idempotencyKey);
      else await change(base, request);
    },
    onSent: () => onDone(answer.current),
  });
  async function change(from: R, request: { body: Members; idempotencyKey: string }): Promise<void> {
    const place = { path: { id: from.id }, query: companyQuery() };
    try {
      answer.current = await send("patch", `${path}/{id}`, { ...place, ...request, ...ifUnchanged(from) });
    } catch (error) {
      if (isChangedMeanwhile(error)) goOnFrom(from, await send<R>("get", `${path}/{id}`, place));
      throw error;
    }
  }
  /** Shows what somebody else has changed, and goes on from there. What this person typed stays. */
  function goOnFrom(from: R, now: R): void {
    const [before, after] = [form(from).initial, form(now).initial];
    const changed = state.goOnFrom(before, after);
    const text = (name: string, value: unknown) => textOf(fields[name] as Field, value);
    setOthers(
      changed.map((name) => ({
        label: fields[name]?.label ?? name,
        before: text(name, before[name]),
        now: text(name, after[name]),
      })),
    );
    setBase(now);
  }
  return (
    <Form
      form={state}
      label={title}
      intro={
        <>
          <h3>{title}</h3>
          <ChangedMeanwhile fields={others} />
        </>
      }
      send={row === null ? t.add : t.save}
      sending={t.saving}
      cancel={{ label: t.cancel, onCancel: onEnd }}
    >
      {tryOut && <TryOut key={JSON.stringify(state.draft)} {...tryOut} bodyOf={() => body(state.draft, () => undefined)} />}
    </Form>
  );
}

/** The value of a field in words. */
function textOf(field: Field, value: unknown): string {
  if (field.kind === "flag") return value === true ? setUp.yes : setUp.no;
  if (field.kind !== "choice" && field.kind !== "several") return String(value);
  const chosen = field.kind === "several" ? (value as readonly string[]) : [value];
  return (
    chosen.map((one) => field.options.find((option) => option.value === one)?.label ?? String(one)).join(", ") || setUp.nothing
  );
}

/** Finds out what the form would do, before it is sent. */
function TryOut({ label, trying, run, bodyOf }: NonNullable<ResourceKind<Row>["tryOut"]> & { bodyOf(): Members }) {
  const work = useTrial();
  const [found, setFound] = useState<ComponentChildren>(null);
  return (
    <>
      <Refused reason={work.reason} />
      <p>
        <button
          type="button"
          class="tool"
          disabled={work.isWaiting}
          onClick={() => void work.run(async () => setFound(await run(bodyOf())))}
        >
          {work.isWaiting ? trying : label}
        </button>
      </p>
      {found}
    </>
  );
}
