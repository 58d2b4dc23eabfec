import { join, resolve } from "node:path";
import { z } from "zod";
import { catalogue, type EventDescription } from "../../src/events/catalogue.ts";
import type { Schema } from "./schema.ts";

// Renders the catalogue of events: as the webhooks of the OpenAPI document, and as a page of the documentation.

/** The file with the page about events. */
export const eventsFile = join(resolve(import.meta.dirname, "../.."), "docs/events.md");

const envelope = {
  id: { type: "string", description: "The same each time the event is delivered: ignore ids that you have already seen" },
  timestamp: { type: "string", format: "date-time", description: "When it happened" },
  url: { type: ["string", "null"], description: "The page of the board about it; null: the service has no `PUBLIC_URL`" },
};

/** The webhooks of the OpenAPI document: the body that a subscriber receives, by type of event. */
export function eventWebhooks(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(catalogue).map(([type, { when, data, example }]) => {
      const name = type.replace(/(^|[._])([a-z])/g, (_, _mark, letter: string) => letter.toUpperCase());
      const { id, timestamp, url } = envelope;
      const schema = {
        type: "object",
        properties: { id, type: { type: "string", const: type }, timestamp, data: schemaOf(data), url },
        required: ["id", "type", "timestamp", "data", "url"],
      };
      const post = {
        operationId: `on${name}`,
        tags: ["events"],
        summary: type,
        description: when,
        security: [],
        requestBody: { required: true, content: { "application/json": { schema, example: exampleOf(type, example) } } },
        responses: {
          "2XX": { description: "Any 2xx: delivered" },
          "410": { description: "The subscription ends: nothing more is sent" },
          "4XX": { description: "Anything else: sent again later" },
        },
      };
      return [type, { post }];
    }),
  );
}

/** The page about events, as Markdown. */
export function eventsPage(): string {
  const parts = Object.entries(catalogue).map(([type, described]) => sectionOf(type, described));
  return `${head}\n${parts.join("\n")}`;
}

const head = `# Events

<!-- Made by \`npm run client\` from src/events/catalogue.ts. -->

What happens in the plant is published as events: webhooks receive them, and \`GET /v1/events\` lists those of the last 30 days (\`EVENTS_KEPT_DAYS\`), and older ones from the archive. All types are listed below.

Every event has the same members:

| member | |
|---|---|
| \`id\` | The same each time the event is delivered. An event may be delivered more than once: ignore ids that you have already seen. |
| \`type\` | One of the types below. |
| \`timestamp\` | When it happened. |
| \`data\` | Ids, names, times and figures, by type. Names are those at the time when the event is sent or listed, also those of deleted things: if something was renamed in between, a repetition has its new name. \`lineId\` is the line at the time when the event was stored. All members are always present; those without a value are null. |
| \`url\` | The board's page about it; null if the service does not know its own address (\`PUBLIC_URL\`). |

**Order.** Events of one machine are delivered in the order in which they became known. Between machines there is no order. \`GET /v1/events\` lists events in the order in
which they were stored; \`?after=\` with the id of the last event you have gives those that follow.

**The archive.** Events older than \`EVENTS_KEPT_DAYS\` are in the [archive](operations.md#archive), with the names of the time when they were moved there. With \`sort=-seq\` the list continues there with the same \`cursor\`; with \`sort=seq\`
it begins there if \`from\` is in it. If you were away for so long that the event you have is in the archive, \`?after=\` is a 410: send \`from\` with its \`timestamp\`, ignore the ids that you have already seen, and continue with the \`cursor\`.

**Never lost, never invented.** An event is stored in the same transaction as the change that it reports. It is sent to the database until it is stored there, and to each
subscriber until it is accepted or the last repetition has failed.

**Late signals.** When a gateway sends signals late, an earlier event may turn out to be wrong. Then another event corrects it: \`stop.changed\`, \`shift.revised\`, or the
same \`operator.\` event again. \`changes\` has the members that differ, and \`isRemoved\` says that the stop, shift or sign-in never existed.

**Imported history makes no events.** What ended more than 48 hours before it was found is stored without an event, so that old data can be loaded. A machine that has never
sent anything has no events either. Changes that people make to old stops are events, and so is each change of the numbers of a shift that was found in time, whatever its age.

A stop is whatever is longer than the machine's \`stopAfterSeconds\`. A planned break cuts it into parts, and each part is a stop of its own.
`;

function sectionOf(type: string, { when, data, example }: EventDescription): string {
  const schema = schemaOf(data);
  const rows = Object.entries(schema.properties ?? {}).map(([member, one]) => {
    return `| \`${member}\` | ${typeOf(one)} | ${(one.description ?? "").replaceAll("|", "\\|")} |`;
  });
  const lines = [`## ${type}`, "", when, "", "| data | type | |", "|---|---|---|", ...rows, ""];
  return [...lines, "```json", JSON.stringify(exampleOf(type, example), null, 2), "```", ""].join("\n");
}

function typeOf(schema: Schema): string {
  const { type, format, enum: values, anyOf, items } = schema;
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (values) return values.map((value) => `\`${value}\``).join(" ");
  if (type === "array") return `list of ${items ? typeOf(items) : "anything"}`;
  if (format === "date-time") return "time";
  return type === undefined ? "anything" : [type].flat().join(" or ");
}

function exampleOf(type: string, data: Record<string, unknown>) {
  const timestamp = (data.until ?? data.since ?? "2026-03-02T09:31:40.000Z") as string;
  return { id: `${type}:${idOf(data)}`, type, timestamp, data, url: "https://andon.example.com/floor/12" };
}

function idOf({ stopId, recordId, incidentId, workOrderId, helpCallId, operatorId, machineId }: Record<string, unknown>): string {
  const of = stopId ?? recordId ?? operatorId;
  return String(of === undefined ? (incidentId ?? workOrderId ?? helpCallId ?? machineId) : `${of}:${machineId}-318`);
}

function schemaOf(data: z.ZodType): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(data) as Schema & { $schema?: string };
  return withoutBounds(schema) as Schema;
}

/** The schema without the bounds of safe integers, and without the patterns of formatted strings. */
function withoutBounds(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutBounds);
  if (typeof part !== "object" || part === null) return part;
  const { minimum, maximum, pattern, ...rest } = part as Record<string, unknown>;
  const isSafe = minimum === Number.MIN_SAFE_INTEGER || maximum === Number.MAX_SAFE_INTEGER;
  const kept = {
    ...(!isSafe && minimum !== undefined && { minimum }),
    ...(!isSafe && maximum !== undefined && { maximum }),
    ...(rest.format === undefined && pattern !== undefined && { pattern }),
  };
  return { ...Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, withoutBounds(one)])), ...kept };
}
