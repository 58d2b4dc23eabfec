import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { flagText, idParameter, listText, multilineText, text } from "../../core/inputs.ts";
import { Problem } from "../../core/problem.ts";
import { setUpImportKinds } from "../../db/values.ts";
import { faultsOf } from "../../http/faults.ts";
import { allowPermission } from "../../http/permission.ts";
import { problemResponses } from "../../http/problem.ts";
import { mediaTypeOf } from "../../http/receive-file.ts";
import { callerOf } from "../../http/session.ts";
import { createSetUpImport, tryImport } from "./imports.ts";
import type { FaultsIn } from "./judge.ts";
import { importKinds } from "./kinds.ts";
import { delimiterNames, encodings, MOST_COLUMNS, MOST_ROWS } from "./read-file.ts";
import { setUpImportReport } from "./report.ts";

/** Rows of 400 bytes, which are half as long in UTF-16. */
const MOST_BYTES = 4 * 1024 * 1024;

const columnsOf = setUpImportKinds.map((kind) => `\`${kind}\`: ${Object.keys(importKinds[kind].columns).join(", ")}`).join("; ");

const query = z.strictObject({
  companyId: idParameter.optional().openapi({ description: "The company; only superusers name another one than their own" }),
  kind: z.enum(setUpImportKinds),
  dryRun: flagText.default(false).openapi({ description: "Only find out what would change: nothing is changed" }),
  mode: z
    .enum(["all", "good"])
    .default("all")
    .openapi({ description: "`all`: nothing is stored if a row is faulty. `good`: the good rows are stored" }),
  encoding: z.enum(encodings).optional().openapi({ description: "Recognised if left out" }),
  delimiter: z.enum(delimiterNames).optional().openapi({ description: "Recognised by the first line if left out" }),
  decimal: z.enum(["point", "comma"]).optional().openapi({ description: "Of numbers. Recognised by them if left out" }),
  header: flagText.default(true).openapi({ description: "Whether the first line names the columns. Without it, `columns` does" }),
  columns: listText(text(40), { type: "string", maxLength: 40 })
    .optional()
    .openapi({
      description:
        "What each column is, from the first on; empty: it is left out. If not given, the headers say it, in English or Spanish",
      example: ["id", "", "name"],
    }),
  answer: z
    .enum(["report", "faulty-rows"])
    .default("report")
    .openapi({ description: "`faulty-rows`, of a dry run: the faulty rows as CSV, with what is wrong in a last column, `why`" }),
});

export const contract = createRoute({
  method: "post",
  path: "/v1/setup/imports",
  operationId: "createSetUpImport",
  tags: ["companies"],
  summary: "Import set-up from a CSV file",
  description: `Each row creates an item, or changes the one that has the same key: the first column below, of stop causes the path. What the file does not name stays. The same file again changes nothing. In one go or not at all: the counts of the answer are what is stored. An
empty cell is what a new item has by default; a column that is missing leaves the items as they are. Cells are texts: \`0005\` stays \`0005\`, and
\`=1+1\` is no formula. At most ${MOST_ROWS} rows, ${MOST_COLUMNS} columns and ${MOST_BYTES / 1024 ** 2} MiB; UTF-8, UTF-16 or Windows-1252. Columns are, for ${columnsOf}. In the column
\`above\` of stop causes are the causes above it, from the topmost one down, as \`Breakdown > Jam\`.`,
  ...allowPermission("set-up:write", { isIdempotent: true, costly: "upload", maxBodyBytes: MOST_BYTES }),
  request: {
    query,
    body: {
      required: true,
      content: {
        "text/csv": { schema: multilineText(MOST_BYTES), example: "id,name\nCAP-28,Cap 28 mm\n" },
      },
    },
  },
  responses: {
    200: {
      description: "What was, or would be, stored",
      content: {
        "application/json": { schema: setUpImportReport },
        "text/csv": { schema: answerText.openapi({ description: "The faulty rows" }) },
      },
    },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const { dryRun, mode, answer, header, decimal, ...named } = c.req.valid("query");
  const type = mediaTypeOf(c.req.raw.headers);
  if (type !== "text/csv")
    throw new Problem(415, `This operation accepts text/csv, not ${type.slice(0, 100) || "a body without a content-type"}.`);
  const faultsIn: FaultsIn = (issues) => faultsOf(issues, "json");
  const asked = { ...named, hasHeader: header, decimal: decimal && (decimal === "comma" ? "," : "."), faultsIn } as const;
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  if (!dryRun) return c.json(await createSetUpImport(callerOf(c), { ...asked, mode }, bytes), 200);
  const { report, faulty } = await tryImport(callerOf(c), asked, bytes);
  if (answer === "report") return c.json(report, 200);
  const headers = { "content-type": "text/csv; charset=utf-8", "content-disposition": 'attachment; filename="faulty-rows.csv"' };
  return c.body(faulty, 200, headers);
};
