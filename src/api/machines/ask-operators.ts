import type { Context } from "hono";
import type { UserEnv } from "../../http/env.ts";
import { askMachine } from "../../http/session.ts";
import type { CurrentOperators } from "../../machine/machine-state.ts";

const ANSWER_WITHIN_MS = 1000;

type Share = CurrentOperators["shares"][number];
type ShareOf = (of: { machineId: number; shiftStart: number; operatorId: number }) => Share | undefined;

/**
 * Asks the objects of machines, in parallel, what each operator did in the running shift. Gives a lookup: undefined for an
 * operator whom the object does not know in that shift, and for a machine that failed or did not answer within a second.
 */
export async function askOperators(c: Context<UserEnv>, machineIds: ReadonlySet<number>): Promise<ShareOf> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ANSWER_WITHIN_MS, null);
  });
  const ask = async (machineId: number) => {
    const answer = askMachine(c, machineId, (machine) => machine.operators());
    return [machineId, await Promise.race([answer, deadline]).catch(() => null)] as const;
  };
  const answers = new Map(await Promise.all([...machineIds].map(ask)));
  clearTimeout(timer);
  return ({ machineId, shiftStart, operatorId }) => {
    const answer = answers.get(machineId);
    return answer?.shiftStart === shiftStart ? answer.shares.find((share) => share.operatorId === operatorId) : undefined;
  };
}
