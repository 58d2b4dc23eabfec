import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { distinct, nameText, text } from "../../../core/inputs.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { levels, texts, when } from "./members.ts";
import { type AlertRuleRow, alertRuleTable } from "./queries.ts";
import { removeAlertRule, restoreAlertRule, storeAlertRule } from "./rules.ts";

const ids = (description: string) => distinct(z.int().min(1)).min(1).nullable().openapi({ description });
const scope = {
  machineIds: ids(
    "The machines that the rule applies to, in addition to those of `lineIds`. Both null: all machines of the company",
  ),
  lineIds: ids("The lines whose machines the rule applies to, including machines that join them later"),
  shiftIds: ids(
    "The shifts in which the rule applies; null: all. Outside shifts there are no alerts, except about orders, calls for help and gateways",
  ),
};
const own = { name: nameText(200).openapi({ example: "Press stands" }), when };
const isActive = z.boolean().openapi({ description: "An inactive rule opens nothing, and ends what it opened" });

/** The members of every rule, except its id. */
export const sentRule = z.object({
  ...own,
  machineIds: scope.machineIds.default(null),
  lineIds: scope.lineIds.default(null),
  shiftIds: scope.shiftIds.default(null),
  levels: levels.default([]),
  texts: texts.default(null),
  isActive: isActive.default(true),
});

export const alertRules: Resource<AlertRuleRow> = {
  names: { type: "AlertRule", types: "AlertRules", noun: "alert rule", nouns: "alert rules" },
  path: "/v1/alert-rules",
  description: `Rules that open incidents and notify people. A rule that could never hold is refused. Deleting a rule, or changing what it looks
for, resolves the incidents that it opened.`,
  access: { read: "reports:read", write: "alerts:write" },
  table: alertRuleTable,
  members: {
    id: text(100),
    item: z
      .object({ id: answerText, companyId: companyIdMember, ...own, ...scope, levels, texts, isActive, ...stampMembers })
      .openapi("AlertRule"),
    create: sentRule,
    change: z.object({ ...own, ...scope, levels, texts, isActive }).partial(),
    example: {
      name: "Press stands",
      when: { kind: "stop", minutes: 10 },
      levels: [{ afterMinutes: 0, personaIds: [], chatRoomIds: [] }],
    },
  },
  shape: {
    item(row) {
      const { id, companyId, name, kind, params, machineIds, lineIds, shiftIds, levels, texts, isActive } = row;
      const about = { machineIds, lineIds, shiftIds };
      return { id, companyId, name, when: { kind, ...params }, ...about, levels, texts, isActive, ...stampsOf(row) };
    },
  },
  rules: { store: storeAlertRule, remove: removeAlertRule, restore: restoreAlertRule },
};
