import { z } from "@hono/zod-openapi";
import { brokenRule } from "../../core/inputs.ts";
import type { Thresholds } from "../../db/values.ts";

// From which value on a percentage is good, and below which it is bad: colours of the board, which no number depends on.

type ThresholdMember = "oeeThresholds" | "availabilityThresholds" | "coverageThresholds";

/** What holds in companies that say nothing else. */
const byDefault: Record<ThresholdMember, Thresholds> = {
  oeeThresholds: { badBelow: 60, goodFrom: 85 },
  availabilityThresholds: { badBelow: 75, goodFrom: 90 },
  // With less, causes say little.
  coverageThresholds: { badBelow: 96, goodFrom: 96 },
};

const what: Record<ThresholdMember, string> = {
  oeeThresholds: "The OEE",
  availabilityThresholds: "The availability",
  coverageThresholds: "The share of the downtime that has a cause",
};

const percent = (description: string) =>
  z
    .number()
    .min(0)
    .max(100)
    .openapi({ description: `Percent. ${description}` });

/** Thresholds as a request sends them. */
const thresholds = z
  .object({ badBelow: percent("What is below is bad"), goodFrom: percent("What is at least this is good") })
  .superRefine(({ badBelow, goodFrom }, c) => {
    if (goodFrom < badBelow) c.addIssue(brokenRule("not_in_order", ["goodFrom"], "must be at least `badBelow`"));
  });

const described = <T extends z.ZodType>(member: ThresholdMember, one: T, ofNull = "") =>
  one.openapi({
    description: `${what[member]} is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on${ofNull}`,
  });

/** The members of a company. */
export const companyThresholds = {
  oeeThresholds: described("oeeThresholds", thresholds),
  availabilityThresholds: described("availabilityThresholds", thresholds),
  coverageThresholds: described("coverageThresholds", thresholds),
};

/** The members of a new company. */
export const newCompanyThresholds = {
  oeeThresholds: companyThresholds.oeeThresholds.default(byDefault.oeeThresholds),
  availabilityThresholds: companyThresholds.availabilityThresholds.default(byDefault.availabilityThresholds),
  coverageThresholds: companyThresholds.coverageThresholds.default(byDefault.coverageThresholds),
};

const asCompany = "; null: those of the company";
/** The members of a machine. */
export const machineThresholds = {
  oeeThresholds: described("oeeThresholds", thresholds.nullable(), asCompany),
  availabilityThresholds: described("availabilityThresholds", thresholds.nullable(), asCompany),
  coverageThresholds: described("coverageThresholds", thresholds.nullable(), asCompany),
};

/** The members of a new machine. */
export const newMachineThresholds = {
  oeeThresholds: machineThresholds.oeeThresholds.default(null),
  availabilityThresholds: machineThresholds.availabilityThresholds.default(null),
  coverageThresholds: machineThresholds.coverageThresholds.default(null),
};

type Stored = Record<ThresholdMember, Thresholds | null>;

/** The thresholds of a machine's row; null: those of the company. */
export function ownThresholds({ oeeThresholds, availabilityThresholds, coverageThresholds }: Stored): Stored {
  return { oeeThresholds, availabilityThresholds, coverageThresholds };
}

/** The thresholds of a company's row: one that an earlier version stored has none. */
export function thresholdsOf(row: Stored): Record<ThresholdMember, Thresholds> {
  return {
    oeeThresholds: row.oeeThresholds ?? byDefault.oeeThresholds,
    availabilityThresholds: row.availabilityThresholds ?? byDefault.availabilityThresholds,
    coverageThresholds: row.coverageThresholds ?? byDefault.coverageThresholds,
  };
}
