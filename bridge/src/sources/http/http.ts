import { createHash, timingSafeEqual } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { signalMembers, sourceMembers } from "../../config/signal.ts";
import { jsonOf, pathOf, timeOf, valueAt } from "../payload.ts";
import { storeOrSay } from "../polling.ts";
import { messageOf } from "../reach.ts";
import type { CheckStep, Discovered, Reading, Source, SourceContext } from "../source.ts";
import { pause } from "../wait.ts";
import { type Answer, type Message, serve } from "./server.ts";

const field = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (text) => pathOf(text) !== null,
    'must be the name of a parameter, or a path in a JSON document, such as "$.counters.total"',
  );

/** IO modules and other devices that send what they counted by HTTP. */
export const httpConfig = z
  .strictObject({
    ...sourceMembers,
    type: z.literal("http"),
    host: z
      .string()
      .min(1)
      .max(253)
      .default("0.0.0.0")
      .meta({ description: "The address of this computer at which devices reach it" }),
    port: z.int().min(1).max(65_535).default(8650),
    profile: z.enum(["json", "query", "form"]).meta({
      description: "Where a device writes values: a JSON body, the query (`?in1=123`), or the fields of a form",
    }),
    token_file: z.string().min(1).optional().meta({
      description: "A file with the token that devices send: `Authorization: Bearer TOKEN`, or the parameter `token`",
    }),
    token_env: z.string().min(1).optional().meta({ description: "Or the environment variable with the token" }),
    time: field.optional().meta({ description: "Where a message has its time by the device's clock" }),
    signal: z
      .array(
        z.strictObject({
          ...signalMembers,
          path: z
            .string()
            .regex(/^\/[\w./~-]*$/, 'must be a path such as "/press-1"')
            .default("/")
            .meta({ description: "The path to which the device sends" }),
          field: field.meta({ description: 'The parameter, or the path in the JSON document: "in1", "$.counters[0].value"' }),
        }),
      )
      .min(1)
      .max(500),
  })
  .refine(({ token_file, token_env }) => token_file === undefined || token_env === undefined, {
    message: "token_file and token_env exclude each other",
  });
export type HttpConfig = z.infer<typeof httpConfig>;

const againMs = 1000;
/** The most messages in one JSON list: a device that was offline sends what it kept. */
const mostMessages = 1000;
/** How long check waits for a device. */
const checkMs = 30_000;

export function httpSource(config: HttpConfig): Source {
  return {
    run: (context) => runHttp(config, context),
    check: (abort) => checkHttp(config, abort),
    discover: (abort, forMs) => discoverHttp(config, abort, forMs),
  };
}

async function runHttp(config: HttpConfig, context: SourceContext): Promise<void> {
  while (!context.abort.aborted) {
    try {
      const token = tokenOf(config);
      const server = await serve(config, (message) => answerTo(config, context, token, message));
      context.report({ state: "ok", error: null });
      await ended(context.abort);
      await server.stop();
    } catch (error) {
      context.report({ state: "failed", error: messageOf(error) });
      await pause(againMs, context.abort);
    }
  }
}

/** Answers 200 only when everything is on the disk: a device that gets another answer sends it again. */
async function answerTo(config: HttpConfig, context: SourceContext, token: string | null, message: Message): Promise<Answer> {
  const read = valuesIn(config, token, message);
  if ("status" in read) return read;
  if (!(await storeOrSay(context, read.readings))) return { status: 503, text: "this could not be stored: send it again" };
  context.report({ state: "ok", error: null });
  return { status: 200, text: "stored" };
}

/** What a message says of the signals, or why it says nothing. */
function valuesIn(config: HttpConfig, token: string | null, message: Message): { readings: Reading[] } | Answer {
  if (token !== null && !isToken(token, message)) return { status: 401, text: "the token is missing or wrong" };
  const signals = [...config.signal.entries()].filter(([, { path }]) => path === message.path);
  if (signals.length === 0) return { status: 404, text: `no signal of the configuration has the path ${message.path}` };
  const documents = documentsOf(config, message);
  if ("status" in documents) return documents;
  const readings: Reading[] = [];
  for (const document of documents) {
    const at = config.time === undefined ? null : timeOf(valueAt(document, pathOf(config.time) ?? []));
    if (config.time !== undefined && at === null) return { status: 422, text: `${config.time} must be the time of the message` };
    for (const [signal, { field: name }] of signals) {
      const value = valueAt(document, pathOf(name) ?? []);
      if (isValue(value)) readings.push({ signal, value, at });
    }
  }
  const names = signals.map(([, { field: name }]) => name).join(", ");
  return readings.length > 0 ? { readings } : { status: 422, text: `the message has no value for ${names}` };
}

function isValue(value: unknown): value is Reading["value"] {
  return ["number", "bigint", "boolean", "string"].includes(typeof value);
}

function documentsOf({ profile }: HttpConfig, { query, body }: Message): unknown[] | Answer {
  if (profile === "query") return [Object.fromEntries(query)];
  if (profile === "form") return [Object.fromEntries(new URLSearchParams(body.toString("utf8")))];
  const document = jsonOf(body);
  if (document === undefined) return { status: 400, text: "the body must be JSON" };
  if (!Array.isArray(document)) return [document];
  if (document.length > mostMessages) return { status: 422, text: `a list has at most ${mostMessages} messages` };
  return document;
}

function tokenOf({ token_file, token_env }: HttpConfig): string | null {
  const token = token_file === undefined ? token_env && process.env[token_env] : readFileSync(token_file, "utf8");
  if (token_file === undefined && token_env === undefined) return null;
  if (!token?.trim()) throw new Error(`${token_file ?? token_env} has no token`);
  return token.trim();
}

function isToken(token: string, { authorization, query }: Message): boolean {
  const given = /^Bearer (.+)$/i.exec(authorization)?.[1] ?? query.get("token") ?? "";
  // Digests have the same length, so that the time to compare them says nothing.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given.trim()), digest(token));
}

function ended(abort: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (abort.aborted) resolve();
    abort.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Listens for a while. The devices are told to send again: nothing is stored here. */
async function* messagesFor(config: HttpConfig, abort: AbortSignal, forMs: number): AsyncIterable<Message> {
  const over = AbortSignal.any([abort, AbortSignal.timeout(forMs)]);
  const heard: Message[] = [];
  const events = new EventEmitter();
  const server = await serve(config, async (message) => {
    if (heard.length < mostMessages) heard.push(message);
    events.emit("message");
    return { status: 503, text: "the bridge is only listening: send it again" };
  });
  try {
    while (!over.aborted) {
      yield* heard.splice(0);
      if (heard.length === 0) await once(events, "message", { signal: over }).catch(() => undefined);
    }
  } finally {
    await server.stop();
  }
}

async function* checkHttp(config: HttpConfig, abort: AbortSignal): AsyncIterable<CheckStep> {
  let step = "token";
  try {
    const token = tokenOf(config);
    yield { step, ok: true, detail: token === null ? "none: anybody on this network may send counts" : "is read" };
    step = "port";
    const missing = new Map(config.signal.map((signal) => [`${signal.field} at ${signal.path}`, signal]));
    for await (const message of messagesFor(config, abort, checkMs)) {
      if (step === "port")
        yield { step, ok: true, detail: `${config.port} is listened to, and a device sends to ${message.path}` };
      step = "first value";
      const read = valuesIn(config, token, message);
      if ("status" in read) {
        yield { step, ok: false, detail: `${message.path}: ${read.text}` };
        return;
      }
      for (const { signal, value } of read.readings) {
        const { field: name, path } = config.signal[signal] as HttpConfig["signal"][number];
        if (missing.delete(`${name} at ${path}`)) yield { step, ok: true, detail: `${name} at ${path} is ${value}` };
      }
      if (missing.size === 0) return;
    }
    const names = [...missing.keys()].join(", ");
    yield { step: "first value", ok: false, detail: `nothing came within ${checkMs / 1000} s for ${names}` };
  } catch (error) {
    yield { step, ok: false, detail: messageOf(error) };
  }
}

async function* discoverHttp(config: HttpConfig, abort: AbortSignal, forMs: number): AsyncIterable<Discovered> {
  const said = new Set<string>();
  for await (const message of messagesFor(config, abort, forMs)) {
    const documents = documentsOf(config, message);
    if ("status" in documents) continue;
    for (const document of documents.slice(0, 1)) {
      for (const { field: name, value } of fieldsIn(document, "", 0)) {
        const address = `path = "${message.path}", field = "${name}"`;
        if (said.has(address) || name === "token") continue;
        said.add(address);
        yield { address, example: String(value) };
      }
    }
  }
}

function* fieldsIn(document: unknown, above: string, depth: number): Iterable<{ field: string; value: unknown }> {
  if (isValue(document)) yield { field: above, value: document };
  if (typeof document !== "object" || document === null || depth > 10) return;
  for (const [name, value] of Object.entries(document)) {
    const here = Array.isArray(document) ? `${above}[${name}]` : above === "" ? name : `${above}.${name}`;
    yield* fieldsIn(value, here, depth + 1);
  }
}
