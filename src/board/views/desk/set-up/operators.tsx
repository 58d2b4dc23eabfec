import { useState } from "preact/hooks";
import { companyQuery } from "../../../app/session.ts";
import { type ApiSchema, api } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import { usePaged } from "../../../data/paged.ts";
import { firstOf } from "../../../data/pages.ts";
import { ConfirmForm } from "../../../form/confirm-form.tsx";
import { Form, useForm } from "../../../form/form.tsx";
import { FormEnd } from "../../../form/form-end.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { setUp } from "../../../texts/set-up.ts";
import { ListCard } from "../../../ui/list-card.tsx";
import type { Column } from "../../../ui/table.tsx";
import { EditableCell } from "../editable-cell.tsx";

const t = setUp.people;
type Operator = ApiSchema<"Operator">;

/** How many rows are shown at first, and added with each press. */
const STEP = 50;

/** What is being done to an operator in the row of the table. */
interface Doing {
  what: "pin" | "remove";
  id: number;
}

/** The people who work at the machines. Admins add, rename and delete them, and give them a PIN. */
export function Operators() {
  const [doing, start] = useState<Doing | null>(null);
  const list = usePaged(["/v1/operators"], STEP, (most) =>
    firstOf(most, (cursor) => api("get", "/v1/operators", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
  );
  const mayChange = may("set-up:write");
  // A pseudonym that is saved would become the name.
  const mayRename = mayChange && may("operator-names:read");
  const end = () => start(null);
  const columns: Column<Operator>[] = [
    {
      name: t.columns.name,
      cell: (one) => (mayRename ? <Text operator={one} member="name" /> : one.name),
      sortBy: ({ name }) => name,
    },
    {
      name: t.columns.code,
      cell: (one) => (mayRename ? <Text operator={one} member="code" /> : one.code),
      sortBy: ({ code }) => code,
    },
    { name: t.columns.pin, cell: ({ hasPin }) => (hasPin ? t.hasPin : t.noPin), sortBy: ({ hasPin }) => Number(hasPin) },
    {
      name: t.columns.actions,
      cell: (one) => {
        if (!mayChange) return null;
        if (doing?.id === one.id && doing.what === "pin") return <Pin operator={one} onEnd={end} />;
        if (doing?.id === one.id) return <Remove operator={one} onEnd={end} />;
        const pin = one.hasPin ? t.changePin : t.givePin;
        return (
          <>
            <button
              type="button"
              class="tool"
              aria-label={t.of(pin, one.name)}
              onClick={() => start({ what: "pin", id: one.id })}
            >
              {pin}
            </button>{" "}
            <button
              type="button"
              class="tool"
              aria-label={t.of(t.remove, one.name)}
              onClick={() => start({ what: "remove", id: one.id })}
            >
              {t.remove}
            </button>
          </>
        );
      },
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
    fields: { name: { kind: "text", label: t.name, maxLength: 200 }, code: { kind: "text", label: t.code, maxLength: 100 } },
    initial: { name: "", code: "" },
    body: ({ name, code }, refuse) => {
      if (name.trim() === "") refuse("name", setUp.faults.required);
      if (code.trim() === "") refuse("code", setUp.faults.required);
      return { ...companyQuery(), name: name.trim(), code: code.trim() };
    },
    send: (body, idempotencyKey) => api("post", "/v1/operators", { body, idempotencyKey }),
    isRepeated: true,
  });
  return <Form form={form} label={t.add} send={t.add} sending={t.adding} isFocused={false} />;
}

function Text({ operator, member }: { operator: Operator; member: "name" | "code" }) {
  const { id } = operator;
  const isName = member === "name";
  return (
    <EditableCell
      value={operator[member]}
      member={member}
      maxLength={isName ? 200 : 100}
      texts={{
        edit: t.of(isName ? t.rename : t.recode, operator[member]),
        field: isName ? t.newName : t.newCode,
        save: t.save,
        cancel: t.cancel,
      }}
      change={(typed, idempotencyKey) =>
        api("patch", "/v1/operators/{id}", { path: { id }, body: { [member]: typed }, idempotencyKey })
      }
    />
  );
}

interface DoingProps {
  operator: Operator;
  onEnd(): void;
}

/** Gives an operator a PIN, or takes it away. */
function Pin({ operator: { id, name, hasPin }, onEnd }: DoingProps) {
  const [pin, setPin] = useState("");
  const work = useMutation(onEnd);
  const change = (next: string | null) =>
    work.run(async () => {
      await api("patch", "/v1/operators/{id}", { path: { id }, body: { pin: next }, idempotencyKey: work.key });
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void change(pin);
      }}
    >
      <label class="field">
        <span>{t.newPin(name)}</span>
        <input
          type="text"
          inputMode="numeric"
          pattern="[0-9]{4,8}"
          title={t.pinHint}
          required
          maxLength={8}
          autocomplete="off"
          value={pin}
          onInput={({ currentTarget }) => setPin(currentTarget.value)}
        />
      </label>
      <p class="quiet">{t.pinHint}</p>
      <FormEnd reason={work.reason} label={t.save} isDisabled={work.isWaiting} cancel={{ label: t.cancel, onCancel: onEnd }} />
      {hasPin && (
        <p class="form-buttons">
          <button type="button" class="button" disabled={work.isWaiting} onClick={() => void change(null)}>
            {t.takePin}
          </button>
        </p>
      )}
    </form>
  );
}

function Remove({ operator: { id, name }, onEnd }: DoingProps) {
  return (
    <ConfirmForm
      question={t.sure(name)}
      label={t.remove}
      cancel={t.cancel}
      act={(idempotencyKey) => api("delete", "/v1/operators/{id}", { path: { id }, idempotencyKey })}
      onEnd={onEnd}
    />
  );
}
