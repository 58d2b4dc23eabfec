import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { companyQuery, flagText, multilineText } from "../../../core/inputs.ts";
import { invalid, Problem } from "../../../core/problem.ts";
import { utf8Text } from "../../../core/utf8.ts";
import { faultsOf, unknownMember } from "../../../http/faults.ts";
import { unknownMembers } from "../../../http/members.ts";
import { allowPermission } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf } from "../../../http/session.ts";
import type { Item } from "../../../resource/resource.ts";
import { putPlantFile } from "./apply.ts";
import { MOST_FAULTS, plantKinds, YAML } from "./kinds.ts";
import { namingLines } from "./naming-lines.ts";
import { readYaml } from "./read-yaml.ts";
import { sentPlantFile } from "./sent-file.ts";

const MOST_BYTES = 1024 * 1024;

const members = z.record(answerText, z.unknown());
const difference = z.object({
  kind: z.enum(plantKinds),
  key: members.openapi({ description: "The members that tell it from others of its kind", example: { ref: "PRESS-01" } }),
});
const before = members.openapi({ description: "The members that differ, as they were" });
const answer = z
  .object({
    dryRun: z.boolean(),
    created: z.array(difference.extend({ after: members })),
    changed: z.array(difference.extend({ before, after: members.openapi({ description: "The same, as they are then" }) })),
    deleted: z.array(difference).openapi({ description: "Only with `prune`" }),
    unchanged: z.int().openapi({ description: "How many entries of the file are as they were" }),
  })
  .openapi("PlantChanges");

const example = "formatVersion: 1\nlines:\n- name: Line 1\n  order: 1\n";

export const contract = createRoute({
  method: "put",
  path: "/v1/plant",
  operationId: "putPlantFile",
  tags: ["companies"],
  summary: "Make the set-up of a plant what a file says",
  description: `All or nothing. The same file again changes nothing. What the file does not name stays. The answer says what was created, changed and deleted. YAML 1.2
without anchors, aliases, tags and directives, or JSON. Each fault is named by its JSON pointer, and in YAML by its line.`,
  ...allowPermission("set-up:write", { isIdempotent: true, costly: "upload" }),
  request: {
    query: z.strictObject({
      companyId: companyQuery,
      dryRun: flagText.default(false).openapi({ description: "Only find out what would change: nothing is changed" }),
      prune: flagText.default(false).openapi({
        description: "Whether what there is of the file's kinds and is not in it is deleted. It can be restored",
      }),
    }),
    // With a content type that is not JSON, the handler reads the body.
    body: {
      required: false,
      content: {
        "application/json": { schema: sentPlantFile },
        [YAML]: { schema: multilineText(MOST_BYTES), example },
      },
    },
  },
  responses: {
    200: { description: "What changed, or would change", content: { "application/json": { schema: answer } } },
    ...problemResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const asked = c.req.valid("query");
  const type = c.req.header("content-type");
  if (type === undefined) {
    const message = `is required, with the header content-type: application/json or ${YAML}`;
    throw invalid([{ pointer: "", code: "required", message }]);
  }
  if (/^application\/yaml *(;|$)/i.test(type)) {
    const { value, lines } = readYaml(utf8Text(await c.req.arrayBuffer()));
    const apply = async () => await putPlantFile(callerOf(c), asked, { sent: value as Item, parsed: parsedOf(value) });
    return c.json(await namingLines(lines, apply), 200);
  }
  if (!/^application\/([a-z-.]+\+)?json *(;|$)/i.test(type))
    throw new Problem(415, `This operation accepts application/json or ${YAML}, not ${type.slice(0, 100)}.`);
  const file = { sent: await c.req.json<Item>(), parsed: c.req.valid("json") as Item };
  return c.json(await putPlantFile(callerOf(c), asked, file), 200);
};

/** A file as the schema takes it. JSON bodies were checked in the same way before. */
function parsedOf(value: unknown): Item {
  const { success, data, error } = sentPlantFile.safeParse(value);
  const unknown = unknownMembers(sentPlantFile, value).map(unknownMember);
  const faults = [...(success ? [] : faultsOf(error.issues, "json")), ...unknown];
  if (!success || faults.length > 0) throw invalid(faults.slice(0, MOST_FAULTS));
  return data as Item;
}
