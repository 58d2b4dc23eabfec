import { z } from "@hono/zod-openapi";

const minutes = (what: string) => z.number().openapi({ description: `Minutes, two decimals: ${what}` });
const percent = (what: string) => z.number().openapi({ description: `Percent, two decimals: ${what}` });
const wholePercent = (what: string) => z.int().openapi({ description: `Percent: ${what}` });
const wholeMinutes = (what: string) => z.int().openapi({ description: `Minutes: ${what}` });
const count = (what: string) => z.int().openapi({ description: what });

/** Times and availability of a shift, from its start to its end or now. */
export const indicatorsOfShift = z
  .object({
    unavailableTime: minutes("programmed and non-programmed downtime"),
    otherStopsTime: minutes("stops not included in availability"),
    programmedDowntime: minutes("programmed stops included in availability"),
    nonProgrammedDowntime: minutes("non-programmed stops included in availability"),
    noDataTime: minutes("no data was received from the machine"),
    netAvailability: percent("available time / (available time + non-programmed downtime)"),
    lateStartTime: minutes("non-programmed downtime before the first available second"),
    earlyStopTime: minutes("non-programmed downtime after the last available second of an ended shift"),
    availableTime: minutes("the rest"),
    availability: percent("available time / (available time + unavailable time)"),
    annotatedDowntime: minutes("unavailable time of stops with a general or specific cause"),
    indicatorId: z.int().openapi({ description: "Identifies the machine, shift and start, and never changes" }),
  })
  .openapi("ShiftIndicators", {
    example: {
      unavailableTime: 100,
      otherStopsTime: 30,
      programmedDowntime: 40,
      nonProgrammedDowntime: 60,
      noDataTime: 10,
      netAvailability: 85,
      lateStartTime: 12,
      earlyStopTime: 8,
      availableTime: 340,
      availability: 77.27,
      annotatedDowntime: 80,
      indicatorId: 4611,
    },
  });

/** Production of a shift, in whole numbers. */
export const metricsOfShift = z
  .object({
    averageCycleSpeed: count("Cycles per available hour, without those of units whose time is not known"),
    cycleSpeed: count(
      "Standard cycles per hour of what was made; if nothing was, of the SKU in work now or at the end of the shift",
    ),
    cycleCount: count("Cycles"),
    actualSpeed: count("Units per hour over the last 10 minutes of running time, without units whose time is not known"),
    averageSpeed: count("Units per available hour, without units whose time is not known"),
    defects: count(
      "Units rejected or reworked. Good units beyond a SKU's total settle the deficit of the SKU before it in the shift",
    ),
    correct: count("Units: total - defects"),
    total: count("Units counted"),
    minutesLostByLowSpeed: wholeMinutes("available time - standard time of the cycles"),
    minutesLostByLowQuality: wholeMinutes("standard time of the defects"),
    effectiveness: wholePercent("standard time of the cycles / available time; may exceed 100"),
    quality: wholePercent("correct / total; if nothing was made 100, or 0 with defects"),
    netOee: wholePercent("net availability x effectiveness x quality"),
    oee: wholePercent("availability x effectiveness x quality"),
    netAvailability: wholePercent("as in the indicators"),
    availability: wholePercent("as in the indicators"),
  })
  .openapi("ProductionMetrics", {
    example: {
      averageCycleSpeed: 255,
      cycleSpeed: 300,
      cycleCount: 1445,
      actualSpeed: 520,
      averageSpeed: 510,
      defects: 58,
      correct: 2832,
      total: 2890,
      minutesLostByLowSpeed: 51,
      minutesLostByLowQuality: 6,
      effectiveness: 85,
      quality: 98,
      netOee: 71,
      oee: 64,
      netAvailability: 85,
      availability: 77,
    },
  });
