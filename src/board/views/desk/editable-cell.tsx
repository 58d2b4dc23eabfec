import "./editable-cell.css";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { faultsOf } from "../../form/faults.ts";
import { FieldFault, faultProps } from "../../form/field-fault.tsx";
import { useMutation } from "../../form/use-mutation.ts";
import { Icon } from "../../ui/icon.tsx";

interface EditableCellProps {
  value: string;
  /** The member of the request's body, of which the service may say what is wrong. */
  member: string;
  maxLength: number;
  texts: {
    /** The accessible name of the button that opens the field: what it does, and of which row. */
    edit: string;
    /** That of the field. */
    field: string;
    save: string;
    cancel: string;
  };
  /** @param key its Idempotency-Key */
  change(typed: string, key: string): Promise<unknown>;
}

/** A text of a table that is changed where it is: a button that turns into a field. Enter saves, Escape gives up; what is refused is said at the field. */
export function EditableCell({ value, member, maxLength, texts, change }: EditableCellProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const work = useMutation(() => setTyped(null));
  const [button, field] = [useRef<HTMLButtonElement>(null), useRef<HTMLInputElement>(null)];
  const id = useId();
  const isOpen = typed !== null;
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen) field.current?.select();
    else if (wasOpen.current) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (typed === null) {
    return (
      <button ref={button} type="button" class="editable" aria-label={texts.edit} onClick={() => setTyped(value)}>
        {value} <Icon name="revised" />
      </button>
    );
  }
  const giveUp = () => {
    work.forget();
    setTyped(null);
  };
  const save = () => {
    const next = typed.trim();
    if (next === value) giveUp();
    else void work.run(async () => void (await change(next, work.key)));
  };
  const fault = [...faultsOf([work.error], [member]).values()].join(" ") || null;
  return (
    <form
      class="editing"
      onSubmit={(event) => {
        event.preventDefault();
        if (!work.isWaiting) save();
      }}
    >
      <span class="field">
        <input
          {...faultProps(id, fault)}
          ref={field}
          type="text"
          aria-label={texts.field}
          required
          maxLength={maxLength}
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            if (fault !== null) work.forget();
          }}
          onKeyDown={({ key }) => {
            if (key === "Escape") giveUp();
          }}
        />
      </span>
      <div role="alert">
        <FieldFault id={id} fault={fault} />
      </div>
      <p>
        <button type="submit" class="tool" disabled={work.isWaiting}>
          {texts.save}
        </button>
        <button type="button" class="tool" onClick={giveUp}>
          {texts.cancel}
        </button>
      </p>
    </form>
  );
}
