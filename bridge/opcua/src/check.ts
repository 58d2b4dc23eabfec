import { AttributeIds, type ClientSession, type DataValue, StatusCodes } from "node-opcua-client";
import type { OpcuaConfig } from "../../src/sources/opcua/opcua.ts";
import type { CheckStep } from "../../src/sources/source.ts";
import { closeConnection, connectSteps, messageOf } from "./connect.ts";
import { chunks, within } from "./limit.ts";
import { readValue, valueText } from "./values.ts";

const ANSWER_MS = 10_000;
const MOST_NODES = 100;
/** How many nodes a step names. */
const NAMED = 10;

/** Connects, and reads each node once. */
export async function* check(config: OpcuaConfig, abort: AbortSignal): AsyncGenerator<CheckStep> {
  const connection = yield* connectSteps(config, abort);
  if (!connection?.session) return;
  try {
    yield* checkNodes(config, connection.session, abort);
  } finally {
    await closeConnection(connection);
  }
}

async function* checkNodes(config: OpcuaConfig, session: ClientSession, abort: AbortSignal): AsyncGenerator<CheckStep> {
  const nodes = config.signal.map(({ node }) => node);
  const values: DataValue[] = [];
  try {
    for (const some of chunks(nodes, MOST_NODES)) {
      const request = some.map((nodeId) => ({ nodeId, attributeId: AttributeIds.Value }));
      values.push(...(await within(ANSWER_MS, abort, session.read(request))));
    }
  } catch (error) {
    yield { step: "node ids", ok: false, detail: `the nodes cannot be read: ${messageOf(error)}` };
    return;
  }
  const unknown = named(nodes, values, ({ statusCode }) => {
    const isUnknown = [StatusCodes.BadNodeIdUnknown, StatusCodes.BadNodeIdInvalid].some((code) => statusCode.equals(code));
    return isUnknown ? statusCode.name : null;
  });
  yield unknown === ""
    ? { step: "node ids", ok: true, detail: `the server has all ${nodes.length}` }
    : { step: "node ids", ok: false, detail: `the server does not have ${unknown}. \`discover\` shows what it has` };
  if (unknown !== "") return;
  const without = named(nodes, values, (value) => readValue(value).why);
  const first = values[0] ? `${nodes[0]} is ${valueText(readValue(values[0]))}` : "";
  yield without === "" ? { step: "first value", ok: true, detail: first } : { step: "first value", ok: false, detail: without };
}

/** The nodes of which something is to be said, with what it is. */
function named(nodes: readonly string[], values: readonly DataValue[], say: (value: DataValue) => string | null): string {
  const said = nodes.flatMap((node, index) => {
    const value = values[index];
    const text = value ? say(value) : null;
    return text === null ? [] : [`${node} (${text})`];
  });
  const more = said.length > NAMED ? `, and ${said.length - NAMED} more` : "";
  return `${said.slice(0, NAMED).join(", ")}${more}`;
}
