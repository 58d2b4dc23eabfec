import type { ComponentChildren } from "preact";

/** Why a change was refused, said as soon as it is known. */
export function Refused({ reason }: { reason: string | null }) {
  return <div role="alert">{reason !== null && <p class="refusal">{reason}</p>}</div>;
}

interface FormEndProps {
  /** Why the last try was refused; null: it was not. */
  reason: string | null;
  label: string;
  isDisabled: boolean;
  /** Whether it is what the page is open for; default: if it can be cancelled. */
  isPrimary?: boolean;
  cancel?: { label: string; onCancel(): void };
  /** What the button does where there is no form to submit. */
  onConfirm?(): void;
  /** What is shown above the buttons. */
  children?: ComponentChildren;
}

/** The end of a form, or of a question: why it was refused, and its buttons. */
export function FormEnd({
  reason,
  label,
  isDisabled,
  cancel,
  isPrimary = cancel !== undefined,
  onConfirm,
  children,
}: FormEndProps) {
  return (
    <>
      <Refused reason={reason} />
      {children}
      <p class="form-buttons">
        <button
          type={onConfirm ? "button" : "submit"}
          class={isPrimary ? "button primary" : "button"}
          disabled={isDisabled}
          onClick={onConfirm}
        >
          {label}
        </button>
        {cancel && (
          <button type="button" class="button" onClick={cancel.onCancel}>
            {cancel.label}
          </button>
        )}
      </p>
    </>
  );
}
