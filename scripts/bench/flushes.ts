import { Gateway, type Hall } from "./hall.ts";
import type { Feeder } from "./ingest.ts";
import { fire } from "./load.ts";
import type { Server } from "./server.ts";
import type { Finding } from "./table.ts";

/** Goes before the built Worker: the objects of machines tell how often an alarm asked D1. */
export const countingWrapper = `
import worker, { MachineState as Machine } from "./index.js";

export default worker;

export class MachineState extends Machine {
  #calls;

  constructor(ctx, env) {
    const calls = { batches: 0, prepared: 0, inBatches: 0 };
    const withSession = (start) => {
      const session = env.DB.withSession(start);
      return {
        prepare: (query) => {
          calls.prepared += 1;
          return session.prepare(query);
        },
        batch: (statements) => {
          calls.batches += 1;
          calls.inBatches += statements.length;
          return session.batch(statements);
        },
        getBookmark: () => session.getBookmark(),
      };
    };
    super(ctx, { ...env, DB: { withSession } });
    this.#calls = calls;
  }

  async alarm() {
    const dbCalls = await this.ring();
    console.log(JSON.stringify({ alarmOf: this.ctx.id.name, dbCalls }));
  }

  async ring() {
    const calls = this.#calls;
    Object.assign(calls, { batches: 0, prepared: 0, inBatches: 0 });
    await super.alarm();
    return calls.batches + calls.prepared - calls.inBatches;
  }
}
`;

/** How often a machine's flush asks D1, with something new and without; of a server with the wrapper. */
export async function countFlushes(server: Server, feeder: Feeder, { crowd }: Hall): Promise<Finding[]> {
  const [gateway] = crowd;
  const [machineId] = gateway?.machineIds ?? [];
  if (!gateway || machineId === undefined) throw new Error("no machine");
  const alarm = server.nextLine<{ dbCalls: number }>("alarmOf", String(machineId));
  await fire(feeder.andon(new Gateway({ ...gateway, machineIds: [machineId] }, 10, Date.now() - 20_000).next()));
  const withNews = (await alarm).dbCalls;
  const without = Number(await server.env.MACHINES.getByName(String(machineId)).ring?.());
  return [
    { name: "calls of D1 by a flush after ten counts", value: withNews, unit: "", limit: { atMost: 1 } },
    { name: "calls of D1 by a flush after nothing", value: without, unit: "", limit: { atMost: 0 } },
  ];
}
