import type { Row } from "../../data/live.ts";
import { kindOf } from "../../domain/machine-kind.ts";
import { lacksCause } from "../../domain/urgency.ts";
import { StateIcon } from "../../ui/state-icon.tsx";
import { MachineName } from "./machine-name.tsx";
import { Mark } from "./marks.tsx";
import { wordOf } from "./tile.tsx";

interface ShortMachineProps {
  row: Row;
  /** The shown instant, epoch ms. */
  now: number;
  /** "lines": the word in a line of its own; "name": without the word, which its shape and colour say; "shape": without its name, too. */
  form?: "line" | "lines" | "name" | "shape";
  /** Where it is placed. */
  style?: Record<string, string>;
}

const twoLines = { height: "auto" };
const wholeLine = { maxWidth: "none", marginLeft: "0" };

/** A machine in short: its name, and what it does or why it stands. */
export function ShortMachine({ row, now, form = "line", style }: ShortMachineProps) {
  const kind = kindOf(row);
  const { machine, helpCall } = row;
  const word = wordOf(row, kind, now);
  const classes = ["tile", `tile-${kind}`, lacksCause(row) && "tile-new", helpCall && "tile-help", "short"].filter(Boolean);
  const hasWord = form === "line" || form === "lines";
  const name = form === "shape" ? <h3 class="unseen">{machine.name}</h3> : <MachineName name={machine.name} />;
  const state = (
    <span class={`tile-state kind-${kind}`} style={form === "lines" ? wholeLine : undefined}>
      {helpCall ? <Mark shape="hand" /> : <StateIcon kind={kind} />}
      <span class={hasWord ? "tile-word" : "unseen"}>{word}</span>
    </span>
  );
  return (
    <li class={classes.join(" ")} style={style} data-machine={machine.id} title={`${machine.name} · ${word}`}>
      {form === "lines" ? (
        <article style={twoLines}>
          <div class="tile-line">{name}</div>
          <p class="tile-line">{state}</p>
        </article>
      ) : (
        <article class="tile-line">
          {name}
          {state}
        </article>
      )}
    </li>
  );
}
