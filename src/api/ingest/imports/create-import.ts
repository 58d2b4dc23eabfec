import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { idParameter, multilineText } from "../../../core/inputs.ts";
import { importFormats } from "../../../db/values.ts";
import { created, createdAnswer } from "../../../http/created.ts";
import { allowRoles } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { mediaTypeOf, receiveFile } from "../../../http/receive-file.ts";
import { callerOf } from "../../../http/session.ts";
import { importItem } from "./import.ts";
import { createImport, limits } from "./imports.ts";

const query = z.object({
  companyId: idParameter.optional().openapi({ description: "The company; only superusers name another one than their own" }),
  format: z.enum(importFormats).optional().openapi({ description: "Of the file; otherwise its content type says so" }),
});

const fileText = multilineText(limits.fileBytes);

const at = "2026-03-02T06:00:10Z";
const lines = [
  { type: "sku", at, machineId: 1, skuId: "CAP-28" },
  { id: "mes-17", type: "count", at, nodeId: 1, channel: 1, value: 12 },
];
const ndjson = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const csv = `type,at,id,nodeId,channel,value,machineId,skuId\nsku,${at},,,,,1,CAP-28\ncount,${at},mes-17,1,1,12,,\n`;

export const contract = createRoute({
  method: "post",
  path: "/v1/imports",
  operationId: "createImport",
  tags: ["imports"],
  summary: "Import the events of a past time",
  description: `The file has an event of \`POST /v1/ingest\` in each line: as JSON (\`ndjson\`), or in a CSV file, whose first line names the members and where an empty cell
means that the member is left out; columns of other names are ignored. It may have 4 GiB, and is stored while it arrives: send it with
\`content-encoding: gzip\` if something on the way allows less. If it does not arrive whole, nothing is left of it. Then its lines are taken, by the rules
of \`POST /v1/ingest\`: good ones are stored whatever is wrong with others, and each event once. What has an \`id\` is identified by it on its UTC day, other events
by time and content, so that a file that is sent again, or sent again with some lines mended, adds only what is new. The imports of a company
are taken one after the other. \`GET /v1/imports/{id}\` shows how far it is.`,
  ...allowRoles(["admin", "superadmin", "superuser"], { isStreamed: true }),
  request: {
    query,
    body: {
      required: true,
      content: {
        "application/x-ndjson": { schema: fileText, example: ndjson },
        "text/csv": { schema: fileText, example: csv },
      },
    },
  },
  responses: {
    201: createdAnswer(importItem, "The file is stored, and its lines are being taken"),
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { companyId, format = mediaTypeOf(c.req.raw.headers) === "text/csv" ? "csv" : "ndjson" } = c.req.valid("query");
  const store = (file: AsyncIterable<Uint8Array>) => createImport(callerOf(c), { companyId, format }, file);
  return created(c, await receiveFile(c, ["application/x-ndjson", "text/csv"], store));
};
