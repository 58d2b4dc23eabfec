import type { ComponentProps } from "preact";
import { AlarmReader } from "./alarm-reader.tsx";
import { HistoryReader } from "./strip.tsx";

/** What reads while a wall is shown, and shows nothing itself. */
export function Readers({ into, ...selection }: ComponentProps<typeof AlarmReader> & ComponentProps<typeof HistoryReader>) {
  return (
    <>
      <HistoryReader {...selection} />
      <AlarmReader into={into} />
    </>
  );
}
