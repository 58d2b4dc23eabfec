// What the document says of the service as a whole; markdown.

const description = `Andon takes the signals of a plant's machines in and answers what every machine is doing, every stop and its cause, each shift's
OEE and each operator's production.

**Who asks.** Every operation but the open ones wants \`Authorization: Bearer <token>\`: a user's token, from \`POST /identity/login\`, or a
gateway's (\`andon_gw_...\`), which is good for \`POST /v1/ingest\` alone. Each operation says who may call it. All but superusers see their own
company alone: another company's object does not exist for them (404).

**Refusals** are \`application/problem+json\` (RFC 9457). Bad input names each fault by JSON pointer into the body, or into \`/query\`, \`/path\` and
\`/header\`. 429 and 503 say in \`Retry-After\` how many seconds to wait. A 500 gives the request id and nothing else: it names the request in the log.
What comes unencrypted is a 403, whatever it asks for: it is not redirected.

**Bodies** are JSON, of 1 MiB at most, unless an operation says otherwise. A member that the operation does not have is
refused (400, \`unknown_member\`). The operations that are not under \`/v1\`, and the reports' filters aside, take it, ignore it, and name it in
\`x-ignored-members\`. Every member of an answer is always there: null where there is nothing.

**How often.** Each user, each gateway token, and each address that asks without a token, has a number of requests in 10 s. \`RateLimit-Policy\`
(draft-ietf-httpapi-ratelimit-headers-11) tells it: \`"user";q=600;w=10\`. \`RateLimit\` tells how many are left and for how many seconds:
\`"user";r=599;t=10\`. That is what the one server that answers saw; others count too, so less may be left. Whoever asks more often gets a 429.
A server that has too much to do, or waits too long for storage, answers 503; sending again is then safe where it always is.

**Units.** Times are ISO 8601, with \`Z\` in answers. Durations are minutes, percentages go from 0 to 100, speeds are per hour.

**Reading what was just written.** Send the \`x-d1-bookmark\` of one answer with the next request: it then reads nothing older.

**Preconditions.** \`If-Match\` is taken where the answer or the object has an \`ETag\`. Elsewhere it is a 400: it is never ignored.

**Sending again.** Where an \`Idempotency-Key\` is taken, the same key and body within 24 h give the first answer and do nothing; the same key with
another body is a 409.`;

/** The head of the OpenAPI document. */
export const about = {
  openapi: "3.1.0",
  info: { title: "Andon", version: "1.0.0", summary: "Production monitoring at the edge", description },
  servers: [{ url: "/", description: "The service that this document comes from" }],
  tags: [
    { name: "identity", description: "Signing in" },
    { name: "ingest", description: "What gateways send: counts, heartbeats, states, operators, SKUs" },
    { name: "machines", description: "The machines, what they and their operators do now and did before" },
    { name: "reports", description: "Shifts and stops, as rows that add up" },
    { name: "stops", description: "Each stop: its cause, its flags, and stops that people record" },
    { name: "work orders", description: "What is to be made, and how far it is" },
    { name: "widgets", description: "Charts and their pictures" },
    { name: "dashboards", description: "Widgets side by side" },
    { name: "companies", description: "Whose plant it is, and its time zone" },
    { name: "users", description: "Who may sign in, and as what" },
    { name: "shifts", description: "When machines are meant to run, and the breaks in it" },
    { name: "operators", description: "Who works on machines" },
    { name: "operator plans", description: "Who works where and when, where nobody signs in" },
    { name: "SKUs", description: "What is made, and how long a cycle of it takes" },
    { name: "stop causes", description: "What a stop can be put down to" },
    { name: "count sensors", description: "Which machine a gateway's channel feeds, as what and with which factor" },
    { name: "gateway tokens", description: "What gateways sign in with" },
    { name: "tags", description: "Keys that objects of a company can be labelled with" },
    { name: "personas", description: "Who is told of alerts, how and when" },
    { name: "notifications", description: "What a user was told" },
    { name: "configs", description: "What a user's client keeps for the user" },
    { name: "audit", description: "Who changed what" },
    { name: "roles", description: "What a role may do" },
    { name: "subscriptions", description: "Reports that are sent by themselves" },
    { name: "webhooks", description: "Calls to other services" },
    { name: "health", description: "Whether the service works" },
    { name: "docs", description: "This document" },
  ],
};
