// Components that operations refer to by name.

const text = { type: "string" } as const;

export const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "A user's token from `POST /identity/login`, a program's API token, or a gateway's token for `POST /v1/ingest`",
  },
} as const;

export const parameters = {
  Bookmark: {
    name: "x-d1-bookmark",
    in: "header",
    schema: { ...text, pattern: "^([0-9]{1,2}[.])?[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$" },
    description:
      "The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored",
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    schema: { ...text, pattern: "^[!-~]{1,255}$" },
    description: "Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true`",
  },
} as const;

export const headers = {
  "x-request-id": {
    schema: text,
    description: "Id of the request in the log, where the `x-request-id` of the caller is recorded next to it",
  },
  "x-d1-bookmark": {
    schema: text,
    description: "State of the data that was read or written: send it with the next request",
  },
  "x-ignored-members": {
    schema: text,
    description:
      "JSON pointers of unknown members that were ignored, separated by `, `; letters other than " +
      "`A-Z a-z 0-9 - _ . ! ~ * ' ( )` are percent-encoded. After 1,000 characters `and 5 more` ends the list",
  },
  "retry-after": { schema: { type: "integer", minimum: 1 }, description: "Seconds to wait before trying again" },
  "ratelimit-policy": { schema: text, description: "Number of requests (q) that the caller may send in a number of seconds (w)" },
  ratelimit: {
    schema: text,
    description: "Requests left (r) and seconds until the window ends (t), as far as the answering server knows",
  },
  "www-authenticate": { schema: text, description: 'Always `Bearer realm="andon"`' },
} as const;
