import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useUnsaved } from "../ui/use-unsaved.ts";
import { faultsOf } from "./faults.ts";
import { type Field, FieldInput, type Typed } from "./fields.tsx";
import { FormEnd } from "./form-end.tsx";
import { useMutation } from "./use-mutation.ts";

/** The fields of a form, by the API's names of the members, in the order in which they are shown. */
export type Fields = Readonly<Record<string, Field>>;
/** What is typed into the fields. */
export type Draft<F extends Fields> = { [Name in keyof F]: Typed[F[Name]["kind"]] };

interface FormOptions<F extends Fields, Body> {
  fields: F;
  initial: Draft<F>;
  /**
   * The body of the request. What is wrong with what was typed is said at its field, and then nothing is sent.
   * @param refuse says what is wrong with a field
   */
  body(draft: Draft<F>, refuse: (name: keyof F & string, why: string) => void): Body;
  /** Sends it. A repeated try has the same key until the service has answered, so nothing is done twice. */
  send(body: Body, idempotencyKey: string): Promise<unknown>;
  /** Called once it is done, and what is shown has been read again. */
  onSent?(): void;
}

/**
 * A form: what is typed, what is wrong with which field, and its sending. Refusals of the service stand at the field that their `pointer` names.
 * While something is typed and not sent, the page asks before it is left.
 */
export function useForm<F extends Fields, Body>({ fields, initial, body, send, onSent }: FormOptions<F, Body>) {
  const [draft, setDraft] = useState(initial);
  const [isTouched, setTouched] = useState(false);
  const [own, setOwn] = useState<ReadonlyMap<string, string>>(new Map());
  const work = useMutation(() => {
    setTouched(false);
    onSent?.();
  });
  useUnsaved(isTouched && !work.isWaiting);
  return {
    fields,
    draft,
    work,
    /** What is wrong, by field; under "" what belongs to none of them. */
    faults: faultsOf([work.error], Object.keys(fields), own),
    /** Types something. What was refused is not what is typed now. */
    set(changes: Partial<Draft<F>>): void {
      setDraft({ ...draft, ...changes });
      setTouched(true);
      setOwn(new Map());
      work.forget();
    },
    submit(): void {
      const wrong = new Map<string, string>();
      const sent = body(draft, (name, why) => wrong.set(name, why));
      work.forget();
      setOwn(wrong);
      if (wrong.size === 0) void work.run(async () => void (await send(sent, work.key)));
    },
  };
}

type AnyForm = Omit<ReturnType<typeof useForm<Fields, unknown>>, "set"> & { set(changes: never): void };

interface FormProps {
  form: AnyForm;
  /** The accessible name. */
  label: string;
  /** On its button, also while it is being sent. */
  send: string;
  sending: string;
  cancel?: { label: string; onCancel(): void };
  /** Whether the first field gets the focus: not if the form is always there. */
  isFocused?: boolean;
  /** Why it was refused as a whole, if that is shown in another way; null: it is not said here. */
  reason?: string | null;
  /** What stands above the fields. */
  intro?: ComponentChildren;
  /** What stands above the buttons. */
  children?: ComponentChildren;
}

/** A form with its fields and buttons. After a refusal the first wrong field has the focus. */
export function Form({ form, label, send, sending, cancel, isFocused = true, reason, intro, children }: FormProps) {
  const { fields, draft, faults, work, submit } = form;
  const set = form.set as (changes: Readonly<Record<string, unknown>>) => void;
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isFocused) box.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, []);
  const wrong = [...faults.keys()].filter((name) => name !== "").join();
  useEffect(() => {
    if (wrong !== "") box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);
  return (
    <form
      ref={box}
      class="form set-up-form"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {intro}
      <div class="field-grid">
        {Object.entries(fields).map(([name, field]) => (
          <FieldInput
            key={name}
            field={field}
            typed={draft[name]}
            fault={faults.get(name) ?? null}
            onChange={(typed) => set({ [name]: typed })}
          />
        ))}
      </div>
      <FormEnd
        reason={reason === undefined ? (faults.get("") ?? null) : reason}
        label={work.isWaiting ? sending : send}
        isDisabled={work.isWaiting}
        {...(cancel && { cancel })}
      >
        {children}
      </FormEnd>
    </form>
  );
}
