import { companyQuery } from "../app/session.ts";
import { type PlantMap, plantMaps } from "../domain/plant-map.ts";
import { api } from "./api.ts";
import { allOf } from "./pages.ts";

/** Reads the plant maps of the company. @throws Refusal, NoAnswer */
export async function readPlantMaps(): Promise<PlantMap[]> {
  return plantMaps(await allOf((cursor) => api("get", "/v1/widgets", { query: { ...companyQuery(), limit: 100, ...cursor } })));
}
