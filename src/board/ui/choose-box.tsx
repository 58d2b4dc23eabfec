import "./choose-box.css";

interface ChooseBoxProps {
  /** The accessible name. */
  name: string;
  isChosen: boolean;
  isDisabled?: boolean;
  onChoose(isChosen: boolean): void;
}

/** The field that chooses one of several rows. */
export function ChooseBox({ name, isChosen, isDisabled = false, onChoose }: ChooseBoxProps) {
  return (
    <label class="choose-box">
      <input
        type="checkbox"
        aria-label={name}
        checked={isChosen}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
    </label>
  );
}
