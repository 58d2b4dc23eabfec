import { wall } from "../../texts/wall.ts";
import { EmptyPlant } from "../../ui/empty-plant.tsx";

/** For a plant without machines, and for an address that selects machines or lines that do not exist. */
export function NoMachine({ isChoice }: { isChoice: boolean }) {
  return (
    <div class="wall-empty">
      {isChoice ? (
        <>
          <h2>{wall.noMachineChosen}</h2>
          <a class="button" href="/wall">
            {wall.showAll}
          </a>
        </>
      ) : (
        <EmptyPlant />
      )}
    </div>
  );
}
