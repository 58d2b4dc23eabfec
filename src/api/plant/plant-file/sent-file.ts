import { z } from "@hono/zod-openapi";
import { distinct, nameText } from "../../../core/inputs.ts";
import { isoOf, weekdays } from "../../../oee/time.ts";
import type { SetUpRow } from "../../../resource/queries.ts";
import type { Item, Resource } from "../../../resource/resource.ts";
import { inOrder, sentSensors } from "../../ingest/count-sensors/members.ts";
import type { ChannelConfig } from "../../ingest/count-sensors/queries.ts";
import { calendarDays } from "../calendar-days/resource.ts";
import { companies } from "../companies/resource.ts";
import { lines } from "../lines/resource.ts";
import { machines } from "../machines/resource.ts";
import { clock, sentBreaks } from "../shifts/members.ts";
import { shifts } from "../shifts/resource.ts";
import { skus } from "../skus/resource.ts";
import { stopCauses } from "../stop-causes/resource.ts";
import type { PlantKind } from "./kinds.ts";
import { ownMembers } from "./members.ts";
import { MOST_OF_KIND } from "./queries.ts";
import { sorted } from "./sorted.ts";

// A plant file as somebody sends it. Of an entry that there is, what is left out stays as it is; of a new one, it is as usual.

type Shape = Record<string, z.ZodType>;
type Declared = Pick<Resource<SetUpRow>, "members">;

const changed = ({ members }: Declared) => ownMembers(members.change.shape as Shape);
const created = ({ members }: Declared) => ownMembers(members.create.shape as Shape);

const lineName = nameText(200);
const machineRef = nameText(100).openapi({ description: "The `ref` of a machine" });
const shiftName = nameText(100);
const line = lineName.nullable();
/** Empty if all machines that it named were deleted. */
const machinesOfShift = distinct(machineRef).nullable();
const daysOfCalendar = created(calendarDays) as { date: z.ZodType; scope: z.ZodType };
const standards = z
  .array(z.strictObject({ machine: machineRef.nullable(), standardCycleSeconds: z.number().gt(0).max(86_400) }))
  .max(1000);
const path = z.array(nameText(200)).min(1).max(20);
const causeFlags = changed(stopCauses) as { isProgrammed: z.ZodType; isIncludedInAvailability: z.ZodType };
const { level } = created(stopCauses) as { level: z.ZodType };

const dayEntry = z.strictObject({
  date: daysOfCalendar.date,
  scope: daysOfCalendar.scope,
  line: line.default(null),
  machine: machineRef.nullable().default(null),
  shifts: z
    .array(z.strictObject({ shift: shiftName, start: clock("", "06:00"), end: clock("", "12:00"), breaks: sentBreaks }))
    .max(10)
    .openapi({ description: "Empty: it is closed" }),
});
const causeEntry = z.strictObject({
  path,
  level,
  isProgrammed: causeFlags.isProgrammed,
  isIncludedInAvailability: causeFlags.isIncludedInAvailability,
});

/** The schemas of an entry that there is, and of a new one. */
const schemas = {
  lines: [z.strictObject({ ...changed(lines), name: lineName }), z.object(created(lines))],
  machines: [
    z.strictObject({
      ...changed(machines),
      ref: machineRef,
      line: line.optional(),
      countSensors: sentSensors.nullable().optional(),
    }),
    z.object({ ...created(machines), line: line.default(null), countSensors: sentSensors.nullable().default(null) }),
  ],
  shifts: [
    z.strictObject({ ...changed(shifts), name: shiftName, machines: machinesOfShift.optional() }),
    z.object({ ...created(shifts), machines: machinesOfShift.default(null) }),
  ],
  calendarDays: [dayEntry, dayEntry],
  skus: [
    z.strictObject({
      id: skus.members.create.shape.id as z.ZodType,
      name: nameText(200).optional(),
      standards: standards.optional(),
    }),
    z.object({ id: skus.members.create.shape.id as z.ZodType, name: nameText(200), standards: standards.default([]) }),
  ],
  stopCauses: [
    causeEntry,
    causeEntry.extend({
      isProgrammed: z.boolean().nullable().default(null),
      isIncludedInAvailability: z.boolean().nullable().default(null),
    }),
  ],
  defectReasons: [z.strictObject({ name: nameText(200) }), z.object({ name: nameText(200) })],
} satisfies Record<Exclude<PlantKind, "company">, [z.ZodObject, z.ZodObject]>;

const listOf = <S extends z.ZodType>(entry: S) => z.array(entry).max(MOST_OF_KIND).optional();

/** The schema of a file as it is sent. */
export const sentPlantFile = z.strictObject({
  formatVersion: z.literal(1),
  company: z.strictObject(changed(companies)).optional(),
  lines: listOf(schemas.lines[0]),
  machines: listOf(schemas.machines[0]),
  shifts: listOf(schemas.shifts[0]),
  calendarDays: listOf(schemas.calendarDays[0]),
  skus: listOf(schemas.skus[0]),
  stopCauses: listOf(schemas.stopCauses[0]),
  defectReasons: listOf(schemas.defectReasons[0]),
});

/** A name that an entry uses: of what, and at which member. */
export interface Named {
  to: "lines" | "machines" | "shifts" | "stopCauses";
  name: string;
  member: string;
}

export interface EntryKind {
  kind: Exclude<PlantKind, "company">;
  /** The members that tell it from others of its kind. */
  keyOf(entry: Item): Item;
  /** What others call it, if they name it. */
  nameOf?(entry: Item): string;
  namesIn(entry: Item): Named[];
  /** The parsed entry as `GET` would show it. */
  shown(parsed: Item): Item;
}

type Texts = readonly string[];

/** The kinds of lists, in the order of `plantKinds`. */
export const entryKinds: readonly EntryKind[] = [
  {
    kind: "lines",
    keyOf: ({ name }) => ({ name }),
    nameOf: ({ name }) => String(name),
    namesIn: () => [],
    shown: (parsed) => parsed,
  },
  {
    kind: "machines",
    keyOf: ({ ref }) => ({ ref }),
    nameOf: ({ ref }) => String(ref),
    namesIn: ({ line }) => named("lines", line, "/line"),
    shown: shownMachine,
  },
  {
    kind: "shifts",
    keyOf: ({ name }) => ({ name }),
    nameOf: ({ name }) => String(name),
    namesIn: ({ machines }) => ((machines ?? []) as Texts).flatMap((ref, i) => named("machines", ref, `/machines/${i}`)),
    shown: ({ days, ...others }) => ({
      ...others,
      ...(days !== undefined && { days: (days as number[]).map((day) => weekdays[day - 1]) }),
      ...(Array.isArray(others.machines) && { machines: (others.machines as string[]).toSorted() }),
    }),
  },
  {
    kind: "calendarDays",
    keyOf: ({ date, scope, line, machine }) => ({ date, scope, line, machine }),
    namesIn: ({ line, machine, shifts }) => [
      ...named("lines", line, "/line"),
      ...named("machines", machine, "/machine"),
      ...(shifts as { shift: string }[]).flatMap(({ shift }, i) => named("shifts", shift, `/shifts/${i}/shift`)),
    ],
    shown: (parsed) => parsed,
  },
  {
    kind: "skus",
    keyOf: ({ id }) => ({ id }),
    namesIn: ({ standards }) =>
      ((standards ?? []) as { machine: string | null }[]).flatMap(({ machine }, i) =>
        named("machines", machine, `/standards/${i}/machine`),
      ),
    shown: ({ standards, ...others }) => ({
      ...others,
      ...(standards !== undefined && {
        standards: sorted(standards as { machine: string | null }[], ({ machine }) => [machine ?? ""]),
      }),
    }),
  },
  {
    kind: "stopCauses",
    keyOf: ({ path, level }) => ({ path, level }),
    nameOf: ({ path }) => JSON.stringify(path),
    namesIn: ({ path }) => {
      const above = (path as Texts).slice(0, -1);
      return above.length === 0 ? [] : named("stopCauses", JSON.stringify(above), "/path");
    },
    shown: (parsed) => parsed,
  },
  {
    kind: "defectReasons",
    keyOf: ({ name }) => ({ name }),
    namesIn: () => [],
    shown: (parsed) => parsed,
  },
];

function named(to: Named["to"], name: unknown, member: string): Named[] {
  return typeof name === "string" ? [{ to, name, member }] : [];
}

function shownMachine({ commissionedAt, decommissionedAt, countSensors, ...others }: Item): Item {
  const sensors = countSensors as { isCountEnabled: boolean; configs: ChannelConfig[] } | null | undefined;
  return {
    ...others,
    ...(commissionedAt !== undefined && { commissionedAt: isoOf(commissionedAt as number) }),
    ...(decommissionedAt !== undefined && { decommissionedAt: isoOf(decommissionedAt as number | null) }),
    ...(sensors !== undefined && { countSensors: sensors && { ...sensors, configs: inOrder(sensors.configs) } }),
  };
}

/** A new entry with what is usual where it says nothing, or the members that it lacks. */
export function newEntry(kind: EntryKind["kind"], sent: unknown): { parsed: Item } | { missing: string[] } {
  const { success, data, error } = schemas[kind][1].safeParse(sent);
  if (success) return { parsed: data as Item };
  // Whatever else could be wrong, the schema of the file has refused before.
  return { missing: error.issues.map(({ path: at }) => `/${at.join("/")}`) };
}
