import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Answer } from "../support/answer.ts";
import { flushMachine } from "../support/machines.ts";
import { type Callers, createCallers } from "./callers.ts";
import { everything } from "./everything.ts";
import { operationById, operations } from "./operations.ts";
import { type GoodRequest, type OperationId, requests } from "./requests.ts";
import { createWorld, nowhere, type World } from "./world.ts";

// To others, a company's things look as if they did not exist, in every operation.

let callers: Callers;
beforeAll(async () => {
  callers = await createCallers();
  // A tag and a message of the company; and a secret of the other one, which its first reader creates.
  for (const id of ["saveTagKey", "testPersona"] as const) await callers.ask(id, "admin", callers.world);
  await callers.ask("getWebhookSecret", "stranger", callers.strange);
  // The service logs thousands of lines that nobody reads.
  vi.spyOn(console, "log").mockReturnValue(undefined);
});
afterAll(() => vi.restoreAllMocks());

/** The values of a request: parts of its path, values of its query and its body, in order. */
function valuesOf({ path, body }: GoodRequest): string[] {
  const { pathname, searchParams } = new URL(path, "http://andon.test");
  const leaves = (part: unknown): string[] =>
    typeof part === "object" && part !== null ? Object.values(part).flatMap(leaves) : [String(part)];
  const parts = [...pathname.split("/").map(decodeURIComponent), ...[...searchParams.values()].flatMap((one) => one.split(","))];
  return [...parts, ...(typeof body === "string" ? body.split(/[,\n]/) : leaves(body))];
}

/** The text of an answer, in which the values that only one of two requests has are masked. */
function unnamed({ status, body }: Answer, sent: GoodRequest, other: GoodRequest): string {
  const others = valuesOf(other);
  const names = valuesOf(sent).filter((value, i) => value !== "" && value !== others[i]);
  const escaped = names.flatMap((name) => [name, encodeURIComponent(name)]).map((name) => name.replaceAll(/[^\w]/g, "\\$&"));
  const text = JSON.stringify({ status, body: { ...body, requestId: undefined } });
  return escaped.reduce((left, name) => left.replaceAll(new RegExp(`(?<!\\w)${name}(?!\\w)`, "g"), "?"), text);
}

/** Sends requests about pairs of worlds as the stranger, and returns the answers: refusals with masked names, else the answer's ids. */
async function bothAnswers(id: OperationId, worlds: (readonly [theirs: World, nobodys: World])[]) {
  const { send } = callers;
  const pairs: (readonly [GoodRequest, GoodRequest])[] = [];
  for (const [theirs, nobodys] of worlds) pairs.push([await requests[id](theirs), await requests[id](nobodys)]);
  let known = await everything();
  const answers: (readonly [unknown, unknown])[] = [];
  for (const [first, second] of pairs) {
    const [one, two] = [await send(id, "stranger", first), await send(id, "stranger", second)];
    if (one.status >= 400) {
      answers.push([unnamed(one, first, second), unnamed(two, second, first)]);
      continue;
    }
    answers.push([shownBy(id, one), shownBy(id, two)]);
    if (isRead(id)) continue;
    // An edit is answered when the machine's object has it. If the database is busy, it gets the edit with a later alarm.
    for (const { id: machineId } of [callers.strange.bench, callers.strange.machine]) await flushMachine(machineId);
    known = await everything();
  }
  expect(await everything()).toEqual(known);
  return answers;
}

/** The status of a successful answer, and the ids in it if it is a read. A write creates new ids. */
function shownBy(id: OperationId, { status, body }: Answer) {
  return { status, ids: isRead(id) ? JSON.stringify(body)?.match(/"\w*id":("[^"]*"|\d+)/gi) : null };
}

function isRead(id: OperationId): boolean {
  return operationById.get(id)?.method === "GET";
}

/** The members of a world that an operation's request reads. */
async function namesIn(id: OperationId): Promise<(keyof World)[]> {
  const read = new Set<keyof World>();
  const observed = new Proxy(nowhere(), {
    get(about, name: keyof World) {
      read.add(name);
      return about[name];
    },
  });
  await requests[id](observed);
  // A time is not the name of anything, and the code of a wall or a terminal belongs to no company.
  const hasTimeOrCode = ["recordStop", "confirmWallPairing", "confirmTerminalPairing", "confirmGatewayPairing"].includes(id);
  return [...read].filter((name) => name !== "shiftStart" && (!hasTimeOrCode || name !== "spare"));
}

/** Grants are the same for all companies. */
const ofAll: readonly OperationId[] = ["getRolePermission"];
const closedOperations = operations.filter(
  ({ id, roles, permission }) => (roles.length > 0 || permission !== undefined) && !ofAll.includes(id),
);

describe("an object of another company", () => {
  it.each(closedOperations)("is answered by $id like an unknown one, except for its name", async ({ id }) => {
    for (const [theirs, nobodys] of await bothAnswers(id, [[callers.world, nowhere()]])) expect(theirs).toEqual(nobodys);
  });

  it.each(closedOperations)("is answered by $id like an unknown one, also among the company's own objects", async ({ id }) => {
    const { world, strange } = callers;
    const none = nowhere();
    const names = await namesIn(id);
    const worlds = names.map(
      (name) =>
        [
          { ...strange, [name]: world[name] },
          { ...strange, [name]: none[name] },
        ] as const,
    );
    for (const [i, [theirs, nobodys]] of (await bothAnswers(id, worlds)).entries()) expect(theirs, names[i]).toEqual(nobodys);
  });

  it.each(operations.filter(({ parameters }) => parameters.some(({ name }) => name === "limit")))(
    "is in no page of $id",
    async ({ id, path, parameters }) => {
      // Those of one subscription are not a list of a company. Those of a gateway's company are in test/api/ingest/gateways.test.ts.
      if (path.includes("{") || id === "listRealtimeOperators" || id === "getOwnGateway") return;
      const { world, send } = callers;
      const byCompany = parameters.some(({ name }) => name === "companyId");
      const idsOf = async (caller: string, query: string) => {
        const { body } = await send(id, caller, { path: `${path}?limit=500${query}` });
        const items: { id?: number | string; machineId?: number; machine?: { id: number }; isSystem?: boolean }[] = body.data;
        return items.flatMap((item) => (item.isSystem ? [] : (item.id ?? item.machineId ?? item.machine?.id)));
      };
      const others = await idsOf("superuser", byCompany ? `&companyId=${world.companyId}` : "");
      if (byCompany) expect(others).not.toEqual([]);
      // All companies have the same grants.
      const own = id === "listRolePermissions" ? [] : await idsOf("stranger", "");
      expect(own.filter((one) => others.includes(one))).toEqual([]);
    },
  );

  it("is ignored by operations that do not refuse it", async () => {
    const { world, strange, send, ask } = callers;
    const { body: operators } = await ask("listRealtimeOperators", "stranger", world);
    expect(operators).toEqual({ totalItems: 0, data: [] });
    const { notificationId } = await createWorld();
    const before = await everything();
    const body = { notificationIds: [notificationId, strange.notificationId] };
    expect((await send("markNotificationsRead", "stranger", { path: "/notifications/markRead", body })).status).toBe(204);
    expect(await everything()).toEqual(before);
    const secretOf = async (caller: string) => (await ask("getWebhookSecret", caller, world)).body;
    expect(await secretOf("stranger")).not.toBe(await secretOf("admin"));
    expect(await secretOf("superadmin")).toBe(await secretOf("admin"));
  });
});
