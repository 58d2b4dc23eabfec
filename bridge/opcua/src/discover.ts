import {
  AttributeIds,
  BrowseDirection,
  type BrowseResult,
  type ClientSession,
  NodeClass,
  type ReferenceDescription,
} from "node-opcua-client";
import type { OpcuaConfig } from "../../src/sources/opcua/opcua.ts";
import type { Discovered } from "../../src/sources/source.ts";
import { closeConnection, connectSteps } from "./connect.ts";
import { chunks, within } from "./limit.ts";
import { readValue, valueText } from "./values.ts";

const ANSWER_MS = 10_000;
/** The folder of all objects, in which a browse begins, and the server's own object, which no machine is in. */
const OBJECTS = "ns=0;i=85";
const SERVER = "ns=0;i=2253";
/** The bounds of a browse. */
const DEEPEST = 10;
const MOST_BROWSED = 10_000;
const MOST_FOUND = 1000;
const NODES_AT_ONCE = 50;
const REFERENCES_AT_ONCE = 500;

interface Place {
  node: string;
  path: string;
}

/** Browses the server, level by level, for variables. */
export async function* discover(config: OpcuaConfig, abort: AbortSignal, forMs: number): AsyncGenerator<Discovered> {
  const until = AbortSignal.any([abort, AbortSignal.timeout(forMs)]);
  const steps = connectSteps(config, until);
  let taken = await steps.next();
  let failure = "";
  while (!taken.done) {
    if (!taken.value.ok) failure = `${taken.value.step}: ${taken.value.detail}`;
    taken = await steps.next();
  }
  if (!taken.value?.session) throw new Error(failure);
  try {
    yield* browse(taken.value.session, until);
  } finally {
    await closeConnection(taken.value);
  }
}

async function* browse(session: ClientSession, until: AbortSignal): AsyncGenerator<Discovered> {
  const seen = new Set([OBJECTS, SERVER]);
  let level: Place[] = [{ node: OBJECTS, path: "" }];
  let found = 0;
  for (let depth = 0; depth < DEEPEST && level.length > 0 && !until.aborted; depth += 1) {
    const next: Place[] = [];
    for (const some of chunks(level, NODES_AT_ONCE)) {
      const children = (await childrenOf(session, some, until)).filter(({ node }) => !seen.has(node));
      for (const { node } of children) seen.add(node);
      const variables = children.filter(({ isVariable }) => isVariable).slice(0, MOST_FOUND - found);
      yield* await examplesOf(session, variables, until);
      found += variables.length;
      next.push(...children.slice(0, Math.max(0, MOST_BROWSED - seen.size)));
      if (found >= MOST_FOUND || until.aborted) return;
    }
    level = next;
  }
}

type Child = Place & { isVariable: boolean };

/** What is below some nodes; nothing, if the time is over. */
async function childrenOf(session: ClientSession, places: readonly Place[], until: AbortSignal): Promise<Child[]> {
  const ask = <T>(work: Promise<T>) => within(ANSWER_MS, until, work);
  session.requestedMaxReferencesPerNode = REFERENCES_AT_ONCE;
  const request = places.map(({ node }) => ({
    nodeId: node,
    browseDirection: BrowseDirection.Forward,
    // What is below a node in any way.
    referenceTypeId: "HierarchicalReferences",
    includeSubtypes: true,
    nodeClassMask: NodeClass.Object | NodeClass.Variable,
    resultMask: 0x3f,
  }));
  const children: Child[] = [];
  const results: (BrowseResult | null)[] = await ask(session.browse(request)).catch(() => []);
  for (const [index, place] of places.entries()) {
    let result = results[index] ?? null;
    while (result && children.length < MOST_BROWSED) {
      children.push(...(result.references ?? []).map((reference) => childOf(place, reference)));
      const point = result.continuationPoint;
      result = point?.length ? await ask(session.browseNext(point, false)).catch(() => null) : null;
    }
  }
  return children;
}

function childOf({ path }: Place, { nodeId, browseName, nodeClass }: ReferenceDescription): Child {
  const name = browseName.name ?? "";
  return { node: nodeId.toString(), path: path === "" ? name : `${path}/${name}`, isVariable: nodeClass === NodeClass.Variable };
}

async function examplesOf(session: ClientSession, places: readonly Place[], until: AbortSignal): Promise<Discovered[]> {
  const found: Discovered[] = [];
  for (const some of chunks(places, NODES_AT_ONCE)) {
    const request = some.map(({ node }) => ({ nodeId: node, attributeId: AttributeIds.Value }));
    const values = await within(ANSWER_MS, until, session.read(request)).catch(() => []);
    for (const [index, { node, path }] of some.entries()) {
      const value = values[index];
      found.push({ address: node, example: value ? `${path}: ${valueText(readValue(value))}` : path });
    }
  }
  return found;
}
