import { MINUTE_MS, SECOND_MS } from "./time.ts";

/** What is needed of a gateway's report to judge it. Times are ISO 8601. */
interface Reported {
  heardAt: string;
  queue: { oldestAt: string | null; quarantined: number; dropped: readonly unknown[] };
  sources: readonly { state: "ok" | "waiting" | "silent" | "failed" }[];
  clockSkewMs: number | null;
}

/** By then four reports are missing. */
const SILENT_AFTER_MS = 2 * MINUTE_MS;
/** An event that waits for longer than this is late: as a rule a queue is empty. */
const LATE_MS = 5 * MINUTE_MS;
const SKEW_MS = 10 * SECOND_MS;

/** How a gateway is doing: `none`: it never reported; `silent`: not lately; `trouble`: somebody has to look at it; `ok`. */
export type GatewayState = "none" | "silent" | "trouble" | "ok";

/** How a gateway is doing as of `now` (epoch ms). */
export function gatewayState(status: Reported | null, now: number): GatewayState {
  if (status === null) return "none";
  if (now - Date.parse(status.heardAt) > SILENT_AFTER_MS) return "silent";
  const { queue, sources } = status;
  const isAnyBad = sources.some(({ state }) => state === "failed" || state === "silent");
  const isLate = queue.oldestAt !== null && now - Date.parse(queue.oldestAt) > LATE_MS;
  const isLost = queue.quarantined > 0 || queue.dropped.length > 0;
  return isAnyBad || isLate || isLost || isClockWrong(status) ? "trouble" : "ok";
}

/** Whether the clock of a gateway is noticeably wrong. */
export function isClockWrong({ clockSkewMs }: Pick<Reported, "clockSkewMs">): boolean {
  return clockSkewMs !== null && Math.abs(clockSkewMs) > SKEW_MS;
}

/** The commands that pair a bridge by its code: of the published package, and in a copy of the repository. */
export function pairCommands(code: string): [npx: string, npm: string] {
  return [`npx andon-bridge pair ${code}`, `npm run bridge -- pair ${code}`];
}
