import { isSameRequest } from "../../core/idempotency.ts";
import type { EditedBy, KeyedRequest } from "../../objects/machine-protocol.ts";
import { HOUR_MS } from "../../oee/time.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";

/** How long requests of people are remembered: as long as D1 keeps the first response to a request with an Idempotency-Key. */
export const REMEMBERED_MS = 24 * HOUR_MS;

type Refused = { refused: string };
const otherBody = { refused: "conflict", message: "The Idempotency-Key was used with another body." } as const;

/**
 * Does what a request asks for, and remembers the request and some numbers of its result; a repeat only returns the result again. Without a
 * request, everything is new. What was refused is not remembered. Runs inside a transaction, so that a result and its key are stored together.
 */
export function once<Done extends object, Refusal extends Refused>(
  storage: MachineStorage,
  { request, by, now }: { request: KeyedRequest | null; by: EditedBy; now: number },
  {
    run,
    numbersOf,
    again,
  }: { run(): Done | Refusal; numbersOf(done: Done): number[]; again(numbers: readonly number[]): Done | Refusal },
): Done | Refusal | typeof otherBody {
  if (!request) return run();
  const id = JSON.stringify([by.userId, request.operation, request.key]);
  storage.forgetEdits(now - REMEMBERED_MS);
  const known = storage.rememberedEdit(id);
  if (known) return isSameRequest(request, known.requestHash) ? again(known.numbers) : otherBody;
  const outcome = run();
  if ("refused" in outcome) return outcome;
  storage.rememberEdit({ id, requestHash: request.requestHash, numbers: numbersOf(outcome), at: now });
  return outcome;
}
