/** A message that a version of the service sent and received. */
export interface SeenMessage {
  queue: string;
  body: unknown;
}

const path = "/upgrade-test/messages";

/** A module around a version for `startBuilt`: it keeps the queue messages that arrive, and delivers messages that another version sent. */
export const messageWrapper = `
  import worker from "./index.js";
  export * from "./index.js";

  const seen = [];

  async function deliver({ queue, body }, env, context) {
    let isRetried = false;
    const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body, ack() {}, retry() { isRetried = true; } };
    const batch = { queue, messages: [message], ackAll() {}, retryAll() { isRetried = true; } };
    await worker.queue(batch, env, context);
    return isRetried;
  }

  export default {
    ...worker,
    async fetch(request, env, context) {
      if (new URL(request.url).pathname !== "${path}") return worker.fetch(request, env, context);
      if (request.method === "GET") return Response.json(seen);
      const refused = [];
      for (const message of await request.json()) {
        if (await deliver(message, env, context)) refused.push(message);
      }
      return Response.json(refused);
    },
    async queue(batch, env, context) {
      for (const { body } of batch.messages) seen.push({ queue: batch.queue, body });
      await worker.queue(batch, env, context);
    },
  };`;

/** The messages that the running version has received. */
export async function seenMessages(url: string): Promise<SeenMessage[]> {
  return (await (await fetch(url + path)).json()) as SeenMessage[];
}

/** Delivers messages of another version, as if they had waited in the queues during a deployment. Returns those that were not understood. */
export async function deliverMessages(url: string, messages: readonly SeenMessage[]): Promise<SeenMessage[]> {
  const response = await fetch(url + path, { method: "POST", body: JSON.stringify(messages) });
  if (!response.ok) throw new Error(`Messages of the other version: ${response.status} ${await response.text()}`);
  return (await response.json()) as SeenMessage[];
}
