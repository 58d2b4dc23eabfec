import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { auditBy } from "../../http/audit.ts";
import { keepAnswer } from "../../http/idempotency.ts";
import { allowRoles } from "../../http/permission.ts";
import { type Fault, Problem, problemResponses, unavailable } from "../../http/problem.ts";
import { db, objectUsage } from "../../http/session.ts";
import { tellMachines } from "../../machine/tell-machines.ts";
import { findSensors, saveSensors } from "./queries.ts";
import { faultsOf, statusOf } from "./sensor-faults.ts";

const maxTries = 3;
const maxNumber = 2 ** 31;

const number = z.int().min(0).max(maxNumber);
const config = z.object({
  type: z.enum(["cycle", "total", "good", "defect", "rework"]),
  countingFactor: z.int().min(1).max(1_000_000).openapi({ description: "Units per pulse" }),
  channel: number,
  nodeId: number.openapi({ description: "The gateway" }),
});
const named = z.object({ machineRef: z.string().min(1) });
const entry = named.extend({ isCountEnabled: z.boolean(), configs: z.array(config).max(64) });
const listOf = <S extends z.ZodType>(item: S) => z.array(item).max(500).default([]);
const body = z.object({
  companyId: z.int().min(1),
  added: listOf(entry),
  updated: listOf(entry),
  deleted: listOf(named).openapi({ description: "Entries of which `machineRef` alone matters" }),
});

export const contract = createRoute({
  method: "patch",
  path: "/backoffice/machines/count-sensors",
  operationId: "updateCountSensors",
  tags: ["count sensors"],
  summary: "Add, replace and delete the count sensors of a company's machines",
  description: `All or nothing, from now on: past counts keep their factor. Every fault is listed; its kinds make a 400 (a machine or
channel given twice), else a 404 (unknown, or nothing to update or delete), else a 409 (added before, or the channel feeds another machine).
Honours an Idempotency-Key.`,
  ...allowRoles(["superuser"], { isIdempotent: true }),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: body,
          example: {
            companyId: 1,
            added: [],
            updated: [
              {
                machineRef: "INJ-1",
                isCountEnabled: true,
                configs: [
                  { type: "total", countingFactor: 2, channel: 1, nodeId: 1 },
                  { type: "defect", countingFactor: 1, channel: 2, nodeId: 1 },
                ],
              },
            ],
            deleted: [],
          },
        },
      },
    },
  },
  responses: { 204: { description: "Changed" }, ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503) },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { companyId, ...change } = c.req.valid("json");
  const wanted = [...change.added, ...change.updated];
  const outdated = [...change.updated, ...change.deleted];
  const refs = [...change.added, ...outdated].map(({ machineRef }) => machineRef);
  const channels = wanted.flatMap(({ configs }) => configs);
  // Two trips: a refusal names its entries, so the set-up is read before it is written. Whoever is overtaken starts over.
  for (let tries = 0; tries < maxTries; tries++) {
    const current = await findSensors(db(c), companyId, refs, channels);
    if (!current) throw refusal(404, [{ pointer: "/companyId", code: "not_found", message: "names no company" }]);
    const faults = faultsOf(change, current);
    if (faults.length > 0) throw refusal(statusOf(faults), faults);
    const idOf = new Map(current.machines.map(({ ref, machineId }) => [ref, machineId]));
    const saved = wanted.flatMap(({ machineRef, ...sensors }) => {
      const machineId = idOf.get(machineRef);
      return machineId === undefined ? [] : [{ machineId, ...sensors }];
    });
    const removed = outdated.flatMap(({ machineRef }) => idOf.get(machineRef) ?? []);
    const at = { companyId, version: current.version };
    const changed = await saveSensors(db(c), at, { removed, saved }, auditBy(c), keepAnswer(c, 204, null), Date.now());
    if (!changed) continue;
    // From the answer on they take no counts that are addressed by what was before.
    await tellMachines(c.env, changed, objectUsage(c));
    return c.body(null, 204);
  }
  throw unavailable("Others are changing the count sensors of this company. Try again.", 1);
};

function refusal(status: 400 | 404 | 409, errors: readonly Fault[]): Problem {
  const [first] = errors;
  const detail = errors.length === 1 ? `${first?.pointer}: ${first?.message}` : `${errors.length} faults, see errors.`;
  return new Problem(status, detail, { errors });
}
