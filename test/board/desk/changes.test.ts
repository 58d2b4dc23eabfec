import { describe, expect, it } from "vitest";
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
