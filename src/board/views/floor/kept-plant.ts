import { companyQuery, session } from "../../app/session.ts";
import { recall, remember } from "../../app/store.ts";
import { loadPlant, type Plant, showPlant } from "../../data/plant.ts";

// The plant, as far as a terminal needs it to start without a network: the time zone of all that it shows.

const STORED = "plant";

/** Reads the plant, and stores it in this browser for `recallPlant`. @throws Refusal, NoAnswer */
export async function loadPlantToKeep(): Promise<void> {
  const { id, name, timezone, currency, productionDay, weekStart } = await loadPlant();
  remember(STORED, JSON.stringify({ id, name, timezone, currency, productionDay, weekStart } satisfies Plant));
}

/** Shows the plant that was read last in this browser, if it is that of the session. */
export function recallPlant(): void {
  try {
    const stored = JSON.parse(recall(STORED) ?? "null") as Plant | null;
    if (stored && stored.id === (companyQuery().companyId ?? session.peek()?.companyId)) showPlant(stored);
  } catch {
    // What is stored is of another version: it is read again.
  }
}
