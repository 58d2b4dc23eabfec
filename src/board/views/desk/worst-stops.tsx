import { useState } from "preact/hooks";
import { type ApiSchema, api } from "../../data/api.ts";
import { someOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { dayOf, dayOfShift, type Interval } from "../../domain/days.ts";
import type { Loss } from "../../domain/pareto.ts";
import { desk as t } from "../../texts/desk.ts";
import { past } from "../../texts/past.ts";
import { BulkClassify, type Choice, ChooseAll, ChooseStop } from "./bulk-classify.tsx";
import { Body } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { isoRange } from "./shift-table.tsx";
import { Table } from "./table.tsx";
import { lossName } from "./words.ts";

const MOST = 15;
/** The service refuses to classify more than 10,000 stops at once. */
const MOST_CHOSEN = 10_001;
/** A shift lasts at most a day, which has 25 hours when the clocks are set back. */
const LONGEST_SHIFT_MS = 25 * 3_600_000;

interface WorstProps {
  /** The machines, as members of a query. */
  query: { companyId?: number; machineIds?: number[]; lineIds?: number[] };
  range: Interval;
  losses: readonly Loss[];
  /** Called when stops were classified. */
}

/** The longest stops of a cause, each with a link to it in its day. */
export function WorstStops({ query, range, losses }: WorstProps) {
  const { state, setUp, hrefWith, go } = useDesk();
  const loss = losses.find(({ key }) => key === state.cause) ?? losses[0];
  // By calendar days, a stop after midnight may be in a shift that started the day before: the API selects by the shift.
  const { productionDay, timezone } = setUp;
  const isByShift = productionDay !== "calendarDay";
  const asked = {
    ...query,
    ...isoRange({ start: range.start - (isByShift ? 0 : LONGEST_SHIFT_MS), end: range.end }),
    sort: "-duration" as const,
    isIncludedInAvailability: true,
    ...(loss?.generalCause ? { generalCauseIds: [loss.generalCause.id] } : { hasGeneralCause: false }),
    ...(loss?.specificCause ? { specificCauseIds: [loss.specificCause.id] } : { hasSpecificCause: false }),
  };
  const isInRange = ({ stop }: ApiSchema<"StopRecord">) =>
    isByShift || (Date.parse(stop.startTime) < range.end && (stop.endTime === null || Date.parse(stop.endTime) > range.start));
  const key = JSON.stringify(asked);
  const page = (limit: number) => (cursor: { cursor?: string }) =>
    api("get", "/v1/stop-records", { query: { ...asked, limit, ...cursor } });
  const loaded = useRead(loss ? ["/v1/stops", key] : null, () => someOf(MOST, isInRange, page(100)));
  const [{ choice, of }, setChoice] = useState<{ choice: Choice; of: string }>({ choice: [], of: key });
  const choose = (next: Choice) => setChoice({ choice: next, of: key });
  // What was chosen in another list is not chosen in this one.
  const chosen = of === key ? choice : [];
  const allIds = async () => [...new Set((await someOf(MOST_CHOSEN, isInRange, page(500))).map(({ stop }) => stop.id))];
  if (!loss) return null;
  const stops = loaded.data ?? [];
  const { number, day, time } = formats();
  return (
    <section class="card" aria-label={t.losses.stops(lossName(loss))}>
      <label class="field worst">
        <span>{t.losses.stopsOf}</span>
        <select value={loss.key} onChange={({ currentTarget }) => go({ cause: currentTarget.value })}>
          {losses.map((one) => (
            <option key={one.key} value={one.key}>
              {lossName(one)}
            </option>
          ))}
        </select>
      </label>
      <Body loaded={loaded}>
        {stops.length === 0 ? (
          <p class="quiet">{t.losses.noStops}</p>
        ) : (
          <Table
            caption={t.losses.stops(lossName(loss))}
            data={{
              columns: t.losses.stopColumns,
              numbers: [2],
              rows: stops.map(({ stop, shift, machine, classification }) => ({
                key: `${stop.id} ${stop.startTime}`,
                cells: [
                  <span key="machine" class="choose-row">
                    <ChooseStop
                      choice={chosen}
                      id={stop.id}
                      machine={machine.name}
                      start={Date.parse(stop.startTime)}
                      onChange={choose}
                    />
                    {machine.name}
                  </span>,
                  <a
                    key="stop"
                    href={hrefWith({
                      tab: "day",
                      day:
                        productionDay === "calendarDay"
                          ? dayOf(Date.parse(stop.startTime), timezone)
                          : dayOfShift(productionDay, intervalOf(shift), timezone),
                      stopId: stop.id,
                      window: null,
                    })}
                  >
                    {state.span === "day" ? time(stop.startTime) : `${day(stop.startTime)}, ${time(stop.startTime)}`}
                  </a>,
                  number(stop.durationInMinutes, 1),
                  classification?.description ?? "",
                ],
              })),
            }}
          />
        )}
      </Body>
      {stops.length > 1 && <ChooseAll choice={chosen} label={past.bulk.allOfList} onChange={choose} />}
      <BulkClassify choice={chosen} all={allIds} onChoose={choose} />
    </section>
  );
}

function intervalOf({ startTime, endTime }: { startTime: string; endTime: string }): Interval {
  return { start: Date.parse(startTime), end: Date.parse(endTime) };
}
