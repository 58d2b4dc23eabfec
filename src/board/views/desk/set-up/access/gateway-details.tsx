import { type Gateway, useGateways } from "../../../../data/gateways.ts";
import { formats } from "../../../../data/plant.ts";
import { gateways as t } from "../../../../texts/gateways.ts";
import { Table } from "../../../../ui/table.tsx";

type Status = NonNullable<Gateway["status"]>;

/** How one gateway is doing, live: its sources, and what is missing. */
export function GatewayDetails({ id }: { id: number }) {
  const gateway = useGateways().data?.find((one) => one.id === id);
  if (!gateway) return null;
  const { name, status } = gateway;
  return (
    <section aria-labelledby="gateway-details">
      <h3 id="gateway-details">{name}</h3>
      {status === null ? <p class="quiet">{t.noReport}</p> : <Report status={status} />}
    </section>
  );
}

function Report({ status: { startedAt, queue, sources } }: { status: Status }) {
  const { number, dateTime } = formats();
  return (
    <>
      <p>
        {t.started(dateTime(startedAt))}. {queue.bytes > 0 && t.size(number(Math.ceil(queue.bytes / 1000)))}
      </p>
      {queue.quarantined > 0 && <p>{t.quarantined(queue.quarantined, number(queue.quarantined))}</p>}
      {sources.length === 0 ? <p class="quiet">{t.noSources}</p> : <Sources sources={sources} />}
      {queue.dropped.length > 0 && (
        <>
          <p>{t.missing}:</p>
          <Missing dropped={queue.dropped} />
        </>
      )}
    </>
  );
}

function Sources({ sources }: Pick<Status, "sources">) {
  const { number, dateTime } = formats();
  return (
    <Table
      caption={t.columns.sources}
      data={{
        rows: sources,
        keyOf: ({ id }) => id,
        ...{ most: sources.length, isStacked: true },
        columns: [
          { name: t.source, cell: ({ id }) => id, sortBy: ({ id }) => id },
          { name: t.type, cell: ({ type }) => type },
          {
            name: t.columns.state,
            cell: ({ state }) => <span class={`gateway-state is-${state}`}>{t.sourceStates[state]}</span>,
            sortBy: ({ state }) => t.sourceStates[state],
          },
          { name: t.last, cell: ({ lastAt }) => (lastAt === null ? t.never : dateTime(lastAt)), sortBy: ({ lastAt }) => lastAt },
          { name: t.rate, isNumber: true, cell: ({ perMinute }) => number(perMinute, 1), sortBy: ({ perMinute }) => perMinute },
          { name: t.error, cell: ({ error }) => error ?? "–" },
        ],
      }}
    />
  );
}

function Missing({ dropped }: Pick<Status["queue"], "dropped">) {
  const { number, dateTime } = formats();
  const rows = dropped.map((one, i) => ({ ...one, key: i }));
  return (
    <Table
      caption={t.missing}
      data={{
        rows,
        keyOf: ({ key }) => key,
        ...{ most: rows.length, isStacked: true },
        columns: [
          { name: t.machine, cell: ({ machineRef }) => machineRef ?? t.unknown },
          { name: t.howMany, isNumber: true, cell: ({ events }) => number(events), sortBy: ({ events }) => events },
          { name: t.from, cell: ({ from }) => dateTime(from), sortBy: ({ from }) => from },
          { name: t.to, cell: ({ to }) => dateTime(to), sortBy: ({ to }) => to },
        ],
      }}
    />
  );
}
