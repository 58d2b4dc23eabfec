import { wall } from "../../texts/wall.ts";

/** For an address that selects machines or lines that do not exist. */
export function NoMachineChosen() {
  return (
    <>
      <h2>{wall.noMachineChosen}</h2>
      <a class="button" href="/wall">
        {wall.showAll}
      </a>
    </>
  );
}
