import { type ReadonlySignal, signal } from "@preact/signals";
import { locale } from "../app/language.ts";
import { companyQuery, session } from "../app/session.ts";
import { type Formats, formatsOf } from "../domain/formats.ts";
import { type ApiSchema, api } from "./api.ts";

/** The company whose machines are shown. */
export type Plant = Pick<ApiSchema<"Company">, "id" | "name" | "timezone" | "currency" | "productionDay" | "weekStart">;

const kept = signal<Plant | null>(null);
/** The shown plant; null until `loadPlant` has read it. */
export const plant: ReadonlySignal<Plant | null> = kept;

/** Reads the plant that this session sees. @throws Refusal, NoAnswer */
export async function loadPlant(): Promise<ApiSchema<"Company">> {
  const id = companyQuery().companyId ?? session.peek()?.companyId;
  if (id === undefined) throw new Error("Nobody has signed in.");
  const found = await api("get", "/v1/companies/{id}", { path: { id } });
  kept.value = found;
  return found;
}

/** Shows a plant as it was, until it is read. */
export function showPlant(known: Plant): void {
  kept.value ??= known;
}

const byZone = new Map<string, Formats>();

/** The formats for the page's language and the plant's time zone; UTC until the plant is known. */
export function formats(): Formats {
  const zone = kept.value?.timezone ?? "UTC";
  const known = byZone.get(zone) ?? formatsOf(locale, zone);
  byZone.set(zone, known);
  return known;
}
