import { z } from "@hono/zod-openapi";
import type { Permission, Role } from "../db/values.ts";
import type { WatchedData } from "../objects/hubs.ts";
import type { WouldBe } from "../objects/would-be-set-up.ts";
import { isoOf } from "../oee/time.ts";
import type { SetUpRow, SetUpTable, Viewer } from "./queries.ts";
import type { Rule } from "./rules.ts";
import type { VersionedMembers } from "./versions.ts";

export type Item = Record<string, unknown>;

/** A kind of object in the set-up. Its operations (list, get, create, change, delete) are derived from this declaration. */
export interface Resource<Row extends SetUpRow> {
  names: Names;
  path: string;
  description: string;
  access: Access;
  table: SetUpTable;
  members: Members;
  /**
   * Filters in the query of the list. Each is named after a column, which must have its value, or after a column with an `s` appended, which
   * must have one of its values.
   */
  filters?: z.ZodRawShape;
  /** The columns that the parameter `search` of the list looks in; undefined: the list has no such parameter. */
  searched?: readonly (keyof Row & string)[];
  shape: Shape<Row>;
  /** The members that numbers depend on: every version of them is kept. */
  versioned?: readonly VersionedMembers<Row>[];
  /** What a row is in the set-ups of machines, so that dry runs of its changes are possible. */
  inSetUp?: (row: Row) => WouldBe;
  /** As in `ListReading`. */
  hasLargeRows?: boolean;
  /** Its meaning to those who watch the company: they see it (`set-up`), or it controls who may watch (`access`). */
  watched?: WatchedData;
  /** `store` applies to new and changed rows, `restore` to deleted ones that are to come back: without it, they cannot. */
  rules: { store?: Rule<Row>; remove?: Rule<Row>; restore?: Rule<Row> };
}

interface Names {
  /** In PascalCase, for operation ids: `StopCause`, `StopCauses`. */
  type: string;
  types: string;
  /** In plain words: `stop cause`, `stop causes`. */
  noun: string;
  nouns: string;
}

export interface Access {
  read: Permission;
  write: Permission;
  /** The roles that may create and delete, if no permission controls that. */
  makers?: readonly Role[];
  /** True if only people may write it, not programs. */
  isForPeople?: boolean;
  /** How its reads are bound for terminals, if they may read it: see `MachineBinding`. */
  machines?: { list?: "company"; get?: "path" | "company" };
}

/** The access to most of the set-up: everyone reads it, admins change it. */
export const setUpAccess: Access = { read: "set-up:read", write: "set-up:write" };

interface Members {
  /** The id in a path: parsed from text to the column's value. */
  id: z.ZodType<number | string, string>;
  item: z.ZodObject;
  /** The bodies of POST (without `companyId`) and PATCH; their output goes into columns of the same names. */
  create: z.ZodObject;
  change: z.ZodObject;
  /** An example body of POST. */
  example: Item;
}

interface Shape<Row> {
  item(row: Row, viewer: Viewer): Item;
  /** The item as the audit records it, if that is different. */
  audited?(item: Item, row: Row): Item;
}

const timestamp = z.iso.datetime();

/** The last members of every item. */
export const stampMembers = {
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.nullable().openapi({ description: "Null unless deleted" }),
};

/** The values of `stampMembers`. */
export function stampsOf({ createdAt, updatedAt, deletedAt }: SetUpRow) {
  return { createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt), deletedAt: isoOf(deletedAt) };
}

export const companyIdMember = z.int().openapi({ description: "The company that owns it", example: 1 });
