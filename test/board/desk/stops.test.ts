import { describe, expect, it } from "vitest";
import { type Cause, causeChoices, choiceOf, chosenCauses } from "../../../src/board/domain/causes.ts";
import { changeOf } from "../../../src/board/domain/changes.ts";

describe("the changes of a stop", () => {
  const stop = (members: object = {}) => ({
    ...{ name: null, generalCauseId: null, specificCauseId: null, componentId: null, description: null },
    ...members,
  });

  it("are described from the stop before and after", () => {
    const jam = stop({ generalCauseId: "3", specificCauseId: "12" });
    expect(changeOf("classify", stop(), jam)).toEqual({ kind: "classified", causeIds: ["3", "12"] });
    expect(changeOf("classify", jam, stop({ generalCauseId: "3" }))).toEqual({ kind: "classified", causeIds: ["3"] });
    expect(changeOf("classify", jam, { ...jam, description: "Belt" })).toEqual({ kind: "noted" });
    expect(changeOf("classify", stop(), stop({ description: "Belt" }))).toEqual({ kind: "noted" });
    expect(changeOf("classify", jam, stop())).toEqual({ kind: "unclassified" });
    expect(changeOf("change", stop(), stop({ name: "Drill" }))).toEqual({ kind: "named", name: "Drill" });
    expect(changeOf("change", stop({ name: "Drill" }), stop({ name: "Drill", isProgrammed: true }))).toEqual({ kind: "changed" });
    const parts = [stop({ endTime: "2026-11-22T10:00:00.000Z" }), stop({ startTime: "2026-11-22T10:00:00.000Z" })];
    expect(changeOf("split", stop(), parts)).toEqual({ kind: "split", at: "2026-11-22T10:00:00.000Z" });
    expect(changeOf("merge", parts, stop())).toEqual({ kind: "merge", count: 2 });
    expect(changeOf("record", null, stop())).toEqual({ kind: "record" });
    expect(changeOf("delete", stop(), null)).toEqual({ kind: "delete" });
  });
});

describe("the causes to choose from", () => {
  const cause = (id: number, level: Cause["level"], name: string, parentId: number | null = null): Cause => ({
    ...{ id, level, name, parentId },
  });
  const causes = [
    cause(1, "general", "Jam"),
    cause(2, "general", "Breakdown"),
    cause(11, "specific", "Part stuck", 1),
    cause(12, "specific", "Belt", 1),
    cause(19, "specific", "Fire drill"),
    cause(21, "component", "Roller", 12),
    cause(22, "component", "Door"),
  ];
  const named = (id: number, name: string) => ({ id, name });

  it("are general causes with the specific ones below them, by name", () => {
    const { groups, components } = causeChoices(causes, null);
    expect(groups.map(({ options }) => options.map(({ value, label }) => `${value} ${label}`))).toEqual([
      ["2/ Breakdown"],
      ["1/ Jam", "1/12 Jam › Belt", "1/11 Jam › Part stuck"],
      ["/19 Fire drill"],
    ]);
    expect(components("1/12").map(({ name }) => name)).toEqual(["Door", "Roller"]);
    expect(components("2/").map(({ name }) => name)).toEqual(["Door"]);
  });

  it("include the stop's own cause, even if it was deleted", () => {
    const given = { generalCause: named(7, "Old"), specificCause: null, component: named(77, "Old part") };
    const { groups, components } = causeChoices(causes, given);
    expect(groups[0]?.options).toEqual([{ value: "7/", label: "Old" }]);
    expect(components("7/").map(({ name }) => name)).toEqual(["Old part", "Door"]);
    expect(choiceOf(given)).toBe("7/");
    expect([choiceOf(null), choiceOf({ ...given, generalCause: null })]).toEqual(["", ""]);
  });

  it("are converted to the members of a classification", () => {
    expect(chosenCauses("1/12", causes)).toEqual({ generalCauseId: "1", specificCauseId: "12" });
    expect(chosenCauses("1/", causes)).toEqual({ generalCauseId: "1", specificCauseId: null });
    expect(chosenCauses("/19", causes)).toEqual({ generalCauseId: null, specificCauseId: "19" });
    expect(chosenCauses("/12", causes)).toEqual({ generalCauseId: "1", specificCauseId: "12" });
    expect(chosenCauses("", causes)).toEqual({ generalCauseId: null, specificCauseId: null });
  });
});
