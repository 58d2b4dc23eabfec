import { nameParts } from "../../domain/wall-texts.ts";

/** A machine's name on one line. Where it does not fit, its head is cut, never its end. What it is in has the whole name as its title. */
export function MachineName({ name }: { name: string }) {
  const [head, tail] = nameParts(name);
  return (
    <h3 class="name">
      <span class="name-head">{head}</span>
      <span class="name-tail">{tail}</span>
    </h3>
  );
}
