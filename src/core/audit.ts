import type { kindNumbers, verbNumbers } from "../db/audit-columns.ts";
import type { AuditRow } from "../db/audit-row.ts";
import { authorName, type UserActor } from "./actor.ts";
import { kindOf } from "./audit-entries.ts";

const setUp = ["create", "change", "delete"] as const;
const restorable = [...setUp, "restore"] as const;
const maxCharacters = 2000;

/** Everything that is audited: each kind of object with its actions. The database has a number for each (db/audit-columns.ts). */
export const auditedVerbs = {
  company: setUp,
  user: restorable,
  line: restorable,
  machine: [...restorable, "run"],
  shift: restorable,
  "calendar-day": restorable,
  operator: [...restorable, "sign-in", "sign-out"],
  sku: restorable,
  "stop-cause": restorable,
  "operator-plan": restorable,
  "gateway-token": setUp,
  "api-token": setUp,
  widget: [...restorable, "promote", "set-thumbnail"],
  dashboard: [...restorable, "archive", "unarchive"],
  "count-sensors": ["change"],
  events: ["ingest"],
  "book-closing": ["create", "reopen"],
  "held-events": ["accept", "drop"],
  import: ["create", "undo"],
  recalculation: ["create"],
  correction: ["create", "undo"],
  "event-withdrawal": ["create", "undo"],
  "defect-reason": restorable,
  "orphaned-edit": ["drop"],
  run: ["change", "undo"],
  presence: ["change", "undo"],
  "help-call": ["create", "answer"],
  action: ["create", "change"],
  "hand-over": ["create", "change", "acknowledge"],
  "set-up-import": ["create", "undo"],
  stop: ["record", "change", "classify", "split", "merge", "delete"],
  "stop-classification": ["create", "undo"],
  "work-order": ["create", "change", "delete", "set-target", "report-progress"],
  tag: ["save"],
  "alert-rule": restorable,
  incident: ["acknowledge"],
  persona: [...setUp, "test"],
  "chat-room": [...restorable, "test"],
  "role-permission": setUp,
  config: ["save", "delete"],
  quota: ["change"],
  "report-subscription": [...restorable, "run", "leave"],
  "webhook-secret": ["create", "rotate"],
  "webhook-subscription": [...restorable, "rotate-secret", "replay", "ping"],
  login: ["success", "failure"],
} as const satisfies Record<keyof typeof kindNumbers, readonly (keyof typeof verbNumbers)[]>;

type Verbs = typeof auditedVerbs;
export type AuditAction = { [Kind in keyof Verbs]: `${Kind}.${Verbs[Kind][number]}` }[keyof Verbs];

/** An action on an object. */
export interface AuditEntry {
  action: AuditAction;
  /** The company that owns the object; null for system objects, whose entries are visible to the actor's company. */
  companyId: number | null;
  objectId: number | string;
  /** The object as the API shows it, without secrets; null if it does not exist. */
  before: object | null;
  after: object | null;
}

/** The actor and the request of an action. */
export interface AuditedBy {
  userId: number;
  /** Missing in a call from a version of before there were names. */
  userName?: string | null;
  /** Whether the name is not that of the user: see `authorName`. */
  isOtherName?: boolean;
  /** Null if no API token was used. */
  apiTokenId: number | null;
  companyId: number;
  /** Null: no request did it. */
  requestId: string | null;
}

/** The actor as recorded in the audit log. */
export function auditedBy(actor: UserActor, requestId: string): AuditedBy {
  const { userId, userName, companyId, apiToken } = actor;
  const isOtherName = authorName(actor).userName !== undefined;
  return { userId, userName, apiTokenId: apiToken?.id ?? null, companyId, requestId, ...(isOtherName && { isOtherName }) };
}

/** What the service does by itself for a company. */
export function byService(companyId: number): AuditedBy {
  return { userId: 0, userName: null, apiTokenId: null, companyId, requestId: null };
}

/** Returns an audit entry as it is passed on. Long members are shortened. */
export function auditRow(by: AuditedBy, { action, companyId, objectId, before, after }: AuditEntry): AuditRow {
  const owner = companyId ?? by.companyId;
  return {
    id: newEntryId(),
    at: Date.now(),
    companyId: owner,
    userId: by.userId,
    ...((owner !== by.companyId || by.isOtherName) && by.userName !== undefined && { userName: by.userName }),
    apiTokenId: by.apiTokenId,
    requestId: by.requestId,
    action,
    objectType: kindOf(action),
    objectId: String(objectId),
    before: before && brief(before),
    after: after && brief(after),
  };
}

let made = 0;

/** A UUID that begins with a counter, so that the entries of one time are listed in the order in which they were made. */
function newEntryId(): string {
  made = (made + 1) % 0x10000;
  return made.toString(16).padStart(4, "0") + crypto.randomUUID().slice(4);
}

/** Returns an object with its long members replaced: lists by their `count`, others by their number of `characters`. */
function brief(object: object): Record<string, unknown> {
  const members = Object.entries(object).map(([name, value]) => {
    const length = JSON.stringify(value)?.length ?? 0;
    if (length <= maxCharacters) return [name, value];
    return [name, Array.isArray(value) ? { count: value.length } : { characters: length }];
  });
  return Object.fromEntries(members);
}
