import "./empty.css";
import { wall } from "../../texts/wall.ts";
import { FirstMachine } from "../../ui/first-machine.tsx";

/** Shown on a wall without machines. `isChoice`: its address selects machines or lines. */
export function Empty({ isChoice }: { isChoice: boolean }) {
  return isChoice ? <NoMachineChosen /> : <NoMachine />;
}

/** For a plant without machines: how to get the first one. */
function NoMachine() {
  return (
    <div class="wall-empty">
      <h2>{wall.noMachine}</h2>
      <p>{wall.noMachineHint}</p>
      <FirstMachine />
    </div>
  );
}

/** For an address that selects machines or lines that do not exist. */
function NoMachineChosen() {
  return (
    <div class="wall-empty">
      <h2>{wall.noMachineChosen}</h2>
      <a class="button" href="/wall">
        {wall.showAll}
      </a>
    </div>
  );
}
