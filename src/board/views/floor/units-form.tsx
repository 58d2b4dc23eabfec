import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { locale } from "../../app/language.ts";
import { formats } from "../../data/plant.ts";
import { decimalsOf, numberFrom } from "../../domain/formats.ts";
import { floor } from "../../texts/floor.ts";

interface UnitsFormProps {
  label: string;
  /** What is reported, in words. */
  say(units: string): string;
  report(units: number): void;
  /** Further inputs. */
  children?: ComponentChildren;
}

/** An input for a number of units, by taps or by keys, in the page's notation. What it has understood is read back and confirmed before it is sent. */
export function UnitsForm({ label, say, report, children }: UnitsFormProps) {
  const units = useSignal("");
  const isAsking = useSignal(false);
  const { number } = formats();
  const typed = numberFrom(units.value, locale);
  const value = typeof typed === "object" ? typed.value : null;
  const exact = (count: number) => number(count, decimalsOf(count));
  const add = (more: number) => {
    units.value = exact((value ?? 0) + more);
  };
  const fault = typed === "wrong" ? floor.notANumber : typed === "ambiguous" ? floor.ambiguous(exact(1000), exact(1)) : null;
  if (isAsking.value && value) {
    return <ReadBack text={say(exact(value))} onYes={() => report(value)} onNo={() => (isAsking.value = false)} />;
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        isAsking.value = value !== null && value > 0;
      }}
    >
      <label class="field">
        <span>{label}</span>
        <input
          class="floor-units"
          inputMode="decimal"
          autocomplete="off"
          value={units.value}
          aria-invalid={fault !== null}
          aria-describedby="floor-understood"
          onInput={({ currentTarget }) => (units.value = currentTarget.value)}
        />
      </label>
      {children}
      <p id="floor-understood" class={fault === null ? "floor-understood" : "refusal"} role="status">
        {fault ?? (value ? say(exact(value)) : "")}
      </p>
      <div class="floor-more">
        {[1, 5, 10].map((more) => (
          <button key={more} type="button" class="act" disabled={fault !== null} onClick={() => add(more)}>
            {floor.more(more)}
          </button>
        ))}
        <button type="submit" class="act primary" disabled={!value}>
          {floor.report}
        </button>
      </div>
    </form>
  );
}

/** What is going to be reported, large: a digit too many is seen here. */
function ReadBack({ text, onYes, onNo }: { text: string; onYes(): void; onNo(): void }) {
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => yes.current?.focus(), []);
  return (
    <section>
      <p class="floor-read-back">{floor.isRight(text)}</p>
      <div class="floor-more">
        <button ref={yes} type="button" class="act primary" onClick={onYes}>
          {floor.yesReport}
        </button>
        <button type="button" class="act" onClick={onNo}>
          {floor.noChange}
        </button>
      </div>
    </section>
  );
}
