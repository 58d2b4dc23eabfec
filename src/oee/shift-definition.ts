/** A shift as a company defines it. */
export interface ShiftDefinition {
  id: number;
  /** Local wall clock `HH:mm`; an end at or before the start is on the next day, an equal one 24 h later. */
  start: string;
  end: string;
  /** ISO weekdays of the start: Monday is 1. */
  days: number[];
  breaks: { name: string; start: string; end: string; isIncludedInAvailability: boolean }[];
}
