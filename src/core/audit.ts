import type { audit } from "../db/schema.ts";
import type { UserActor } from "./actor.ts";

const setUp = ["create", "change", "delete"] as const;
const maxCharacters = 2000;

/** Everything that is audited: each kind of object, and what is done to it. */
export const auditedVerbs = {
  company: setUp,
  user: setUp,
  line: setUp,
  machine: [...setUp, "run"],
  shift: setUp,
  operator: [...setUp, "sign-in", "sign-out"],
  sku: setUp,
  "stop-cause": setUp,
  "operator-plan": setUp,
  "gateway-token": setUp,
  "api-token": setUp,
  widget: [...setUp, "promote", "set-thumbnail"],
  dashboard: [...setUp, "archive", "unarchive"],
  "count-sensors": ["change"],
  events: ["ingest"],
  "help-call": ["create", "answer"],
  stop: ["record", "change", "classify", "split", "merge", "delete"],
  "work-order": ["create", "change", "delete", "set-target", "report-progress"],
  tag: ["save"],
  "alert-rule": setUp,
  incident: ["acknowledge"],
  persona: [...setUp, "test"],
  "chat-room": [...setUp, "test"],
  "role-permission": ["change"],
  config: ["save", "delete"],
  "report-subscription": [...setUp, "run"],
  "webhook-secret": ["create", "rotate"],
  "webhook-subscription": [...setUp, "rotate-secret", "replay"],
  login: ["success", "failure"],
} as const;

type Verbs = typeof auditedVerbs;
export type AuditAction = { [Kind in keyof Verbs]: `${Kind}.${Verbs[Kind][number]}` }[keyof Verbs];

/** What was done to an object. */
export interface AuditEntry {
  action: AuditAction;
  /** The company that owns the object; null for objects of the system, whose entries the actor's company sees. */
  companyId: number | null;
  objectId: number | string;
  /** As the API shows it, without secrets; null: it is not there. */
  before: object | null;
  after: object | null;
}

/** Who did it, and by which request. */
export interface AuditedBy {
  userId: number;
  /** Null: not by an API token. */
  apiTokenId: number | null;
  companyId: number;
  requestId: string;
}

/** The actor, as the audit records it. */
export function auditedBy({ userId, companyId, apiToken }: UserActor, requestId: string): AuditedBy {
  return { userId, apiTokenId: apiToken?.id ?? null, companyId, requestId };
}

/** The row of an audit entry. Long members are shortened. */
export function auditRow(by: AuditedBy, { action, companyId, objectId, before, after }: AuditEntry) {
  return {
    id: crypto.randomUUID(),
    at: Date.now(),
    companyId: companyId ?? by.companyId,
    userId: by.userId,
    apiTokenId: by.apiTokenId,
    requestId: by.requestId,
    action,
    objectType: kindOf(action),
    objectId: String(objectId),
    before: before && brief(before),
    after: after && brief(after),
  } satisfies typeof audit.$inferInsert;
}

/** An object whose long members are replaced: lists by their `count`, everything else by its number of `characters`. */
export function brief(object: object): Record<string, unknown> {
  const members = Object.entries(object).map(([name, value]) => {
    const length = JSON.stringify(value)?.length ?? 0;
    if (length <= maxCharacters) return [name, value];
    return [name, Array.isArray(value) ? { count: value.length } : { characters: length }];
  });
  return Object.fromEntries(members);
}

/** The kind of object that an action is done to. */
export function kindOf(action: AuditAction): string {
  return action.slice(0, action.indexOf("."));
}
