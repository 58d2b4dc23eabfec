import type { ComponentChildren } from "preact";
import { start as t } from "../../texts/start.ts";

interface StepProps {
  id: string;
  title: string;
  hint?: string;
  /** Undefined: it is nothing to do. */
  isDone?: boolean;
  children: ComponentChildren;
}

/** One of the first steps, and whether it is done. */
export function Step({ id, title, hint, isDone, children }: StepProps) {
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{title}</h2>
        {isDone !== undefined && <span class={isDone ? "start-mark is-done" : "start-mark"}>{isDone ? t.done : t.open}</span>}
      </header>
      {hint !== undefined && <p class="quiet">{hint}</p>}
      {children}
    </section>
  );
}
