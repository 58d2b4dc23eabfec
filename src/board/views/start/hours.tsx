import type { ApiSchema } from "../../data/api.ts";
import { start } from "../../texts/start.ts";
import { later } from "../../ui/later.tsx";
import { Step } from "./step.tsx";

const t = start.hours;
const ChooseHours = later(async () => (await import("./choose-hours.tsx")).ChooseHours);

/** The shifts of the plant: what there is, or templates to choose from. */
export function WorkingHours({ shifts }: { shifts: readonly ApiSchema<"Shift">[] }) {
  const isDone = shifts.length > 0;
  const known = shifts.map(({ name, start: from, end }) => `${name} ${from}–${end}`).join(", ");
  return (
    <Step id="hours" title={t.title} isDone={isDone} {...(isDone && { hint: known })}>
      {!isDone && <ChooseHours />}
    </Step>
  );
}
