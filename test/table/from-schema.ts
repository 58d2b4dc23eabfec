import fc from "fast-check";
import { document, type Operation, type Parameter, type Schema } from "./operations.ts";
import type { GoodRequest } from "./requests.ts";

// Generates requests that the OpenAPI document allows, from its schemas.

/** In a generated value: the value of the good request at this place. Only its names exist in the service. */
const kept = Symbol("kept");
/** In a generated object: the member is missing. */
const absent = Symbol("absent");

type Json = unknown;

/** Changes to a good request, by the places that the document names; see `withParts`. */
export interface Parts {
  path: Record<string, Json>;
  query: Record<string, Json>;
  headers: Record<string, Json>;
  body: Json;
}

/** A good request's parts, by name. */
export function partsOf({ path: pattern, parameters }: Pick<Operation, "path" | "parameters">, good: GoodRequest): Parts {
  const [path = "", query = ""] = good.path.split("?");
  const sent = path.split("/");
  const names = pattern.split("/").flatMap((part, i) => (part.startsWith("{") ? [[part.slice(1, -1), i] as const] : []));
  const values = new URLSearchParams(query);
  const isList = ({ schema }: Parameter) => schema.type === "array";
  return {
    path: Object.fromEntries(names.map(([name, i]) => [name, decodeURIComponent(sent[i] ?? "")])),
    query: Object.fromEntries(
      parameters
        .filter((one) => one.in === "query" && values.has(one.name))
        .map((one) => [one.name, isList(one) ? values.getAll(one.name) : values.get(one.name)]),
    ),
    headers: Object.fromEntries(
      parameters.flatMap((one) => (one.in === "header" && good.headers?.[one.name] ? [[one.name, good.headers[one.name]]] : [])),
    ),
    body: good.body,
  };
}

/** Any parts that the document allows in an operation's request. `sample`: those of a good request, whose values may be kept. */
export function partsArbitrary({ parameters, content }: Operation, sample: Parts): fc.Arbitrary<Parts> {
  const where = (place: Parameter["in"], sampled: Record<string, Json>) => {
    const those = parameters.filter((one) => one.in === place);
    const model = those.map(({ name, schema, required = false }) => [name, member(schema, sampled[name], required)] as const);
    return fc.record(Object.fromEntries(model));
  };
  const schema = content["application/json"]?.schema;
  return fc.record({
    // Clients remove dot segments from a URL, also encoded ones, so the request would be for another operation.
    path: where("path", sample.path).filter((named) => !Object.values(named).some((one) => /^\.\.?$/.test(String(one)))),
    query: where("query", sample.query),
    headers: where("header", sample.headers),
    body: schema ? ofSchema(schema, sample.body) : fc.constant(kept),
  });
}

/** The request with these parts; `kept` places are filled from the good request. */
export function withParts({ path: pattern, parameters }: Operation, parts: Parts, good: GoodRequest): GoodRequest {
  const { path, query, headers, body } = resolved(parts, partsOf({ path: pattern, parameters }, good)) as Parts;
  const target = pattern.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    path: pairs.length > 0 ? `${target}?${new URLSearchParams(pairs)}` : target,
    headers: { ...good.headers, ...Object.fromEntries(texts) },
    ...(good.token !== undefined && { token: good.token }),
    ...(body !== undefined && { body }),
  };
}

function resolved(part: Json, good: Json): Json {
  if (part === kept) return good;
  if (typeof part !== "object" || part === null || part instanceof FormData) return part;
  const of = (good ?? {}) as Record<string, Json>;
  // The list of the good request may be shorter.
  if (Array.isArray(part)) return part.map((one, i) => resolved(one, of[i] ?? of[0]));
  const members = Object.entries(part).filter(([, one]) => one !== absent);
  return Object.fromEntries(members.map(([name, one]) => [name, resolved(one, of[name])]));
}

/** A member of an object or a request: mostly the same as in the good one, so that most requests succeed. */
function member(schema: Schema, sample: Json, isRequired: boolean): fc.Arbitrary<Json> {
  const [own, none] = [ofSchema(schema, sample), fc.constant(absent)];
  if (sample === undefined) return isRequired ? own : fc.oneof({ weight: 4, arbitrary: none }, { weight: 1, arbitrary: own });
  const as = { weight: 6, arbitrary: fc.constant(kept) };
  return fc.oneof(as, { weight: 1, arbitrary: own }, ...(isRequired ? [] : [{ weight: 1, arbitrary: none }]));
}

/** Any value that a schema allows; parts of it may be kept from the good request, of which `sample` is one. */
function ofSchema(schema: Schema, sample: Json): fc.Arbitrary<Json> {
  const { $ref, enum: values, oneOf, anyOf, type } = schema;
  if (typeof $ref === "string") return ofSchema(document.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {}, sample);
  if (Array.isArray(values)) return fc.constantFrom(...values);
  const either = oneOf ?? anyOf;
  if (Array.isArray(either)) return fc.oneof(...either.map((one) => ofSchema(one, undefined)));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => ofSchema({ ...schema, type: one }, sample)));
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return ofNumber(schema as unknown as Limits);
    case "string":
      return ofText(schema as unknown as Limits);
    case "array":
      return ofList(schema as unknown as Limits, sample);
    case "object":
      return ofObject(schema as unknown as Limits, sample);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

interface Limits {
  type: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

function ofNumber({ type, minimum, maximum, exclusiveMinimum }: Limits): fc.Arbitrary<number> {
  const [min, max] = [minimum ?? exclusiveMinimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER];
  const edges = fc.constantFrom(max, ...(exclusiveMinimum === undefined ? [min] : []));
  // Without bias: small ids belong to things that other requests need.
  const safe = { min: Math.max(min, Number.MIN_SAFE_INTEGER), max: Math.min(max, Number.MAX_SAFE_INTEGER) };
  const others =
    type === "integer"
      ? fc.noBias(fc.integer(safe))
      : fc.double({ min, max, noNaN: true, minExcluded: exclusiveMinimum !== undefined });
  return fc.oneof({ weight: 1, arbitrary: edges }, { weight: 4, arbitrary: others });
}

const texts: Record<string, fc.Arbitrary<string>> = {
  "date-time": fc
    .tuple(
      fc.date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
      fc.constantFrom("Z", "+00:00", "-03:30"),
    )
    .map(([date, zone]) => date.toISOString().replace("Z", zone)),
  // Far from the days of other requests, which are unique in a company.
  date: fc
    .date({ min: new Date("2100-01-01"), max: new Date("2150-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  uuid: fc.uuid(),
  email: fc.emailAddress({ size: "small" }).filter((address) => /^[\w.]+@/.test(address)),
};

function ofText({ format = "", pattern, minLength = 0, maxLength = 100 }: Limits): fc.Arbitrary<string> {
  if (texts[format]) return texts[format];
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const max = Math.min(maxLength, minLength + 20);
  // The service counts as JavaScript does: some letters count as two.
  const short = fc.string({ unit: "grapheme", minLength, maxLength: max }).filter((text) => text.length <= maxLength);
  return fc.oneof({ weight: 6, arbitrary: short }, { weight: 1, arbitrary: fc.constant("x".repeat(maxLength)) });
}

function ofList({ items = {}, minItems = 0, maxItems = 3 }: Limits, sample: Json): fc.Arbitrary<Json[]> {
  const item = member(items, (sample as Json[] | undefined)?.[0], true);
  // Two kept items are a repetition.
  const selector = (one: Json) => (one === kept ? kept : JSON.stringify(one));
  return fc.uniqueArray(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 2), selector });
}

function ofObject({ properties, required = [] }: Limits, sample: Json): fc.Arbitrary<Json> {
  if (!properties) return fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  const sampled = (sample ?? {}) as Record<string, Json>;
  const members = Object.entries(properties).map(
    ([name, one]) => [name, member(one, sampled[name], required.includes(name))] as const,
  );
  return fc.record(Object.fromEntries(members));
}
