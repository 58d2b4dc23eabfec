import { describe, expect, it } from "vitest";
import {
  allChoices,
  byName,
  type Cause,
  causeIdsOf,
  causeKey,
  causePath,
  causeTree,
  choiceOf,
  choiceWith,
  componentsFor,
  favouriteChoices,
  treeWith,
} from "../../src/board/domain/causes.ts";

const cause = (id: number, level: Cause["level"], name: string, parentId: number | null = null): Cause => ({
  ...{ id, level, name, parentId, isProgrammed: false },
});
const causes = [
  cause(1, "general", "Jam"),
  cause(2, "general", "Breakdown"),
  cause(11, "specific", "Part stuck", 1),
  cause(12, "specific", "Belt", 1),
  cause(19, "specific", "Fire drill"),
  cause(21, "component", "Roller", 12),
  cause(22, "component", "Door"),
  cause(23, "component", "Chute", 1),
];
const tree = causeTree(causes);
const choices = allChoices(tree);
const named = (id: number, name: string) => ({ id, name });
const given = (general: number | null, specific: number | null = null) => ({
  generalCause: general === null ? null : named(general, `general ${general}`),
  specificCause: specific === null ? null : named(specific, `specific ${specific}`),
});

describe("the causes to choose from", () => {
  it("are a tree in the order of the set-up", () => {
    expect(tree.map(({ general, specifics }) => [general?.path, ...specifics.map(({ path }) => path)])).toEqual([
      ["Jam", "Jam › Part stuck", "Jam › Belt"],
      ["Breakdown"],
      [undefined, "Fire drill"],
    ]);
    expect(choices.map(({ key, name }) => `${key} ${name}`)).toEqual([
      ...["1/11 Part stuck", "1/12 Belt", "1/ Jam", "2/ Breakdown", "/19 Fire drill"],
    ]);
    expect(choices[1]).toEqual({
      ...{ key: "1/12", generalCauseId: 1, specificCauseId: 12, name: "Belt", path: "Jam › Belt", isProgrammed: false },
    });
  });

  it("can be in the order of their names, which leaves those of the set-up as they are", () => {
    const keys = allChoices(causeTree(byName(causes))).map(({ key }) => key);
    expect(keys).toEqual(["2/", "1/12", "1/11", "1/", "/19"]);
    expect(causes[0]?.id).toBe(1);
  });

  it("are programmed if their own cause is, not if the one above it is", () => {
    const [general, ...others] = causes;
    const programmed = causeTree([{ ...(general as Cause), isProgrammed: true }, ...others]);
    expect(programmed[0]).toMatchObject({ general: { isProgrammed: true }, specifics: [{ isProgrammed: false }, {}] });
  });

  it("include the stop's own cause, even if it was deleted", () => {
    expect(treeWith(given(7), tree)[0]).toMatchObject({ general: null, specifics: [{ key: "7/", path: "general 7" }] });
    expect(treeWith(given(1, 77), tree)[0]?.specifics).toMatchObject([{ key: "1/77", path: "general 1 › specific 77" }]);
    for (const known of [null, given(null), given(1), given(1, 12), given(null, 12)]) expect(treeWith(known, tree)).toBe(tree);
  });

  it("are those that the machine uses most, then the others in the order of the tree", () => {
    const uses = [
      { ...given(2), stopCount: 3 },
      { ...given(1, 12), stopCount: 4 },
      // A program gave it without its general cause.
      { ...given(null, 12), stopCount: 3 },
      { ...given(77), stopCount: 99 },
      { ...given(null), stopCount: 99 },
    ];
    expect(favouriteChoices(tree, uses).map(({ name }) => name)).toEqual([
      ...["Belt", "Breakdown", "Part stuck", "Jam", "Fire drill"],
    ]);
    expect(favouriteChoices(tree, uses, 2).map(({ name }) => name)).toEqual(["Belt", "Breakdown"]);
    expect(favouriteChoices(tree, [])[0]?.name).toBe("Part stuck");
  });
});

describe("the choice of a stop", () => {
  it("is the one of the causes that it was given", () => {
    expect([given(1, 12), given(1), given(null, 19)].map((one) => choiceOf(one, choices)?.key)).toEqual(["1/12", "1/", "/19"]);
    expect(choiceOf(given(null, 12), choices)?.key).toBe("1/12");
    // The general cause that a stop was given stays, if the specific one has been moved below another one since.
    for (const none of [null, given(null), given(7), given(2, 12)]) expect(choiceOf(none, choices)).toBeNull();
  });

  it("is found by its key, and gives a request its members", () => {
    expect(causeIdsOf(choiceWith("1/12", tree))).toEqual({ generalCauseId: 1, specificCauseId: 12 });
    expect(causeIdsOf(choiceWith("1/", tree))).toEqual({ generalCauseId: 1, specificCauseId: null });
    expect(causeIdsOf(choiceWith("/19", tree))).toEqual({ generalCauseId: null, specificCauseId: 19 });
    expect(causeIdsOf(choiceWith("", tree))).toEqual({ generalCauseId: null, specificCauseId: null });
  });

  it("has a key and names, also of causes that are no choice", () => {
    expect([given(1, 12), given(7), given(null, 12), given(null)].map(causeKey)).toEqual(["1/12", "7/", "/12", "/"]);
    expect([given(1, 12), given(7), given(null)].map(causePath)).toEqual(["general 1 › specific 12", "general 7", ""]);
  });

  it("has the components of its causes, those of none, and the stop's own", () => {
    const names = (key: string, own = false) =>
      componentsFor(choiceWith(key, tree), causes, own ? named(77, "Old part") : null).map(({ name }) => name);
    expect(names("1/12")).toEqual(["Roller", "Door", "Chute"]);
    expect(names("1/11")).toEqual(["Door", "Chute"]);
    expect(names("2/")).toEqual(["Door"]);
    expect(names("")).toEqual(["Door"]);
    expect(names("2/", true)).toEqual(["Old part", "Door"]);
    expect(componentsFor(null, causes, named(22, "Door")).map(({ id }) => id)).toEqual([22]);
  });
});
