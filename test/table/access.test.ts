import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Role, roles } from "../../src/db/schema.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createGatewayToken, createUser, createUserConfig } from "../support/factories.ts";
import { contract } from "./contract.ts";
import { createWorld, nowhere, requests, type World } from "./world.ts";

// Who gets what about a company's things. The stranger is a superadmin of another company; a superuser is the first one
// asked for things that are nowhere. 17 is about another user's config, 17 own about one's own.
const table = `
op      nobody broken gateway superuser superadmin admin user readonly stranger nowhere
1       401    401    403     200       403        403   403  403      403      200
2       401    401    403     204       403        403   403  403      403      404
3       401    401    403     200       200        200   403  403      404      404
4       401    401    403     200       200        200   200  200      404      404
5       401    401    403     200       200        200   200  200      404      404
6       401    401    403     200       200        200   200  403      400      400
7       200    200    200     200       200        200   200  200      200      401
8       401    401    403     200       200        200   200  200      200      200
9       401    401    403     204       204        204   204  403      404      404
10      401    401    403     200       403        403   403  403      403      404
11      401    401    403     200       403        403   403  403      403      200
12      401    401    403     200       200        403   403  403      404      404
13      401    401    403     200       200        200   200  200      404      404
14      401    401    403     204       403        403   403  403      403      404
15      401    401    403     204       204        204   204  403      404      404
16      401    401    403     204       204        204   204  403      404      404
17      401    401    403     204       204        204   403  403      404      404
17_own  401    401    403     204       204        204   204  204      204      204
18      401    401    403     200       200        200   200  200      404      404
19      401    401    403     200       200        200   200  200      404      404
20      401    401    403     200       200        200   200  200      404      404
21      401    401    403     204       204        204   204  204      204      204
22      401    401    403     200       200        200   403  403      200      200
`;

const [columns = [], ...rows] = table
  .trim()
  .split("\n")
  .map((line) => line.split(/\s+/));
const cells = rows.flatMap(([row = "", ...statuses]) =>
  statuses.map((status, i) => ({ row, op: Number.parseInt(row, 10), caller: columns[i + 1] ?? "", status: Number(status) })),
);

interface Caller {
  token?: string;
  userId?: number;
  companyId?: number;
}

let world: World;
let strange: World;
const callers: Record<string, Caller> = {};
beforeAll(async () => {
  [world, strange] = [await createWorld(), await createWorld()];
  for (const role of roles) callers[role] = await createUser(world.companyId, role);
  callers.nobody = {};
  callers.broken = { token: `${callers.superuser?.token?.slice(0, -4)}AAAA` };
  callers.gateway = await createGatewayToken(world.companyId);
  callers.stranger = await createUser(strange.companyId, "superadmin");
  callers.nowhere = callers.superuser ?? {};
});

async function ask(row: string, op: number, { token, userId, companyId }: Caller, about: World) {
  const method = contract.find(([number]) => number === op)?.[1] ?? "";
  const request = requests[op]?.(about);
  const own = row.endsWith("own") && userId !== undefined ? { userId, companyId } : undefined;
  return call(method, request?.path ?? "", { ...(token !== undefined && { token }), body: own ?? request?.body });
}

/** All that operations write, beside what machines' objects flush at their own time. */
async function everythingOf(): Promise<string> {
  const tables = `count_sensors count_channels tag_keys dashboards widgets operator_plans work_orders work_order_machines
    work_order_targets work_order_progress personas role_permissions user_configs notifications webhook_secrets`;
  const all = await env.DB.batch(tables.split(/\s+/).map((name) => env.DB.prepare(`select * from ${name}`)));
  const { objects } = await env.THUMBNAILS.list();
  return JSON.stringify([all.map(({ results }) => results), objects.map(({ key }) => key)]);
}

it("has a cell for each operation of the contract and each caller", () => {
  expect([...new Set(cells.map(({ op }) => op))]).toEqual(contract.map(([op]) => op));
  for (const [, ...statuses] of rows) expect(statuses).toHaveLength(columns.length - 1);
});

describe.each(rows.map(([row = ""]) => row))("operation %s", (row) => {
  it.each(cells.filter((cell) => cell.row === row))("answers $caller with $status", async ({ op, caller, status }) => {
    const before = await everythingOf();
    const answer = await ask(row, op, callers[caller] ?? {}, caller === "nowhere" ? nowhere() : world);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (status >= 400) {
      expectProblem(answer, status);
      expect(await everythingOf()).toBe(before);
    }
  });
});

describe("what is another company's", () => {
  it("is passed over where an operation does not refuse it", async () => {
    const { token } = callers.stranger ?? {};
    const asStranger = { ...(token !== undefined && { token }) };
    const [ofOperators, toNotifications] = [requests[8]?.(world), requests[21]?.(world)];
    expect((await call("GET", ofOperators?.path ?? "", asStranger)).body).toEqual({ totalItems: 0, data: [] });
    const { notificationId } = await createWorld();
    const before = await everythingOf();
    const body = { notificationIds: [notificationId, strange.notificationId] };
    expect((await call("PATCH", toNotifications?.path ?? "", { ...asStranger, body })).status).toBe(204);
    expect(await everythingOf()).toBe(before);
    const secretOf = async (caller: string) => (await ask("22", 22, callers[caller] ?? {}, world)).body;
    expect(await secretOf("stranger")).not.toBe(await secretOf("admin"));
    expect(await secretOf("superadmin")).toBe(await secretOf("admin"));
  });

  it("is refused as what does not exist is, but for its name", async () => {
    const { token = "" } = callers.stranger ?? {};
    const unnamed = (text: string, { machine, user, ...names }: World) => {
      const all = [user.userId, machine.id, machine.ref, ...Object.values(names)];
      return all.reduce<string>((left, name) => left.replaceAll(new RegExp(`\\b${name}\\b`, "g"), "?"), text);
    };
    for (const { row, op, status } of cells.filter(
      ({ caller, status }) => caller === "stranger" && [400, 404].includes(status),
    )) {
      const none = nowhere();
      const [theirs, nobodys] = [await ask(row, op, { token }, world), await ask(row, op, { token }, none)];
      expect([theirs.status, nobodys.status], row).toEqual([status, status]);
      const told = ({ body }: typeof theirs, about: World) => unnamed(JSON.stringify({ ...body, requestId: "" }), about);
      expect(told(theirs, world), row).toBe(told(nobodys, none));
    }
  });
});

describe("grants, where the contract lists no roles", () => {
  afterAll(() => vi.useRealTimers());

  it("decide, and a change of theirs is felt within thirty seconds", async () => {
    const { token: superuser = "" } = callers.superuser ?? {};
    const seeded = await env.DB.prepare(
      `select id, permission_id from role_permissions where role_id = 'user'
        and permission_id in ('work-orders:write', 'targets:write', 'progress:write')`,
    ).all<{ id: string; permission_id: string }>();
    expect(seeded.results).toHaveLength(3);
    const statusOf = async (role: Role, op: number) => (await ask(String(op), op, callers[role] ?? {}, world)).status;
    const operations = [6, 9, 15, 16];
    const statuses = (role: Role) => Promise.all(operations.map((op) => statusOf(role, op)));
    const done = [200, 204, 204, 204];
    expect([await statuses("user"), await statuses("readonly")]).toEqual([done, Array(4).fill(403)]);

    const give = async (roleId: Role) => {
      for (const { id, permission_id: permissionId } of seeded.results) {
        const answer = await call("PUT", `/role-permissions/${id}`, { token: superuser, body: { roleId, permissionId } });
        expect(answer.status).toBe(204);
      }
      vi.setSystemTime(Date.now() + 30_000);
    };
    vi.useFakeTimers({ toFake: ["Date"] });
    await give("readonly");
    expect([await statuses("user"), await statuses("readonly")]).toEqual([Array(4).fill(403), done]);
    expect(await statuses("superuser")).toEqual(done);
    await give("user");
    expect([await statuses("user"), await statuses("readonly")]).toEqual([done, Array(4).fill(403)]);
  });

  it("say who deletes configs: the own one, and others'", async () => {
    const { userId } = await createUser((await createCompany()).companyId, "user");
    const other = await createUser(world.companyId, "admin");
    for (const [role, body, status] of [
      ["user", { userId: other.userId, companyId: world.companyId }, 403],
      ["admin", { userId, companyId: world.companyId }, 404],
      ["superuser", { userId: other.userId, companyId: world.companyId }, 204],
    ] as const) {
      await createUserConfig(other.userId, world.companyId).catch(() => undefined);
      expect((await call("DELETE", "/config", { token: callers[role]?.token ?? "", body })).status, role).toBe(status);
    }
  });
});
