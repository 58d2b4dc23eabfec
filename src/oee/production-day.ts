/** The day for which a shift counts: each hour for the calendar day that it is in, or the whole shift for the day on which it starts or ends. */
export const productionDays = ["calendarDay", "shiftStart", "shiftEnd"] as const;

export const weekStarts = ["monday", "sunday"] as const;
