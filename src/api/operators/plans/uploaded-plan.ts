import { createHash } from "node:crypto";
import type { Caller } from "../../../core/caller.ts";
import { createItem } from "../../../resource/items.ts";
import { plannedBy } from "./plan-file.ts";
import { type OperatorPlan, operatorPlan, operatorPlans } from "./resource.ts";

interface NamedPlan {
  companyId?: number | undefined;
  title: string;
  /** Epoch ms. */
  since: number;
  until: number;
}

/** Creates an operator plan from the text of a CSV file. */
export async function uploadOperatorPlan(caller: Caller, named: NamedPlan, file: string): Promise<OperatorPlan> {
  const fileId = createHash("sha256").update(file).digest("hex");
  const plan = await createItem(caller, operatorPlans, { ...named, fileId }, { rule: plannedBy(file) });
  return operatorPlan.parse(plan);
}
