import { z } from "@hono/zod-openapi";
import { idParameter, text } from "../../../core/inputs.ts";
import { conflict } from "../../../core/problem.ts";
import { superuserAccess } from "../access.ts";
import { type Resource, stampMembers, stampsOf } from "../resource.ts";
import { type CompanyRow, companyTable } from "./queries.ts";

const signOutAtShiftEnd = z.boolean().openapi({
  description:
    "Whether operators who are signed in at the end of a shift are signed out then. A change takes effect with the next shift",
});

const members = {
  name: text(200).min(1).openapi({ example: "Demo Plant" }),
  timezone: text(100).refine(isTimezone, "must be an IANA time zone").openapi({
    description: "IANA name: its wall clock is that of the shifts. A change takes effect with the next shift",
    example: "Europe/Madrid",
  }),
};

export const companies: Resource<CompanyRow> = {
  name: "Company",
  names: "Companies",
  noun: "company",
  nouns: "companies",
  path: "/v1/companies",
  description: "Everyone sees the own company, superusers see all. Deleting one signs its users and gateways out.",
  access: superuserAccess,
  table: companyTable,
  example: { name: "Demo Plant", timezone: "Europe/Madrid" },
  id: idParameter,
  item: z.object({ id: z.int(), ...members, signOutAtShiftEnd, ...stampMembers }).openapi("Company"),
  create: z.object({ ...members, signOutAtShiftEnd: signOutAtShiftEnd.default(true) }),
  change: z.object({ ...members, signOutAtShiftEnd }).partial(),
  toItem(row) {
    const { id, name, timezone } = row;
    return { id, name, timezone, signOutAtShiftEnd: row.signOutAtShiftEnd, ...stampsOf(row) };
  },
  isCompany: true,
  refuse({ actor, before, next }) {
    if (!next && before?.id === actor.companyId) throw conflict("The own company cannot be deleted.");
  },
};

function isTimezone(name: string): boolean {
  try {
    // Offsets are taken too, but their clocks never change.
    return !/^[+-]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
