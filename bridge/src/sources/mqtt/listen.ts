import { randomBytes } from "node:crypto";
import { type BrokerConfig, StepError } from "./broker.ts";
import { type Message, messageOf } from "./client.ts";
import { connect, type StepDone } from "./connection.ts";

export interface Listening {
  topics: readonly string[];
  forMs: number;
  /** Takes a message, and returns true if it is enough. */
  take(message: Message): boolean;
  /** Called with the subscription: what may be sent meanwhile. */
  begin?(publish: (topic: string, payload: Buffer) => void): void;
  done?: StepDone;
}

/**
 * Subscribes for a while, with a session of its own, which takes no message from the one that counts. Returns the topics that the broker does not
 * let the bridge subscribe to.
 * @throws StepError
 */
export async function listen(
  broker: BrokerConfig,
  { topics, forMs, take, begin, done }: Listening,
  abort: AbortSignal,
): Promise<{ refused: string[] }> {
  const connection = await connect(broker, { clientId: `andon${randomBytes(6).toString("hex")}`, isClean: true }, abort, done);
  try {
    const granted = new Map<string, number>();
    const isEnough = new Promise<void>((resolve) => {
      connection.read((packets) => {
        for (const packet of packets) {
          if (!("cmd" in packet)) continue;
          if (packet.cmd === "suback") grant(granted, topics, packet.granted);
          else if (packet.cmd === "publish" && take(messageOf(packet))) resolve();
        }
      });
    });
    connection.send({ cmd: "subscribe", messageId: 1, subscriptions: topics.map((topic) => ({ topic, qos: 0 })) });
    begin?.((topic, payload) => connection.send({ cmd: "publish", topic, payload, qos: 0, dup: false, retain: false }));
    const isOver = AbortSignal.any([abort, AbortSignal.timeout(forMs)]);
    const over = new Promise<void>((resolve) => isOver.addEventListener("abort", () => resolve()));
    const ended = connection.ended.then((error) => {
      if (error) throw new StepError("topic", `The broker ended the connection after the subscription: ${error.message}`);
    });
    await Promise.race([isEnough, over, ended]);
    return { refused: topics.filter((topic) => (granted.get(topic) ?? 0) >= 128) };
  } finally {
    connection.close();
  }
}

function grant(granted: Map<string, number>, topics: readonly string[], codes: readonly unknown[]): void {
  for (const [index, topic] of topics.entries()) granted.set(topic, Number(codes[index]));
}
