import type { Context } from "hono";
import type { UserEnv } from "../../http/env.ts";
import { objectUsage } from "../../http/session.ts";
import type { CurrentOperators } from "../../machine/machine-state.ts";
import { callMachines } from "../../machine/stub.ts";

const ANSWER_WITHIN_MS = 1000;

type Share = CurrentOperators["shares"][number];
type ShareOf = (of: { machineId: number; shiftStart: number; operatorId: number }) => Share | undefined;

/**
 * Asks the objects of machines, in parallel, what each operator did in the running shift. Gives a lookup: undefined for an
 * operator whom the object does not know in that shift, and for a machine that failed or did not answer within a second.
 */
export async function askOperators(c: Context<UserEnv>, machineIds: ReadonlySet<number>): Promise<ShareOf> {
  const answers = await callMachines(c.env, machineIds, ANSWER_WITHIN_MS, (machine) => machine.operators(), objectUsage(c));
  return ({ machineId, shiftStart, operatorId }) => {
    const answer = answers.get(machineId);
    return answer?.shiftStart === shiftStart ? answer.shares.find((share) => share.operatorId === operatorId) : undefined;
  };
}
