import { createHash } from "node:crypto";
import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, instant, text } from "../../../core/inputs.ts";
import { type Fault, invalid, Problem } from "../../../core/problem.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { db } from "../../../http/session.ts";
import { createItem } from "../create-item.ts";
import { companyOf } from "../scope.ts";
import { type CsvLine, parseCsv } from "./csv.ts";
import { operatorPlan, operatorPlans } from "./operator-plans.ts";
import { type Assignment, findPlanned, type Planned } from "./queries.ts";

const columns = ["operatorCode", "machineRef", "shiftName"] as const;
const maxLines = 5000;
const maxFaults = 100;

const query = z.object({
  companyId: idParameter.optional().openapi({ description: "Whose; for superusers, all others have their own" }),
  title: text(200).min(1),
  since: instant,
  until: instant.openapi({ description: "The plan's end, exclusive" }),
});

export const contract = createRoute({
  method: "post",
  path: "/v1/operator-plans/csv",
  operationId: "uploadOperatorPlan",
  tags: ["operator plans"],
  summary: "Create an operator plan from a CSV file",
  description: `Its first line is \`${columns.join()}\`, each other one an assignment; ${maxLines} at most. Every bad line is named by its number
in the file. A shift's name means the one of that name that the machine has. The plan's \`fileId\` is the SHA-256 of the file's text, without a byte order mark.`,
  ...allowPermission("set-up:write", { isIdempotent: true, costly: "upload" }),
  request: {
    query,
    body: {
      required: true,
      content: { "text/csv": { schema: z.string(), example: `${columns.join()}\nO-17,PRESS-01,Morning\n` } },
    },
  },
  responses: {
    200: { description: "The new operator plan", content: { "application/json": { schema: operatorPlan } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const named = c.req.valid("query");
  const type = c.req.header("content-type");
  if (!/^text\/csv *(;|$)/i.test(type ?? "")) throw new Problem(415, `This operation takes text/csv, not ${type ?? "nothing"}.`);
  const file = await c.req.text();
  const lines = linesOf(file);
  const companyId = companyOf(c, named.companyId, c.var.actor.companyId);
  // Two trips: the file has names, the plan has ids.
  const assignments = assignmentsOf(lines, await findPlanned(db(c), companyId ?? 0, lines));
  const fileId = createHash("sha256").update(file).digest("hex");
  return c.json(operatorPlan.parse(await createItem(c, operatorPlans, { ...named, assignments, fileId })), 200);
};

/** The file's lines but the first, which has to name the columns. */
function linesOf(file: string): CsvLine[] {
  const [head, ...lines] = parseCsv(file);
  const fault = (pointer: string, code: string, message: string) => invalid([{ pointer, code, message }]);
  if (head?.fields.join() !== columns.join()) throw fault("/lines/1", "invalid_head", `must be ${columns.join()}`);
  if (lines.length > maxLines) throw fault("", "too_big", `may hold ${maxLines} assignments at most`);
  return lines;
}

function assignmentsOf(lines: readonly CsvLine[], planned: Planned): Assignment[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const assignments = lines.flatMap(({ number, fields }) => {
    const refuse = (member: string, code: string, message: string) =>
      faults.push({ pointer: `/lines/${number}${member}`, code, message });
    const [code = "", ref = "", shiftName = ""] = fields;
    const operatorId = planned.operators.get(code);
    const machineId = planned.machines.get(ref);
    const shifts = planned.shifts.filter(
      ({ name, machineIds }) => name === shiftName && (machineIds?.includes(machineId ?? 0) ?? true),
    );
    const shiftId = shifts[0]?.id;
    if (fields.length !== columns.length) refuse("", "invalid_line", `must have ${columns.length} fields`);
    else if (seen.has(fields.join("\n"))) refuse("", "repeated", "is in the file already");
    else if (operatorId === undefined) refuse("/operatorCode", "not_found", "names no operator of the company");
    else if (machineId === undefined) refuse("/machineRef", "not_found", "names no machine of the company");
    else if (shiftId === undefined) refuse("/shiftName", "not_found", "names no shift of the machine");
    else if (shifts.length > 1) refuse("/shiftName", "ambiguous", `is the name of ${shifts.length} shifts of the machine`);
    seen.add(fields.join("\n"));
    return operatorId && machineId && shiftId ? { operatorId, machineId, shiftId } : [];
  });
  if (faults.length > 0) throw invalid(faults.slice(0, maxFaults));
  return assignments;
}
