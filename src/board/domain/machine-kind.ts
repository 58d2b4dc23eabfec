/** The kind of a machine's state in all views. Each kind has a colour, a shape and a word. */
export type MachineKind = "running" | "slow" | "stopped" | "planned" | "outside" | "noData" | "off";

interface KnownState {
  /** As `MachineOverview.status` of the API; null: the machine's state could not be read. */
  status: "A" | "N" | "P" | "O" | "D" | "U" | null;
  isSlow: boolean | null;
  /** The end of the planned break that it is in; null: in none. */
  plannedUntil: string | null;
}

type Status = NonNullable<KnownState["status"]>;
const kinds = { A: "running", N: "stopped", P: "planned", O: "outside", D: "noData", U: "off" } as const;

/** The kind of a status. A break is shown as planned, whether it counts in availability or not. */
export function kindOfStatus<S extends Status>(status: S, isBreak: boolean): (typeof kinds)[S] | "planned" {
  if (status === "O" && isBreak) return "planned";
  // A newer service may have states that this page does not know yet.
  return kinds[status] ?? (kinds.D as (typeof kinds)[S]);
}

/** The kind of a machine's state. "off": outside shifts or out of service. */
export function kindOf({ status, isSlow, plannedUntil }: KnownState): MachineKind {
  if (status === "A") return isSlow ? "slow" : "running";
  if (status === null) return "noData";
  return kindOfStatus(status, plannedUntil !== null);
}

/** The kind of a stop. */
export function kindOfStop(stop: {
  isProgrammed: boolean;
  isIncludedInAvailability: boolean;
}): "planned" | "outside" | "stopped" {
  // First, because for example a break may also be outside availability.
  if (stop.isProgrammed) return "planned";
  return stop.isIncludedInAvailability ? "stopped" : "outside";
}
