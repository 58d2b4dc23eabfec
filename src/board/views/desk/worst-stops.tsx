import { api } from "../../api.ts";
import { dayOf } from "../../model/desk/days.ts";
import type { Loss } from "../../model/desk/pareto.ts";
import { formats } from "../../plant.ts";
import { desk as t } from "../../texts/desk.ts";
import { useLoaded } from "../../use-loaded.ts";
import { Body } from "./card.tsx";
import { useDesk } from "./desk-state.ts";
import { Table } from "./table.tsx";
import { lossName } from "./words.ts";

const MOST = 15;

interface WorstProps {
  /** The machines and the time, as members of a query. */
  query: { companyId?: number; machineIds?: number[]; lineIds?: number[]; from: string; to: string };
  losses: readonly Loss[];
}

/** The longest stops of a cause, each with a link to it in its day. */
export function WorstStops({ query, losses }: WorstProps) {
  const { state, setUp, hrefWith, go } = useDesk();
  const loss = losses.find(({ key }) => key === state.cause) ?? losses[0];
  const asked = {
    ...query,
    limit: MOST,
    sort: "-duration" as const,
    isIncludedInAvailability: true,
    ...(loss?.generalCause ? { generalCauseIds: [loss.generalCause.id] } : { hasGeneralCause: false }),
    ...(loss?.specificCause ? { specificCauseIds: [loss.specificCause.id] } : { hasSpecificCause: false }),
  };
  const loaded = useLoaded(loss ? JSON.stringify(asked) : null, () => api("get", "/v1/stop-records", { query: asked }));
  if (!loss) return null;
  const stops = loaded.data?.data ?? [];
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
              rows: stops.map(({ stop, machine, classification }) => ({
                key: `${stop.id} ${stop.startTime}`,
                cells: [
                  machine.name,
                  <a
                    key="stop"
                    href={hrefWith({
                      tab: "day",
                      day: dayOf(Date.parse(stop.startTime), setUp.timezone),
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
    </section>
  );
}
