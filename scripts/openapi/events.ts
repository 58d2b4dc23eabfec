import { join, resolve } from "node:path";
import { z } from "zod";
import { catalogue, type EventDescription } from "../../src/events/catalogue.ts";
import type { Schema } from "./document.ts";

// What the catalogue of events is shown as: the webhooks of the OpenAPI document, and a page of the documentation.

/** Where the page about events is kept. */
export const eventsFile = join(resolve(import.meta.dirname, "../.."), "docs/events.md");

const envelope = {
  id: { type: "string", description: "The same however often the event is told: who has seen it passes it over" },
  timestamp: { type: "string", format: "date-time", description: "When it happened" },
  url: { type: ["string", "null"], description: "The page of the board about it; null: the service has no `PUBLIC_URL`" },
};

/** The webhooks of the OpenAPI document: by type of event, what a subscriber is sent. */
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
        requestBody: { required: true, content: { "application/json": { schema, example: told(type, example) } } },
        responses: {
          "2XX": { description: "Any 2xx: it is told" },
          "410": { description: "Nothing more is to be told here" },
          "4XX": { description: "Anything else: it is told again later" },
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

What happens in the plant is told as events: to webhooks, and by \`GET /v1/events\`, which keeps them for 30 days (\`EVENTS_KEPT_DAYS\`). The list below is closed.

Every event looks the same:

| member | |
|---|---|
| \`id\` | The same however often the event is told. An event may be told more than once: who has seen its id passes it over. |
| \`type\` | One of the types below. |
| \`timestamp\` | When it happened. |
| \`data\` | Ids, names, times and figures, by type. Names are those of when the event was stored. All members are always there, null where there is nothing. |
| \`url\` | The page of the board about it; null where the service does not know its own address (\`PUBLIC_URL\`). |

**Order.** Of one machine, events are told in the order in which they became known. Of several machines there is no such order. \`GET /v1/events\` lists them as they
were stored, and \`?after=\` with the id of the last one gives the rest.

**Never lost, never made up.** A machine's events are stored in the transaction that makes them true, and so are those of work orders and calls for help. They
are sent until the database has them, and told until whoever subscribed has them.

**Late signals.** What was told may turn out otherwise when a gateway sends what it had kept. Then another event says what is so now: \`stop.changed\`,
\`shift.revised\`, an \`operator.\` event again. \`changes\` has the members that are others, and \`isRemoved\` says that the thing never was.

**History is not told.** What ended more than 48 hours before it was found is stored as it is, and nobody is told: old data can be loaded. Of a machine
that was never heard of nothing is told either. What people do to old stops is told.

Stops are those of the ledger: whatever is longer than the machine's \`stopAfterSeconds\`, each part that a planned break cuts off by itself.
`;

function sectionOf(type: string, { when, data, example }: EventDescription): string {
  const schema = schemaOf(data);
  const rows = Object.entries(schema.properties ?? {}).map(([member, one]) => {
    return `| \`${member}\` | ${typeOf(one)} | ${(one.description ?? "").replaceAll("|", "\\|")} |`;
  });
  const lines = [`## ${type}`, "", when, "", "| data | type | |", "|---|---|---|", ...rows, ""];
  return [...lines, "```json", JSON.stringify(told(type, example), null, 2), "```", ""].join("\n");
}

function typeOf(schema: Schema): string {
  const { type, format, enum: values, anyOf, items } = schema;
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (values) return values.map((value) => `\`${value}\``).join(" ");
  if (type === "array") return `list of ${items ? typeOf(items) : "anything"}`;
  if (format === "date-time") return "time";
  return type === undefined ? "anything" : [type].flat().join(" or ");
}

function told(type: string, data: Record<string, unknown>) {
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

/** Without what says of an integer that it is a safe one, and of a time what it looks like. */
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
