import { invalid, type Problem } from "../../core/problem.ts";
import type { CompanyDb } from "../../db/client.ts";
import { selectLinesInOrder } from "./queries.ts";

/** The maximum number of machines of which one request can get the current state. */
export const MOST_MACHINES = 1000;

/** The maximum number of lines that the refusal names. */
const MOST_LINES = 50;

/** The refusal of a request for the state of too many machines, with the company's lines to choose from. One trip. */
export async function tooManyMachines(db: CompanyDb, companyId: number): Promise<Problem> {
  const lines = await selectLinesInOrder(db, companyId, MOST_LINES + 1);
  const named = lines.slice(0, MOST_LINES).map(({ id, name }) => `${id} (${name})`);
  const choice = [...named, ...(lines.length > MOST_LINES ? ["others"] : [])].join(", ");
  const message = `more than ${MOST_MACHINES} machines: select machines, or some of the lines${choice && `: ${choice}`}`;
  return invalid([{ pointer: "/query/lineIds", code: "too_many", message }]);
}
