import { FormEnd } from "./form-end.tsx";
import { useMutation } from "./use-mutation.ts";

interface ConfirmProps {
  /** What the person confirms. */
  question: string;
  /** The labels of the buttons. */
  label: string;
  cancel: string;
  /** Does it. The key makes repeating it safe. @throws Refusal, NoAnswer */
  act(idempotencyKey: string): Promise<unknown>;
  /** Called when it is done, or cancelled. */
  onEnd(): void;
}

/** Asks before something is done, such as deleting a row. */
export function ConfirmForm({ question, label, cancel, act, onEnd }: ConfirmProps) {
  const work = useMutation(onEnd);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(async () => void (await act(work.key)));
      }}
    >
      <p>{question}</p>
      <FormEnd reason={work.reason} label={label} isDisabled={work.isWaiting} cancel={{ label: cancel, onCancel: onEnd }} />
    </form>
  );
}
