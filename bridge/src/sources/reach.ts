import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import type { CheckStep } from "./source.ts";

/** The first steps of every connection over TCP: its name, and its port. */
export async function* reach(host: string, port: number, timeoutMs: number): AsyncIterable<CheckStep> {
  try {
    const { address } = await lookup(host);
    yield { step: "name", ok: true, detail: `${host} is ${address}` };
  } catch (error) {
    yield { step: "name", ok: false, detail: `${host}: ${messageOf(error)}` };
    return;
  }
  const failure = await failureToConnect(host, port, timeoutMs);
  yield failure === null
    ? { step: "port", ok: true, detail: `${port} is open` }
    : { step: "port", ok: false, detail: `port ${port} of ${host}: ${failure}` };
}

function failureToConnect(host: string, port: number, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (failure: string | null) => {
      socket.destroy();
      resolve(failure);
    };
    socket.once("connect", () => end(null));
    socket.once("timeout", () => end(`no connection within ${timeoutMs} ms`));
    socket.once("error", (error) => end(error.message));
  });
}

/** What an error says; of fetch, what is behind its "fetch failed". */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}
