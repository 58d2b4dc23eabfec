import { describe, expect, it } from "vitest";
import { inOrder, scopeOf, scopeText } from "../../../src/board/domain/calendar.ts";
import { unitsIn } from "../../../src/board/domain/corrections.ts";
import { datesOf, type When } from "../../../src/board/domain/dates.ts";
import { instantOf } from "../../../src/board/domain/days.ts";
import {
  changesOf,
  fieldsOf,
  type Members,
  rebased,
  type SetUpKind,
  typedOf,
  valuesOf,
} from "../../../src/board/domain/set-up.ts";
import { shiftsOn } from "../../../src/board/domain/shifts.ts";

const draftOf = (kind: SetUpKind, item: Members, locale: string): Members => {
  const values = valuesOf(kind, item);
  return Object.fromEntries(fieldsOf(kind, item).map(({ name, kind: of }) => [name, typedOf(of, values[name], locale)]));
};

const items: Record<SetUpKind, Members> = {
  machine: {
    ...{ signal: "counts", stopAfterSeconds: 12000.5, noDataAfterSeconds: null, standardCycleSeconds: 0.000001 },
    ...{ reportingSeconds: null, hourlyRate: 1250, lineId: 3, name: "Press", ref: "P-1" },
    ...{ oeeThresholds: { badBelow: 60.5, goodFrom: 85 }, availabilityThresholds: null, coverageThresholds: null },
  },
  sensors: {
    isCountEnabled: true,
    configs: [{ type: "total", nodeId: 1, channel: 2, countingFactor: 0.333333, wrapsAt: 65536 }],
    machineRef: "P-1",
  },
  sku: { standards: [{ machineId: null, standardCycleSeconds: 12 }] },
  shift: {
    ...{ start: "22:00", end: "06:00", days: ["monday"], machineIds: null },
    breaks: [{ name: "Lunch", start: "02:00", end: "02:30", isIncludedInAvailability: false }],
  },
  company: {
    ...{ timezone: "Europe/Madrid", productionDay: "shiftStart", weekStart: "monday", signOutAtShiftEnd: true },
    ...{ lockAfterDays: null, oeeThresholds: { badBelow: 60, goodFrom: 85 } },
    ...{ availabilityThresholds: { badBelow: 75, goodFrom: 90 }, coverageThresholds: { badBelow: 96, goodFrom: 96 } },
  },
  cause: {
    ...{ level: "specific", parentId: 4, isProgrammed: true, isIncludedInAvailability: true },
    ownFlags: { isProgrammed: null, isIncludedInAvailability: null },
  },
};

describe("a form of the set-up", () => {
  it.each(Object.keys(items) as SetUpKind[])("of a %s that nobody touched changes nothing, in any notation", (kind) => {
    for (const locale of ["en-GB", "es-ES"]) {
      const item = items[kind];
      const found = changesOf(kind, item, draftOf(kind, item, locale), locale);
      expect(found).toMatchObject({ isChanged: false, faults: new Map() });
      // A request replaces all count sensors of a machine.
      expect(Object.keys(found.members)).toEqual(kind === "sensors" ? ["configs", "isCountEnabled"] : []);
    }
  });

  it("sends the members that were changed, and no others", () => {
    const draft = {
      ...draftOf("machine", items.machine, "es-ES"),
      stopAfterSeconds: "60,5",
      noDataAfterSeconds: " ",
      lineId: null,
    };
    expect(changesOf("machine", items.machine, draft, "es-ES").members).toEqual({ stopAfterSeconds: 60.5, lineId: null });
  });

  it("says of what was typed what is wrong with it, and in which line", () => {
    const machine = {
      ...draftOf("machine", items.machine, "en-GB"),
      stopAfterSeconds: "",
      hourlyRate: "many",
      standardCycleSeconds: "1.000",
    };
    expect(changesOf("machine", items.machine, machine, "es-ES").faults.get("stopAfterSeconds")).toEqual({ why: "required" });
    expect(changesOf("machine", items.machine, machine, "en-GB").faults.get("hourlyRate")).toEqual({ why: "number" });
    const rows = [...(draftOf("sku", items.sku, "en-GB").standards as object[]), { machineId: 1, standardCycleSeconds: "" }];
    expect(changesOf("sku", items.sku, { standards: rows }, "en-GB").faults.get("standards")).toEqual({
      why: "required",
      row: 2,
    });
    const shift = { ...draftOf("shift", items.shift, "en-GB"), start: "24:30" };
    expect(changesOf("shift", items.shift, shift, "en-GB").faults.get("start")).toEqual({ why: "clock" });
  });

  it("gives a machine thresholds of its own, or those of the plant, and never half of them", () => {
    const draft = (typed: Members) => ({ ...draftOf("machine", items.machine, "es-ES"), ...typed });
    const own = draft({
      oeeThresholds: { badBelow: " ", goodFrom: "" },
      availabilityThresholds: { badBelow: "70,5", goodFrom: "90" },
    });
    expect(changesOf("machine", items.machine, own, "es-ES").members).toEqual({
      oeeThresholds: null,
      availabilityThresholds: { badBelow: 70.5, goodFrom: 90 },
    });
    const half = draft({ oeeThresholds: { badBelow: "60", goodFrom: "" } });
    expect(changesOf("machine", items.machine, half, "es-ES").faults.get("oeeThresholds")).toEqual({ why: "required" });
    const empty = { ...draftOf("company", items.company, "en-GB"), oeeThresholds: { badBelow: "", goodFrom: "" } };
    expect(changesOf("company", items.company, empty, "en-GB").faults.get("oeeThresholds")).toEqual({ why: "required" });
  });

  it("sends of a cause what is its own, not what it inherits", () => {
    const draft = { ...draftOf("cause", items.cause, "en-GB"), isProgrammed: false };
    expect(changesOf("cause", items.cause, draft, "en-GB").members).toEqual({ isProgrammed: false });
  });
});

describe("from when a change holds", () => {
  const madrid = "Europe/Madrid";
  const when: When = {
    ...{ isNow: false, from: { day: "2026-11-23", clock: "6:00" }, until: "next", end: { day: "2026-11-24", clock: "0:00" } },
    reason: " New mould ",
  };

  it("is an instant of the plant's clock", () => {
    expect(datesOf(when, madrid).dates).toEqual({ effectiveFrom: "2026-11-23T05:00:00.000Z", reason: "New mould" });
    expect(datesOf({ ...when, until: "instant" }, madrid).dates).toMatchObject({ effectiveUntil: "2026-11-23T23:00:00.000Z" });
    expect(datesOf({ ...when, until: "all", reason: "" }, madrid).dates).toEqual({
      effectiveFrom: "2026-11-23T05:00:00.000Z",
      through: "all",
    });
    expect(datesOf({ ...when, isNow: true, until: "all" }, madrid).dates).toEqual({ reason: "New mould" });
  });

  it("is refused where the clock never shows it, and is the first of two", () => {
    expect(instantOf({ day: "2026-03-29", clock: "02:30" }, madrid)).toEqual({ fault: "skipped" });
    expect(instantOf({ day: "2026-10-25", clock: "02:30" }, madrid)).toEqual({ at: Date.parse("2026-10-25T00:30:00Z") });
    expect(datesOf({ ...when, from: { day: "2026-11-23", clock: "x" } }, madrid).faults).toEqual(
      new Map([["effectiveFrom", "clock"]]),
    );
  });
});

describe("the calendar", () => {
  it("lists what is to come first, and then what has passed, the nearest first", () => {
    const days = ["2026-11-01", "2026-12-24", "2026-11-27", "2026-11-20", "2027-01-01"].map((date) => ({ date }));
    expect(inOrder(days, "2026-11-27").map(({ date }) => date)).toEqual([
      ...["2026-11-27", "2026-12-24", "2027-01-01", "2026-11-20", "2026-11-01"],
    ]);
  });

  it("suggests the shifts of the weekday", () => {
    const shifts = [
      { name: "early", start: "06:00", end: "14:00", days: ["friday", "saturday"] },
      { name: "week", start: "14:00", end: "22:00", days: ["monday"] },
    ];
    expect(shiftsOn(shifts, "2026-11-27").map(({ name }) => name)).toEqual(["early"]);
  });

  it.each([{ scope: "company" as const }, { scope: "line" as const, lineId: 3 }, { scope: "machine" as const, machineId: 7 }])(
    "knows for what a day is: $scope",
    (scope) => {
      expect(scopeOf(scopeText({ lineId: null, machineId: null, ...scope }))).toEqual(scope);
    },
  );
});

describe("the units of a correction", () => {
  it("are read with their sign, and left out where nothing was typed", () => {
    expect(unitsIn({ total: "−3", defects: "+1,5", rework: "" }, "es-ES").units).toEqual({ total: -3, defects: 1.5 });
    expect(unitsIn({ total: "", defects: "- 2", rework: "" }, "en-GB").units).toEqual({ defects: -2 });
  });

  it("have their faults by field", () => {
    expect(unitsIn({ total: "-", defects: "1.000", rework: "x" }, "es-ES").faults).toEqual(
      new Map([
        ["total", "number"],
        ["rework", "number"],
      ]),
    );
    expect(unitsIn({ total: "1.000", defects: "", rework: "" }, "en-GB").faults).toEqual(new Map([["total", "ambiguous"]]));
    expect(unitsIn({ total: " ", defects: "", rework: "" }, "en-GB").faults).toEqual(new Map([["total", "nothing"]]));
  });
});

describe("a form whose item somebody else has changed", () => {
  it("keeps what was typed, shows the rest as it is now, and names the fields that are others", () => {
    const before = items.machine;
    const draft = { ...draftOf("machine", before, "es"), hourlyRate: "99,5", signal: "states" };
    const now = { ...before, hourlyRate: 7, stopAfterSeconds: 30.5, name: "Another", updatedAt: "later" };
    expect(rebased("machine", { before, now, draft, locale: "es" })).toEqual({
      draft: { ...draft, stopAfterSeconds: "30,5" },
      changed: ["stopAfterSeconds", "hourlyRate"],
    });
    expect(rebased("machine", { before, now: before, draft, locale: "es" })).toEqual({ draft, changed: [] });
  });

  it("knows a cause by what is its own", () => {
    const before = items.cause;
    const draft = draftOf("cause", before, "en");
    const now = { ...before, isProgrammed: false, ownFlags: { isProgrammed: null, isIncludedInAvailability: false } };
    const found = rebased("cause", { before, now, draft, locale: "en" });
    expect([found.changed, found.draft.isIncludedInAvailability]).toEqual([["isIncludedInAvailability"], false]);
  });
});
