import { faultCodes } from "../../core/fault-codes.ts";
import { service } from "./service.ts";

// The introduction of the OpenAPI document, in Markdown.

const meanings = (codes: Readonly<Record<string, string>>) =>
  Object.entries(codes)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join("\n");

const description = `Andon receives the signals of a plant's machines and answers what every machine is doing, which stops happened and why, what each
shift's OEE was, and what each operator made.

**Authentication.** Send \`Authorization: Bearer <token>\` with every operation that is not open: a user's token from \`POST /identity/login\`, a
program's API token (\`andon_api_...\`) from \`POST /v1/api-tokens\` or, for a wall display, from \`GET /v1/wall-pairings/{id}\`, a terminal's token (\`andon_term_...\`) from \`GET /v1/terminal-pairings/{id}\`, or a gateway's token (\`andon_gw_...\`), which works for \`POST /v1/ingest\` and \`/v1/gateways/self\` only. An API
token may do what its role may, except what is for people only, and with \`isReadOnly\` it may only read. A terminal's
token is bound to machines: it may call the operations that a terminal needs, and other machines do not exist for it; whoever is signed in there acts, or was when \`x-acted-at\` (ISO 8601) says that it was done. Each operation says who may call it. All users but superusers see their
own company only; objects of other companies do not exist for them (404).

**Errors** are \`application/problem+json\` (RFC 9457). For bad input, \`errors\` names each fault by a JSON pointer into the body, or into \`/query\`,
\`/path\` or \`/header\`. 429 and 503 say in \`Retry-After\` how many seconds to wait. A 500 gives the request id only, which finds the request in the log.
Unencrypted requests are answered 403 and never redirected. The codes of faults are a closed list:

${meanings(faultCodes)}

**Bodies** are JSON of at most 1 MiB, unless an operation says otherwise. Operations under \`/v1\` refuse unknown members (400, \`unknown_member\`), and so
do the filters of reports. All other operations ignore them and name them in \`x-ignored-members\`. Answers always have all members; those without a
value are null.

**Rate limits.** Each user, each API token, each gateway token, and each address without a token may send a number of requests in 10 s. \`RateLimit-Policy\`
(draft-ietf-httpapi-ratelimit-headers-11) states the limit: \`"user";q=600;w=10\`. \`RateLimit\` says how many requests are left and for how many
seconds: \`"user";r=599;t=10\`, as far as the answering server knows. Requests beyond the limit get a 429. An overloaded server answers 503; requests
that are safe to repeat can be sent again.

**Units.** Times are ISO 8601, with \`Z\` in answers. Durations are minutes, percentages are 0 to 100, speeds are per hour.

**Read your writes.** Send the \`x-d1-bookmark\` of an answer with the next request, which then reads nothing older.

**Lists and reports** of \`/v1\` answer \`{data, cursor}\`; \`limit\` is 50 by default and 500 at most, \`total=true\` adds the number of items on all
pages. They are also sent as CSV (\`Accept: text/csv\` or \`format=csv\`) and as NDJSON (\`application/x-ndjson\`, \`format=ndjson\`), then without
pages: all items, or \`limit\` of them. Text that a spreadsheet would take for a formula begins with an apostrophe. A file that cannot be read to its
end breaks off: a chunked body without its end. What is created is answered 201 with its address in \`Location\`.

**Machines** can be named by their refs in queries: \`machineRefs\` beside \`machineIds\`. \`GET /v1/machines?ref=\` finds the id for a path.

**Preconditions.** \`If-Match\` is supported where the object or the answer has an \`ETag\`. Elsewhere it is refused with 400, never ignored. Send the
\`ETag\` of an answer as \`If-None-Match\` when asking again: 304 without a body means that nothing has changed. Nothing is cached on the way. The
\`ETag\` of an object of the set-up is its \`updatedAt\` in quotes. With it as \`If-Match\` of PATCH or DELETE, what somebody else has changed since it was
read is not overwritten: 412. A change that is dated, ahead or for the past, counts as well. \`*\` is any, like no \`If-Match\`.

**Idempotency.** Where an \`Idempotency-Key\` is honoured, repeating a request with the same key and body within 24 h returns the first answer and does
nothing. The same key with another body is a 409.`;

/** The head of the OpenAPI document. */
export const about = {
  openapi: "3.1.0",
  info: { ...service, summary: "Production monitoring at the edge", description },
  servers: [{ url: "/", description: "This service" }],
  tags: [
    { name: "identity", description: "Sign in and out" },
    { name: "ingest", description: "Events from gateways: counts, heartbeats, states, operators, SKUs" },
    { name: "machines", description: "Machines: what they and their operators do now and did before" },
    { name: "reports", description: "Shifts and stops, as rows that add up" },
    { name: "stops", description: "Stops: their causes and flags, and stops recorded by people" },
    { name: "corrections", description: "Units that people add to what machines counted, or take away" },
    { name: "event withdrawals", description: "Events of the past that count for nothing, because people said so" },
    { name: "recalculations", description: "Numbers of the past that are made again because somebody asked for it" },
    { name: "books", description: "Up to when nothing of the past changes any more" },
    { name: "imports", description: "History that is imported from files" },
    {
      name: "held events",
      description: "Counts that a machine cannot have made, and events of closed books, until an admin decides",
    },
    { name: "help calls", description: "Calls for help at machines" },
    { name: "actions", description: "What people do about losses, and whether their minutes went down" },
    { name: "hand-overs", description: "What one shift says to the next, with the figures of the shift" },
    { name: "events", description: "What happened: listed here, and sent to webhooks" },
    { name: "work orders", description: "Work orders and their progress" },
    { name: "widgets", description: "Widgets and their thumbnails" },
    { name: "dashboards", description: "Dashboards of widgets" },
    { name: "companies", description: "Companies and their time zones" },
    { name: "users", description: "Users and their roles" },
    { name: "lines", description: "Groups of machines for reports" },
    { name: "shifts", description: "When machines are planned to run, and the breaks in between" },
    { name: "calendar days", description: "Days that are closed, or have other shifts than their weekday" },
    { name: "operators", description: "People who work at machines" },
    { name: "operator plans", description: "Who works where and when, for machines without sign-in" },
    { name: "SKUs", description: "Products and their standard cycles" },
    { name: "stop causes", description: "Causes that stops are classified with" },
    { name: "defect reasons", description: "Reasons why units are rejected, which corrections name" },
    { name: "count sensors", description: "The machine, type and factor of each gateway channel" },
    { name: "gateway tokens", description: "Tokens of gateways" },
    { name: "gateways", description: "How gateways do, and how they get their tokens" },
    { name: "API tokens", description: "Tokens of programs" },
    { name: "walls", description: "Wall displays that get a token without a sign-in" },
    { name: "terminals", description: "Terminals at machines that get a token without a sign-in" },
    { name: "tags", description: "Keys for labelling objects of a company" },
    { name: "alert rules", description: "What to look for, and who is notified" },
    { name: "incidents", description: "Open and past alerts" },
    { name: "personas", description: "Who receives alerts, how and when" },
    { name: "chat rooms", description: "Teams and Slack rooms that are notified of alerts" },
    { name: "messages", description: "Messages to people: the delivery log of all channels" },
    { name: "notifications", description: "Messages to users" },
    { name: "configs", description: "Client settings of users" },
    { name: "audit", description: "Who changed what" },
    { name: "roles", description: "Permissions of roles" },
    { name: "report subscriptions", description: "Scheduled reports and the log of their runs" },
    { name: "webhook subscriptions", description: "Receivers of events" },
    { name: "webhooks", description: "Calls to other services" },
    { name: "health", description: "Whether the service works" },
    { name: "docs", description: "This document" },
  ],
};
