import { z } from "@hono/zod-openapi";
import { idParameter, nameText, text } from "../../../core/inputs.ts";
import { jurisdictions } from "../../../db/values.ts";
import { productionDays, weekStarts } from "../../../oee/production-day.ts";
import { isTimezone } from "../../../oee/zone.ts";
import { type Resource, setUpAccess, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { versionedMembers } from "../../../resource/versions.ts";
import { companyThresholds, newCompanyThresholds, thresholdsOf } from "../thresholds.ts";
import { type CompanyRow, companyTable } from "./queries.ts";
import { removeCompany, storeCompany } from "./rules.ts";

const signOutAtShiftEnd = z.boolean().openapi({
  description: "Whether operators are signed out automatically at the end of a shift. A change takes effect with the next shift",
});

const currencyRule = "must be the ISO 4217 code of a currency, such as EUR";
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: currencyRule, abort: true })
  .refine(isCurrency, currencyRule)
  .openapi({ description: "ISO 4217 code of the hourly rates of its machines", example: "EUR" });

const jurisdiction = z.enum(jurisdictions).nullable().openapi({
  description:
    "The place that the company's data is bound to, null: none. It is that of the service's database, and cannot be changed",
});

const productionDay = z.enum(productionDays).openapi({
  description:
    "The day for which a shift counts in reports, mails and on the board: each of its hours for its calendar day, or the whole shift for the day on " +
    "which it starts or ends. A change takes effect with the next shift; shifts that have begun keep their day",
});
const weekStart = z.enum(weekStarts).openapi({ description: "The first day of the weeks of reports" });

const lockAfterDays = z
  .int()
  .min(1)
  .max(3650)
  .nullable()
  .openapi({
    description:
      "After how many days books are closed by themselves: when a day of the plant begins, up to midnight so many days before. Null: never; " +
      "what is closed stays closed",
  });

/** The members that a new company needs. */
export const companyMembers = {
  name: nameText(200).openapi({ example: "Demo Plant" }),
  timezone: text(100).refine(isTimezone, "must be an IANA time zone").openapi({
    description: "IANA name: its wall clock is that of the shifts. A change takes effect with the next shift",
    example: "Europe/Madrid",
  }),
};

export const companies: Resource<CompanyRow> = {
  names: { type: "Company", types: "Companies", noun: "company", nouns: "companies" },
  path: "/v1/companies",
  description: "Users see their own company, superusers see all. Deleting a company signs its users and gateways out.",
  access: { ...setUpAccess, makers: ["superuser"], machines: { get: "company" } },
  table: companyTable,
  members: {
    id: idParameter,
    item: z
      .object({
        id: z.int(),
        ...companyMembers,
        currency,
        signOutAtShiftEnd,
        productionDay,
        weekStart,
        lockAfterDays,
        ...companyThresholds,
        jurisdiction,
        ...stampMembers,
      })
      .openapi("Company"),
    create: z.object({
      ...companyMembers,
      currency: currency.default("EUR"),
      signOutAtShiftEnd: signOutAtShiftEnd.default(true),
      productionDay: productionDay.default("shiftStart"),
      weekStart: weekStart.default("monday"),
      lockAfterDays: lockAfterDays.default(null),
      ...newCompanyThresholds,
      jurisdiction: jurisdiction.default(null),
    }),
    change: z
      .object({
        ...companyMembers,
        currency,
        signOutAtShiftEnd,
        productionDay,
        weekStart,
        lockAfterDays,
        ...companyThresholds,
        jurisdiction,
      })
      .partial(),
    example: { name: "Demo Plant", timezone: "Europe/Madrid" },
  },
  shape: {
    item(row) {
      const { id, name, timezone, currency, signOutAtShiftEnd, productionDay, weekStart, lockAfterDays, jurisdiction } = row;
      const rules = { signOutAtShiftEnd, productionDay, weekStart, lockAfterDays };
      return { id, name, timezone, currency, ...rules, ...thresholdsOf(row), jurisdiction, ...stampsOf(row) };
    },
  },
  versioned: [
    versionedMembers("rules", ({ timezone, signOutAtShiftEnd, productionDay, weekStart }) => ({
      ...{ timezone, signOutAtShiftEnd, productionDay, weekStart },
    })),
  ],
  inSetUp: ({ timezone, signOutAtShiftEnd, productionDay }) => ({ company: { timezone, signOutAtShiftEnd, productionDay } }),
  rules: { store: storeCompany, remove: removeCompany },
};

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf("currency").includes(code);
}
