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

/** Shows what is wrong with an entry at its field, or under "" at the end of the form. */
export type Refuse<F extends Fields> = (name: (keyof F & string) | "", why: string) => void;

interface FormOptions<F extends Fields, Body> {
  fields: F;
  initial: Draft<F>;
  /**
   * Returns the body of the request. If it calls `refuse`, nothing is sent.
   * @param refuse shows an error at a field, or with "" at no field
   */
  body(draft: Draft<F>, refuse: Refuse<F>): Body;
  /** Sends it. The key stays the same until the service has answered, so that trying again does nothing twice. */
  send(body: Body, idempotencyKey: string): Promise<unknown>;
  /** Whether the form is empty again after it was sent, for the next of many. */
  isRepeated?: boolean;
  /** Called after it was sent, and after everything that is shown was read again. */
  onSent?(): void;
}

/**
 * The state of a form: its entries, the errors of its fields, and how it is submitted. Errors of the service are shown at the field that their
 * `pointer` names. While there are unsaved entries, the user is asked before the page is left.
 */
export function useForm<F extends Fields, Body>(options: FormOptions<F, Body>) {
  const { fields, initial, body, send, isRepeated = false, onSent } = options;
  const [draft, setDraft] = useState(initial);
  const [isTouched, setTouched] = useState(false);
  const [own, setOwn] = useState<ReadonlyMap<string, string>>(new Map());
  const lastSent = useRef(draft);
  const work = useMutation(() => {
    setTouched(false);
    // What was typed meanwhile stays.
    if (isRepeated) setDraft((now) => (now === lastSent.current ? initial : now));
    onSent?.();
  });
  useUnsaved(isTouched && !work.isWaiting);
  return {
    fields,
    draft,
    work,
    /** The errors by field; under "" those of no field. */
    faults: faultsOf([work.error], Object.keys(fields), own),
    /** Changes entries, and forgets the errors: they were about other entries. */
    set(changes: Partial<Draft<F>>): void {
      setDraft({ ...draft, ...changes });
      setTouched(true);
      setOwn(new Map());
      work.forget();
    },
    /**
     * Goes on from other values, because somebody else has changed them: entries that the user has not changed follow, also while a request is on its way.
     * Returns the names of the fields that differ.
     */
    goOnFrom(before: Draft<F>, after: Draft<F>): (keyof F & string)[] {
      const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
      const changed = Object.keys(fields).filter((name) => !isSame(before[name], after[name]));
      setDraft((now) => {
        const untouched = changed.filter((name) => isSame(now[name], before[name]));
        return { ...now, ...Object.fromEntries(untouched.map((name) => [name, after[name]])) };
      });
      work.forget();
      return changed;
    },
    submit(): void {
      const wrong = new Map<string, string>();
      const sent = body(draft, (name, why) => wrong.set(name, why));
      work.forget();
      setOwn(wrong);
      lastSent.current = draft;
      if (wrong.size === 0) void work.run(async () => void (await send(sent, work.key)));
    },
  };
}

type AnyForm = Omit<ReturnType<typeof useForm<Fields, unknown>>, "set" | "goOnFrom"> & { set(changes: never): void };

interface FormProps {
  form: AnyForm;
  /** The accessible name. */
  label: string;
  /** On its button, also while it is being sent. */
  send: string;
  sending: string;
  cancel?: { label: string; onCancel(): void };
  /** Whether it is what the page is open for; default: if it can be cancelled. */
  isPrimary?: boolean;
  /** Whether the first field gets the focus: not if the form is always there. */
  isFocused?: boolean;
  /** Replaces the error of no field; null: none is shown, because the form shows it in its own way. */
  reason?: string | null;
  /** What stands above the fields. */
  intro?: ComponentChildren;
  /** What stands above the buttons. */
  children?: ComponentChildren;
}

/** A form with its fields and buttons. After a refusal the first wrong field has the focus. */
export function Form({ form, label, send, sending, cancel, isPrimary, isFocused = true, reason, intro, children }: FormProps) {
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
        {...(isPrimary !== undefined && { isPrimary })}
      >
        {children}
      </FormEnd>
    </form>
  );
}
