import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { lineRef, namedRef, shiftRef } from "../../core/refs.ts";
import { degradedMark, heldMark, machineStatus, recalculatingMark, statusSince } from "./status.ts";

const timestamp = z.iso.datetime();
const named = z.object({ id: z.int(), name: answerText.nullable() });
const cause = named.nullable();
const figure = (what: string) =>
  z
    .number()
    .nullable()
    .openapi({ description: `${what}, in the shift so far; null outside shifts` });
const minutes = (what: string) => figure(`Minutes of ${what}, two decimals`);

const currentStop = z.object({
  id: z.int(),
  since: timestamp.nullable(),
  name: answerText.openapi({
    description:
      "The name given by a person, else the name of the specific cause, the general cause or the planned break, else `Stop`",
  }),
  generalCause: cause,
  specificCause: cause,
  component: cause,
});

/** A machine's present status and its production in the running shift so far: a row of `/v1/state` and of `/v1/live`. */
export const liveRow = z
  .object({
    machine: namedRef.extend({ ref: answerText.openapi({ description: "The company's own name for it" }) }),
    line: lineRef,
    helpCall: z
      .object({ id: z.int(), since: timestamp, message: answerText.nullable(), calledBy: named })
      .nullable()
      .openapi({ description: "The open call for help at the machine; null without one" }),
    isReachable: z.boolean().openapi({
      description: "Whether the machine's state could be read. If not, it did not answer in time, and all members below are null",
    }),
    isDegraded: z.boolean().nullable().openapi({ description: degradedMark }),
    heldCounts: z.int().nullable().openapi({ description: heldMark }),
    isRecalculating: z.boolean().nullable().openapi({ description: recalculatingMark }),
    asOf: timestamp.nullable().openapi({
      description:
        "The instant of the figures; null outside shifts. After it, the minutes of the present status and `target` keep growing; everything else stays as it is until something happens",
    }),
    status: machineStatus.nullable(),
    since: statusSince,
    shift: shiftRef.nullable().openapi({ description: "The current shift; null outside shifts" }),
    sku: z
      .object({ id: answerText, name: answerText.nullable() })
      .nullable()
      .openapi({ description: "Currently in production; null if there is none" }),
    workOrder: z
      .object({ id: answerText, code: answerText.nullable(), name: answerText.nullable() })
      .nullable()
      .openapi({ description: "Currently in production; null if there is none" }),
    operators: z
      .array(named.extend({ since: timestamp }))
      .nullable()
      .openapi({ description: "Who is signed in, by name" }),
    stop: currentStop.nullable().openapi({ description: "The current stop; null if there is none" }),
    plannedUntil: timestamp
      .nullable()
      .openapi({ description: "The end of the planned break that the machine is in; null: it is in none" }),
    isSlow: z
      .boolean()
      .nullable()
      .openapi({
        description: `Whether it runs, but slowly: below 80 % of its standard over the last 10 minutes of running (or 10 standard cycles where these take
longer) up to the newest event, or with more than 5 short stops. Without a standard, and before it ran for 10 standard cycles with its SKU, only the stops
count. Null outside shifts`,
      }),
    shortStops: z.int().nullable().openapi({
      description: "Non-programmed stops of under 5 minutes in this shift that ended in the last hour; null outside shifts",
    }),
    total: figure("Units counted"),
    defects: figure("Units rejected or reworked"),
    target: figure("Units that the standards in force allow in available and non-programmed time, two decimals"),
    targetPerHour: figure("How fast `target` grows at present, per hour, two decimals: 0 in time that does not count towards it"),
    targetAtEnd: z.number().nullable().openapi({
      description:
        "The target of the whole shift, two decimals: `target`, and what all time that is left outside planned breaks adds at the present standard. Null outside shifts and without a standard",
    }),
    forecast: z.number().nullable().openapi({
      description:
        "Units at the end of the shift, two decimals: `total`, and as many per minute of available and non-programmed time as so far, in all time that is left outside planned breaks. Null outside shifts, and in the first 15 such minutes of a shift",
    }),
    oee: figure("Percent, two decimals: availability x effectiveness x quality"),
    availability: figure("Percent, two decimals: available time / (available time + unavailable time)"),
    effectiveness: figure("Percent, two decimals: standard time of the cycles / available time; may exceed 100"),
    quality: figure("Percent, two decimals: correct / total; if nothing was made 100, or 0 with defects"),
    availableTime: minutes("available time"),
    unavailableTime: minutes("programmed and non-programmed downtime"),
    nonProgrammedDowntime: minutes("non-programmed downtime"),
    otherStopsTime: minutes("stops that availability leaves out"),
    noDataTime: minutes("no data"),
    lateStartTime: minutes("non-programmed downtime before the first available time"),
    idealTime: minutes("standard time of the cycles"),
    lastEventAt: timestamp.nullable().openapi({ description: "Time of the newest event; null before the first" }),
  })
  .openapi("MachineOverview");

export type LiveRow = z.infer<typeof liveRow>;
