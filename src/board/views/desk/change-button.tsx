import { Refused } from "../../form/form-end.tsx";
import { useMutation } from "../../form/use-mutation.ts";

interface ChangeButtonProps {
  label: string;
  /** The accessible name, if the label alone does not identify the row. */
  name?: string;
  onChanged?(): void;
  /** @param key its Idempotency-Key */
  change(key: string): Promise<unknown>;
}

/** A button of a row that changes something at once, and says why if it was refused. */
export function ChangeButton({ label, name, onChanged, change }: ChangeButtonProps) {
  const work = useMutation(onChanged);
  return (
    <>
      <Refused reason={work.reason} />
      <button
        type="button"
        class="tool"
        aria-label={name}
        disabled={work.isWaiting}
        onClick={() => void work.run(async () => void (await change(work.key)))}
      >
        {label}
      </button>
    </>
  );
}
