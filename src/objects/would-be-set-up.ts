import type { calendarDays, companies, countChannels, machines, setUpVersions, shifts } from "../db/schema.ts";

type Columns<T extends { $inferSelect: object }, K extends keyof T["$inferSelect"]> = Pick<T["$inferSelect"], K>;
type OfCompany = Columns<typeof companies, "timezone" | "signOutAtShiftEnd" | "productionDay">;
type Machine = OfCompany & { machineId: number } & Columns<
    typeof machines,
    | ("lineId" | "nodeId" | "signal" | "hourlyRate" | "stopAfterSeconds" | "noDataAfterSeconds" | "reportingSeconds")
    | ("standardCycleSeconds" | "holdFactor" | "commissionedAt" | "decommissionedAt")
  >;
type Shift = Columns<typeof shifts, "id" | "start" | "end" | "days" | "breaks" | "machineIds">;
type CalendarDay = Columns<typeof calendarDays, "id" | "date" | "lineId" | "machineId" | "shifts">;
type CountChannel = Columns<
  typeof countChannels,
  "machineId" | "nodeId" | "channel" | "type" | "countingFactor" | "wrapsAt" | "isCounted" | "since" | "until"
>;
type Version = typeof setUpVersions.$inferSelect;

/** The rows that a change may change, of those of which the set-ups of machines of a company are made. */
interface Rows {
  machines: Machine[];
  definitions: Shift[];
  days: CalendarDay[];
  formerly: { machineId: number; lineId: number }[];
  standards: { machineId: number; skuId: string; standardCycleSeconds: number }[];
  channels: CountChannel[];
  dated: Version[];
}

/** What a change makes of the rows that machines' set-ups are made of. What is left out stays. It can be kept as JSON. */
export interface WouldBe {
  /** Columns of a machine. */
  machine?: Pick<Machine, "machineId"> & Partial<Machine>;
  /** Columns of the company. */
  company?: OfCompany;
  shift?: Shift;
  /** A calendar day; `id` 0: it is new; `shifts` null: it is deleted. */
  day?: Omit<CalendarDay, "shifts"> & { shifts: CalendarDay["shifts"] | null };
  /** All standards of a SKU. */
  standards?: { skuId: string; all: { machineId: number; standardCycleSeconds: number }[] };
  /** Channels that are changed: those that are deleted, end, and are new. */
  channels?: { deleted: CountChannel[]; ended: CountChannel[]; added: CountChannel[] };
  /** Lines in which a machine was, beside those that are known. */
  formerLines?: { machineId: number; lineId: number }[];
  /** All versions of an item, of some kinds. */
  versions?: { kinds: Version["kind"][]; entity: string; all: Version[] };
}

/** The id of a row that has none yet: they are sorted by it. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** The rows with a change. */
export function rowsWith<R extends Rows>(rows: R, change: WouldBe, now: number): R {
  const { machine, company, shift, day, standards, channels, formerLines = [], versions } = change;
  const isSameDay = (one: CalendarDay) => one.date === day?.date && one.lineId === day.lineId && one.machineId === day.machineId;
  const isChanged = ({ nodeId, channel, since }: CountChannel) =>
    [...(channels?.deleted ?? []), ...(channels?.ended ?? [])].some(
      (one) => one.nodeId === nodeId && one.channel === channel && one.since === since,
    );
  const isOther = ({ kind, entity }: Version) => entity !== versions?.entity || !versions.kinds.includes(kind);
  return {
    ...rows,
    machines: rows.machines.map((one) => ({ ...one, ...company, ...(machine?.machineId === one.machineId && machine) })),
    definitions: shift
      ? [...rows.definitions.filter(({ id }) => id !== shift.id), shift].sort((a, b) => a.id - b.id)
      : rows.definitions,
    days: day
      ? [
          ...rows.days.filter((one) => !isSameDay(one)),
          ...(day.shifts ? [{ ...day, id: day.id || NEWEST, shifts: day.shifts }] : []),
        ]
      : rows.days,
    standards: standards
      ? [
          ...rows.standards.filter(({ skuId }) => skuId !== standards.skuId),
          ...standards.all.map((one) => ({ skuId: standards.skuId, ...one })),
        ]
      : rows.standards,
    channels: channels
      ? [...rows.channels.filter((one) => !isChanged(one)), ...channels.ended, ...channels.added]
      : rows.channels,
    formerly: [...rows.formerly, ...formerLines],
    dated: versions ? [...rows.dated.filter(isOther), ...datedOf(versions.all, now)] : rows.dated,
  };
}

/** Those that a machine has to know: `selectDated` reads the same. */
function datedOf(versions: readonly Version[], now: number): Version[] {
  return versions.filter(
    ({ kind, withdrawnAt, validFrom, recordedAt, isExplicit }) =>
      withdrawnAt === null &&
      (validFrom <= Math.max(now, recordedAt) || !isExplicit) &&
      versions.some((one) => one.kind === kind && one.isExplicit),
  );
}
