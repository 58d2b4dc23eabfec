// What many operations have in common, by the names under which they refer to it.

const text = { type: "string" } as const;

export const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "A user's token from `POST /identity/login`, or a gateway's token for `POST /v1/ingest`",
  },
} as const;

export const parameters = {
  Bookmark: {
    name: "x-d1-bookmark",
    in: "header",
    schema: { ...text, pattern: "^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$" },
    description: "Of an earlier answer: reads nothing older than that",
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    schema: { ...text, pattern: "^[!-~]{1,255}$" },
    description:
      "Makes sending again safe for 24 h: the same key and body give the first answer, with `idempotent-replayed: true`",
  },
} as const;

export const headers = {
  "x-request-id": { schema: text, description: "Names the request in the log, beside the `x-request-id` that the caller sent" },
  "x-d1-bookmark": {
    schema: text,
    description: "How new the data is, where the database was asked: send it with the next request",
  },
  "x-ignored-members": {
    schema: text,
    description:
      "JSON pointers of members that the operation does not have and that were ignored, separated by `, `; letters other than " +
      "`A-Z a-z 0-9 - _ . ! ~ * ' ( )` are percent-encoded. After 1,000 characters `and 5 more` ends the list",
  },
  "retry-after": { schema: { type: "integer", minimum: 1 }, description: "Seconds to wait before trying again" },
  "ratelimit-policy": { schema: text, description: "How many requests (q) the caller has in how many seconds (w)" },
  ratelimit: {
    schema: text,
    description: "How many are left (r), for how many seconds (t), as far as the answering server knows",
  },
  "www-authenticate": { schema: text, description: 'Always `Bearer realm="andon"`' },
} as const;
