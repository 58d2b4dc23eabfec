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
  /** Null: it was refused at every machine. */
  dryRun: DryRun | null;
  /** At how many machines it was tried. */
  machines: number;
  /** How many of them did not keep the events that the trial needs. */
  failed: number;
  refused: readonly { machine: Machine; reason: string }[];
}

/** Tries a change at the first of some machines, one after the other, so that no more than one job is under way. */
export function useTryMany() {
  const [tried, setTried] = useState<TriedMany | null>(null);
  const [progress, setProgress] = useState({ done: 0, all: 0 });
  const work = useTrial();
  const runs = useRef(0);
  return {
    tried,
    isWaiting: work.isWaiting,
    /** At how many machines it has been tried, of how many. */
    progress,
    forget() {
      runs.current++;
      setTried(null);
      work.forget();
    },
    async run(machines: readonly Machine[], body: Members): Promise<void> {
      const number = ++runs.current;
      const isCurrent = () => number === runs.current;
      const chosen = machines.slice(0, MOST_TRIED);
      const all = chosen.length;
      setProgress({ done: 0, all });
      await work.run(async () => {
        const found: Trial[] = [];
        const refused: { machine: Machine; reason: string }[] = [];
        for (const [i, machine] of chosen.entries()) {
          try {
            const one = await tryOne(machine, body, isCurrent);
            if (one) found.push(one);
          } catch (error) {
            refused.push({ machine, reason: reasonOf(error) });
          }
          // What was typed meanwhile was not tried.
          if (!isCurrent()) return;
          setProgress({ done: i + 1, all });
        }
        setTried({
          dryRun: found.length === 0 ? null : summedTrials(found.map(({ dryRun }) => dryRun)),
          machines: all,
          failed: found.reduce((sum, one) => sum + one.failed, 0),
          refused,
        });
      });
    },
  };
}

interface Trial {
  dryRun: DryRun;
  failed: number;
}

/** What the change would do at a machine; null: nobody wants to know any more. */
async function tryOne(machine: Machine, body: Members, isWanted: () => boolean): Promise<Trial | null> {
  const item = machine as unknown as Members;
  const found = await changeItem("machine", String(machine.id), { item, body: { ...body, dryRun: true } });
  if (found === null) return null;
  if (found.recalculationId === null) return { dryRun: found, failed: 0 };
  const path = { id: found.recalculationId };
  while (isWanted()) {
    const { endedAt, failedCount, dryRun } = await api("get", "/v1/recalculations/{id}", { path });
    if (endedAt !== null) return dryRun ? { dryRun, failed: failedCount } : null;
    await new Promise((resolve) => setTimeout(resolve, PROGRESS_MS));
  }
  return null;
}
