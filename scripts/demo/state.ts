import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newToken } from "../../src/core/bearer-token.ts";
import { DAY_MS } from "../../src/oee/time.ts";
import { localToUtc, zoneOffsetMs } from "../../src/oee/zone.ts";
import { companies, gateways } from "./plant.ts";

const HISTORY_DAYS = 7;

/** The stored state of a state folder's demo plant. Times are epoch ms. */
export interface DemoState {
  /** Time of the first start. */
  createdAt: number;
  /** All events before this instant are in the service. */
  fedUntil: number;
  /** Whether its alert rules were activated: nobody should be notified of the history. */
  hasAlerts?: boolean;
  /** Gateway id -> token. */
  tokens: Record<string, string>;
}

const fileOf = (stateFolder: string) => join(stateFolder, "demo.json");

/** The state of the folder's demo plant, or null if there is none. */
export function readDemoState(stateFolder: string): DemoState | null {
  return existsSync(fileOf(stateFolder)) ? (JSON.parse(readFileSync(fileOf(stateFolder), "utf8")) as DemoState) : null;
}

/** Stores the state for the next start. Never leaves half a file. */
export function writeDemoState(stateFolder: string, state: DemoState): void {
  mkdirSync(stateFolder, { recursive: true });
  const draft = `${fileOf(stateFolder)}.new`;
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
  renameSync(draft, fileOf(stateFolder));
}

/** A new state with a random token per gateway, nothing fed yet. */
export function newDemoState(createdAt: number): DemoState {
  const tokens = Object.fromEntries(gateways.map(({ id, companyId }) => [id, newToken("gw", companyId).token]));
  return { createdAt, fedUntil: 0, tokens };
}

/** The local midnight (epoch ms) at which a company's history starts: seven days before the first start. */
export function historyStart(companyId: number, createdAt: number): number {
  const timezone = companies.find(({ id }) => id === companyId)?.timezone ?? "UTC";
  const today = Math.floor((createdAt + zoneOffsetMs(timezone, createdAt)) / DAY_MS);
  return localToUtc(timezone, today - HISTORY_DAYS, 0);
}
