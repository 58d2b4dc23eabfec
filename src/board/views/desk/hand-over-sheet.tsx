import type { ComponentChildren } from "preact";
import type { ApiSchema } from "../../data/api.ts";
import { formats, plant } from "../../data/plant.ts";
import { standingOf } from "../../domain/hand-over.ts";
import { stopName } from "../../texts/common.ts";
import { handOver as t } from "../../texts/hand-over.ts";
import { unitsText } from "../../ui/numbers.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { dayName } from "../../ui/words.ts";
import { useRated } from "./rated.tsx";

type Figures = ApiSchema<"HandOverFigures">;
type HandOver = ApiSchema<"HandOverWithFigures">;
type Row = Figures["all"];

interface SheetProps {
  shown: ApiSchema<"ShiftFigures">;
  /** What was written; null: nothing yet. */
  handOver: HandOver | null;
  /** The figures of now, if they are known. */
  now: Figures | null;
}

/** A hand-over as it is read and printed: on one page of A4, as long as there is not too much. */
export function HandOverSheet({ shown, handOver, now }: SheetProps) {
  const { shift, line, figures } = shown;
  const { dateTime, time, number } = formats();
  // While the shift runs its figures change all the time.
  const later = handOver && now?.isShiftOver ? now : null;
  const differs = later !== null && isOther(figures.all, later.all);
  return (
    <article class="hand-sheet">
      <header class="sheet-head">
        <div>
          <h2>{t.title(shift.name, dayName(shift.date))}</h2>
          <p class="quiet">
            {[
              plant.value?.name,
              line?.name ?? t.allLines,
              `${time(shift.startTime)}–${time(shift.endTime)}`,
              t.machines(number(figures.machineCount)),
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
        <p class="quiet">{t.asOf(dateTime(figures.at))}</p>
      </header>
      {handOver === null && <p class="sheet-note">{t.notWritten}</p>}
      {differs && <p class="sheet-note">{t.notNow}</p>}
      <Summary figures={figures} later={later} />
      <Made figures={figures} later={later} isOfLine={line !== null} />
      <div class="sheet-pair">
        <Hours hours={figures.hours} at={figures.at} />
        <Orders figures={figures} />
      </div>
      <Longest figures={figures} />
      <div class="sheet-pair">
        <Open figures={figures} />
        {handOver && <Watch watch={handOver.watch} />}
      </div>
      {handOver && <Notes notes={handOver.notes} />}
      {handOver && (
        <div class="sheet-pair">
          <div class="sheet-sign">
            <strong>{t.handedOver}</strong>
            <p>{t.signed(handOver.writtenBy.name, dateTime(handOver.updatedAt))}</p>
          </div>
          <div class="sheet-sign">
            <strong>{t.taken}</strong>
            <p>
              {handOver.acknowledgedAt === null
                ? t.notTaken
                : t.signed(handOver.acknowledgedBy?.name ?? "", dateTime(handOver.acknowledgedAt))}
            </p>
          </div>
        </div>
      )}
    </article>
  );
}

function isOther(one: Row, other: Row): boolean {
  return one.total !== other.total || one.defects !== other.defects || Math.round(one.oee * 10) !== Math.round(other.oee * 10);
}

/** What a figure is now, beside it, if that is something else. */
function Now({ then, now }: { then: string; now: string | null }) {
  if (now === null || now === then) return null;
  return (
    <>
      {" "}
      <span class="sheet-now">{t.now(now)}</span>
    </>
  );
}

function Summary({ figures: { all, stopCount, withoutCause }, later }: { figures: Figures; later: Figures | null }) {
  const { percent, number, signed } = formats();
  const oee = (of: Row) => percent(of.oee, 1);
  return (
    <dl class="sheet-figures">
      <div>
        <dt>{t.oee}</dt>
        <dd class="figure">{oee(all)}</dd>
        <dd>
          {t.availability(percent(all.availability, 1))}
          <Now then={oee(all)} now={later && oee(later.all)} />
        </dd>
      </div>
      <div>
        <dt>{t.made}</dt>
        <dd class="figure">{unitsText(all.total)}</dd>
        <dd>
          {all.target > 0 ? (
            <Standing row={all}>
              {t.against(signed(Math.round(all.total - all.target)), percent((100 * all.total) / all.target, 1))}
            </Standing>
          ) : (
            t.noTarget
          )}
          <Now then={unitsText(all.total)} now={later && unitsText(later.all.total)} />
        </dd>
      </div>
      <div>
        <dt>{t.stops}</dt>
        <dd class="figure">{number(stopCount)}</dd>
        <dd>
          {t.downtime(number(all.unavailableTime))}
          <Now then={number(all.unavailableTime)} now={later && number(later.all.unavailableTime)} />
        </dd>
      </div>
      <div>
        <dt>{t.withoutCause}</dt>
        <dd class="figure">{number(withoutCause.count)}</dd>
        <dd>
          {t.minutes(number(withoutCause.minutes))}
          <Now then={number(withoutCause.count)} now={later && number(later.withoutCause.count)} />
        </dd>
      </div>
    </dl>
  );
}

/** A difference with a shape and a colour: winning, losing, or neither. */
function Standing({ row, children }: { row: Pick<Row, "total" | "target">; children: ComponentChildren }) {
  const standing = standingOf(row);
  const shape = { ahead: "M0 9 5 1 10 9z", behind: "M0 1h10L5 9z", even: "M3 3h4v4H3z" }[standing];
  return (
    <span class={`standing standing-${standing}`}>
      <svg class="standing-mark" viewBox="0 0 10 10" aria-hidden="true">
        <path d={shape} />
      </svg>{" "}
      {children}
    </span>
  );
}

type Made = Row & { key: number; name: string; now: Row | null };

/** By line; of a line, or without lines, by machine. */
function Made({ figures, later, isOfLine }: { figures: Figures; later: Figures | null; isOfLine: boolean }) {
  const { number, percent, signed } = formats();
  const { rated } = useRated();
  const hasLines = !isOfLine && figures.lines.some(({ line }) => line !== null);
  const rowsOf = (of: Figures): Omit<Made, "now">[] =>
    hasLines
      ? of.lines.map(({ line, ...row }) => ({ ...row, key: line?.id ?? 0, name: line?.name ?? t.withoutLine }))
      : of.machines.map(({ machine, line: _, ...row }) => ({ ...row, key: machine.id, name: machine.name }));
  const present = later && new Map(rowsOf(later).map((row) => [row.key, row]));
  const rows = rowsOf(figures).map((row): Made => ({ ...row, now: present?.get(row.key) ?? null }));
  const names = t.columns;
  const of = (text: (row: Row) => string): ((row: Made) => ComponentChildren) => {
    return (row) => (
      <>
        {text(row)}
        <Now then={text(row)} now={row.now && text(row.now)} />
      </>
    );
  };
  const difference = (row: Row) => (
    <Standing row={row}>{row.target > 0 ? signed(Math.round(row.total - row.target)) : "–"}</Standing>
  );
  const scrap = ({ total, defects }: Row) => (total > 0 ? percent((100 * defects) / total, 1) : "–");
  const { all } = figures;
  const columns: Column<Made>[] = [
    { name: hasLines ? names.line : names.machine, cell: ({ name }) => name, sortBy: ({ name }) => name, total: t.total },
    {
      ...{ name: names.target, isNumber: true, cell: ({ target }) => number(target), sortBy: ({ target }) => target },
      total: number(all.target),
    },
    {
      ...{ name: names.made, isNumber: true, cell: of(({ total }) => unitsText(total)), sortBy: ({ total }) => total },
      total: unitsText(all.total),
    },
    {
      ...{ name: names.difference, isNumber: true, cell: difference, sortBy: ({ total, target }) => total - target },
      total: difference(all),
    },
    {
      name: names.oee,
      isNumber: true,
      cell: ({ key, oee, now }) => (
        <>
          {rated("oee", oee, 1, hasLines ? undefined : key)}
          <Now then={percent(oee, 1)} now={now && percent(now.oee, 1)} />
        </>
      ),
      sortBy: ({ oee }) => oee,
      total: rated("oee", all.oee, 1),
    },
    {
      ...{ name: names.scrap, isNumber: true, cell: scrap, sortBy: ({ total, defects }) => defects / Math.max(1, total) },
      total: scrap(all),
    },
    {
      ...{ name: names.downtime, isNumber: true, cell: (row) => number(row.unavailableTime) },
      ...{ sortBy: ({ unavailableTime }) => unavailableTime, total: number(all.unavailableTime) },
    },
  ];
  const [shown, count] = hasLines ? [figures.lines.length, figures.lineCount] : [figures.machines.length, figures.machineCount];
  return (
    <Block title={t.table} hint={shown < count ? t.behind(number(shown), number(count)) : null}>
      <Table caption={t.table} data={{ columns, rows, keyOf: ({ key }) => key, isStacked: true }} />
    </Block>
  );
}

/** The units of each hour that has begun, as shares of their target. */
function Hours({ hours, at }: { hours: Figures["hours"]; at: string }) {
  const { percent, time, number } = formats();
  const begun = hours.filter(({ start }) => start < at);
  const shares = begun.map(({ total, target }) => (target > 0 ? total / target : null));
  const highest = shares.reduce((most: number, share) => Math.max(most, share ?? 0), 1);
  const [width, height] = [100 / Math.max(1, begun.length), 40];
  return (
    <Block title={t.hours} hint={t.hoursHint}>
      <svg class="sheet-hours" viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {begun.map((hour, i) => {
          const share = shares[i] ?? 0;
          const tall = (height * share) / highest;
          const kind = standingOf(hour) === "behind" ? "hour-behind" : "hour-even";
          return (
            <rect
              key={hour.start}
              class={kind}
              x={i * width + 1}
              y={height - tall}
              width={Math.max(1, width - 2)}
              height={tall}
            />
          );
        })}
        <line class="hour-target" x1="0" x2="100" y1={height - height / highest} y2={height - height / highest} />
      </svg>
      <ol class="sheet-hour-names">
        {begun.map(({ start, total }, i) => {
          const share = shares[i] ?? null;
          return (
            <li key={start}>
              <span class="quiet">{time(start)}</span>
              <strong>{share === null ? number(total) : percent(100 * share)}</strong>
            </li>
          );
        })}
      </ol>
    </Block>
  );
}

function Orders({ figures: { lateOrders, lateOrderCount } }: { figures: Figures }) {
  const { dateTime, number } = formats();
  const left = lateOrderCount - lateOrders.length;
  return (
    <Block title={t.orders}>
      {lateOrders.length === 0 ? (
        <p class="quiet">{t.noOrders}</p>
      ) : (
        <ul class="sheet-list">
          {lateOrders.map(({ id, code, name, remaining, dueTime, expectedAt }) => (
            <li key={id}>
              <strong>{code}</strong>{" "}
              {[
                name,
                t.left(unitsText(remaining)),
                dueTime && t.due(dateTime(dueTime)),
                expectedAt && t.expected(dateTime(expectedAt)),
              ]
                .filter(Boolean)
                .join(" · ")}
            </li>
          ))}
          {left > 0 && <li class="quiet">{t.more(number(left))}</li>}
        </ul>
      )}
    </Block>
  );
}

type Stop = Figures["stops"][number];

function Longest({ figures: { stops, all } }: { figures: Figures }) {
  const { time, number } = formats();
  const names = t.columns;
  const columns: Column<Stop>[] = [
    { name: names.machine, cell: ({ machine }) => machine.name, sortBy: ({ machine }) => machine.name },
    {
      name: names.cause,
      cell: ({ name, hasCause }) => (hasCause || name !== "Stop" ? stopName(name) : <strong class="worse">{t.noCause}</strong>),
      sortBy: ({ name }) => name,
    },
    {
      name: names.time,
      cell: ({ startTime, endTime }) => `${time(startTime)} – ${endTime === null ? t.still : time(endTime)}`,
      sortBy: ({ startTime }) => startTime,
    },
    { name: names.minutes, isNumber: true, cell: ({ minutes }) => number(minutes), sortBy: ({ minutes }) => minutes },
    { name: names.note, cell: ({ note }) => note ?? <span class="quiet">{t.noNote}</span> },
  ];
  const sum = stops.reduce((minutes, stop) => minutes + stop.minutes, 0);
  return (
    <Block title={t.longest} hint={stops.length > 0 ? t.ofDowntime(number(sum), number(all.unavailableTime)) : null}>
      {stops.length === 0 ? (
        <p class="quiet">{t.noStops}</p>
      ) : (
        <Table caption={t.longest} data={{ columns, rows: stops, keyOf: ({ id }) => id, isStacked: true }} />
      )}
    </Block>
  );
}

function Open({ figures }: { figures: Figures }) {
  const { incidents, incidentCount, calls, callCount, withoutCause } = figures;
  const { number, time } = formats();
  const others = incidentCount + callCount - incidents.length - calls.length;
  const isNothing = incidents.length + calls.length + withoutCause.count === 0;
  return (
    <Block title={t.open}>
      {isNothing ? (
        <p class="quiet">{t.nothingOpen}</p>
      ) : (
        <ul class="sheet-list">
          {calls.map(({ id, machine, message, since }) => (
            <li key={`call ${id}`}>
              <strong>{t.call}</strong> {[machine.name, message, t.since(time(since))].filter(Boolean).join(" · ")}
            </li>
          ))}
          {incidents.map(({ id, name, machine, since, acknowledgedBy }) => (
            <li key={id}>
              <strong>{t.incident}</strong>{" "}
              {[machine?.name, name, t.since(time(since)), acknowledgedBy === null ? t.nobody : t.by(acknowledgedBy)]
                .filter(Boolean)
                .join(" · ")}
            </li>
          ))}
          {withoutCause.count > 0 && (
            <li>
              <strong>{t.unknown}</strong> {t.stopsWithout(number(withoutCause.count), number(withoutCause.minutes))}
            </li>
          )}
          {others > 0 && <li class="quiet">{t.more(number(others))}</li>}
        </ul>
      )}
    </Block>
  );
}

/** What to watch, with a box to tick on paper. */
function Watch({ watch }: { watch: readonly string[] }) {
  return (
    <Block title={t.watch}>
      {watch.length === 0 ? (
        <p class="quiet">{t.nothingToWatch}</p>
      ) : (
        <ul class="sheet-list sheet-watch">
          {watch.map((one, i) => (
            <li key={i}>{one}</li>
          ))}
        </ul>
      )}
    </Block>
  );
}

const topics = ["safety", "quality", "people", "other"] as const;

function Notes({ notes }: { notes: HandOver["notes"] }) {
  const said = topics.filter((topic) => notes[topic] !== null);
  return (
    <Block title={t.notes}>
      {said.length === 0 ? (
        <p class="quiet">{t.noNotes}</p>
      ) : (
        <dl class="sheet-notes">
          {said.map((topic) => (
            <div key={topic}>
              <dt>{t.topics[topic]}</dt>
              <dd>{notes[topic]}</dd>
            </div>
          ))}
        </dl>
      )}
    </Block>
  );
}

function Block({ title, hint = null, children }: { title: string; hint?: string | null; children: ComponentChildren }) {
  return (
    <section class="sheet-block">
      <h3>
        {title}
        {hint && <span class="sheet-hint">{hint}</span>}
      </h3>
      {children}
    </section>
  );
}
