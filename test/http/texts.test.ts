import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { MINUTE } from "../support/clock.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { countAt, createLine, ingest } from "../support/machines.ts";

async function plant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  return Object.assign((path: string, body: object) => call("POST", path, { token, body }), { companyId });
}

describe("a text", () => {
  it.each([
    ["half of a surrogate pair", "a\ud800"],
    ["NUL", "a\0"],
    ["a control character", "a\u0007"],
    ["a control character of Latin-1", "a\u0085"],
  ])("with %s is refused in a name, an id and a comment", async (_, bad) => {
    const post = await plant();
    expectProblem(await post("/v1/skus", { id: "A", name: bad, standards: [] }), 400, "/name");
    expectProblem(await post("/v1/skus", { id: bad, name: "A", standards: [] }), 400, "/id");
    const tag = {
      companyId: post.companyId,
      sort: 1,
      subject: "Machines",
      tagKey: "k",
      description: bad,
      color: "red",
      isDefault: false,
    };
    expectProblem(await post("/tags/key", tag), 400, "/description");
  });

  it.each([
    ["spaces alone", "   "],
    ["a zero-width space", "a\u200b"],
    ["a line break", "\r\nx"],
    ["a tab", "\tx"],
    ["a control of direction", "abc\u202ecba"],
    ["a filler that shows nothing", "\u3164"],
  ])("of %s is refused as a name", async (_, name) => {
    const post = await plant();
    expectProblem(await post("/v1/skus", { id: "A", name, standards: [] }), 400, "/name");
    expectProblem(await post("/v1/operators", { code: "A", name }), 400, "/name");
  });

  it("that is a dot or two is refused as an id of the caller's, because paths drop it", async () => {
    const post = await plant();
    for (const id of [".", ".."]) expectProblem(await post("/v1/skus", { id, name: "A", standards: [] }), 400, "/id");
    for (const id of ["...", "A.B", "Ärger 5 \u{1f600}"]) {
      expect((await post("/v1/skus", { id, name: "Family \u{1f468}\u200d\u{1f469}", standards: [] })).status).toBe(201);
    }
  });

  it("that no store would return costs its event of a batch, and no other", async () => {
    const { machine, token } = await createLine();
    const at = Date.now() - MINUTE;
    const sent = ["good", "half \ud800", "bell \u0007", "line\nbreak"].map((id, i) => countAt(machine.nodeId, at + i, 1, { id }));
    const answer = await ingest(token, sent);
    expect(answer).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(answer.rejected.map(({ index, code }) => [index, code])).toEqual([
      [1, "invalid_event"],
      [2, "invalid_event"],
      [3, "invalid_event"],
    ]);
  });

  it("that is not UTF-8 is refused with its body, so that two ids do not become one", async () => {
    const { machine, token } = await createLine();
    const body = Buffer.from(
      JSON.stringify({ events: [countAt(machine.nodeId, Date.now() - MINUTE, 1, { id: "\u00e9" })] }),
      "latin1",
    );
    const headers = { "content-type": "application/json" };
    const answer = await call("POST", "/v1/ingest", { token, body, headers });
    expectProblem(answer, 400, "");
    expect(answer.body.errors[0].code).toBe("malformed_utf8");
  });
});
