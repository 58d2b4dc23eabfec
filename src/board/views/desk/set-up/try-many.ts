import { useRef, useState } from "preact/hooks";
import { api } from "../../../data/api.ts";
import type { Members } from "../../../domain/set-up.ts";
import { summedTrials } from "../../../domain/summed-trials.ts";
import { SECOND_MS } from "../../../domain/time.ts";
import { useTrial } from "../../../form/use-mutation.ts";
import { reasonOf } from "../../../texts/common.ts";
import type { Machine } from "../plant-data.ts";
import { changeItem, type DryRun } from "./kinds.ts";

/** The most machines at which a change is tried: each takes a request, or a job of its own. */
const MOST_TRIED = 10;
/** How often a job is asked how far it is. */
const PROGRESS_MS = SECOND_MS;

/** What a change of many machines would do. */
export interface TriedMany {
  dryRun: DryRun;
  /** At how many machines it was tried. */
  machines: number;
  refused: readonly { machine: Machine; reason: string }[];
}

/** Tries a change at the first of some machines, one after the other, so that no more than one job is under way. */
export function useTryMany() {
  const [tried, setTried] = useState<TriedMany | null>(null);
  const [done, setDone] = useState(0);
  const work = useTrial();
  const runs = useRef(0);
  return {
    tried,
    isWaiting: work.isWaiting,
    /** How many machines have been tried. */
    done,
    forget() {
      runs.current++;
      setTried(null);
      work.forget();
    },
    async run(machines: readonly Machine[], body: Members): Promise<void> {
      const number = ++runs.current;
      const isCurrent = () => number === runs.current;
      const chosen = machines.slice(0, MOST_TRIED);
      setDone(0);
      await work.run(async () => {
        const dryRuns: DryRun[] = [];
        const refused: { machine: Machine; reason: string }[] = [];
        for (const [i, machine] of chosen.entries()) {
          try {
            const found = await tryOne(machine, body, isCurrent);
            if (found) dryRuns.push(found);
          } catch (error) {
            refused.push({ machine, reason: reasonOf(error) });
          }
          // What was typed meanwhile was not tried.
          if (!isCurrent()) return;
          setDone(i + 1);
        }
        setTried({ dryRun: summedTrials(dryRuns), machines: chosen.length, refused });
      });
    },
  };
}

/** What the change would do at a machine; null: nobody wants to know any more. */
async function tryOne(machine: Machine, body: Members, isWanted: () => boolean): Promise<DryRun | null> {
  const item = machine as unknown as Members;
  const found = await changeItem("machine", String(machine.id), { item, body: { ...body, dryRun: true } });
  if (found === null || found.recalculationId === null) return found;
  const path = { id: found.recalculationId };
  while (isWanted()) {
    const job = await api("get", "/v1/recalculations/{id}", { path });
    if (job.endedAt !== null) return job.dryRun ?? null;
    await new Promise((resolve) => setTimeout(resolve, PROGRESS_MS));
  }
  return null;
}
