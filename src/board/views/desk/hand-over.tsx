import "./hand-over.css";
import { useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api, Refusal } from "../../data/api.ts";
import { may } from "../../data/may.ts";
import { usePaged } from "../../data/paged.ts";
import { firstOf } from "../../data/pages.ts";
import { formats } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { shiftToHandOver } from "../../domain/hand-over.ts";
import { shiftsOn } from "../../domain/shifts.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { handOver as t } from "../../texts/hand-over.ts";
import { Body, Empty } from "../../ui/body.tsx";
import { ListCard } from "../../ui/list-card.tsx";
import type { Column } from "../../ui/table.tsx";
import { dayName } from "../../ui/words.ts";
import { ChangeButton } from "./change-button.tsx";
import { useDesk } from "./desk-state.ts";
import { HandOverForm } from "./hand-over-form.tsx";
import { HandOverSheet } from "./hand-over-sheet.tsx";
import { Part } from "./part.tsx";

type HandOver = ApiSchema<"HandOver">;
type ShiftFigures = ApiSchema<"ShiftFigures">;
type HandOverWithFigures = ApiSchema<"HandOverWithFigures">;

const STEP = 10;

/** What a shift hands over: as it was written, or what would be written now. Below are the earlier ones. */
export function HandOverView() {
  return (
    <div class="desk-grid">
      <Part>
        <ShiftHandOver />
      </Part>
      <Part>
        <Earlier />
      </Part>
    </div>
  );
}

function ShiftHandOver() {
  const { state, day, today, setUp, hrefWith } = useDesk();
  // Today begins with the shift that is still running.
  const reachesBack = state.day === null || day === today;
  const usual = shiftToHandOver(setUp.shifts, day, setUp.timezone, Date.now(), reachesBack);
  const shiftId = state.handOverShift ?? usual?.shift.id ?? null;
  const date = state.handOverShift === null && usual ? usual.date : day;
  if (shiftId === null) return <Empty title={t.noShifts} />;
  const ofDay = shiftsOn(setUp.shifts, date);
  const offered = ofDay.some(({ id }) => id === shiftId) ? ofDay : setUp.shifts;
  return (
    <section class="card hand-over" aria-label={t.form}>
      <p class="chips">
        <span>{t.shift}</span>
        {offered.map(({ id, name }) => (
          <a
            key={id}
            class="tool"
            href={hrefWith({ handOverShift: id, day: date })}
            aria-current={id === shiftId ? "true" : undefined}
          >
            {name}
          </a>
        ))}
      </p>
      <Sheet key={`${shiftId} ${date} ${state.lineId}`} shiftId={shiftId} date={date} lineId={state.lineId} />
    </section>
  );
}

interface Of {
  shiftId: number;
  date: string;
  lineId: number | null;
}

/** The hand-over of a shift; null: nobody has written it. */
async function readHandOver({ shiftId, date, lineId }: Of): Promise<HandOverWithFigures | null> {
  const query = { ...companyQuery(), shiftIds: [shiftId], lineIds: [lineId ?? 0], date, limit: 1 };
  const { data } = await api("get", "/v1/hand-overs", { query });
  return data[0] ? await api("get", "/v1/hand-overs/{id}", { path: { id: data[0].id } }) : null;
}

async function readFigures({ shiftId, date, lineId }: Of): Promise<ShiftFigures | null> {
  try {
    return await api("get", "/v1/shift-figures", { query: { shiftId, date, ...(lineId !== null && { lineId }) } });
  } catch (error) {
    // No machine had the shift on this date.
    if (error instanceof Refusal && error.faults.some(({ code }) => code === "no_shift")) return null;
    throw error;
  }
}

function Sheet(of: Of) {
  const [isWriting, write] = useState(false);
  const written = useRead(["/v1/hand-overs", of], async () => ({ found: await readHandOver(of) }), { everyMs: MINUTE_MS });
  const present = useRead(["/v1/shift-figures", of], async () => ({ found: await readFigures(of) }), { everyMs: MINUTE_MS });
  const loaded = present.error === null ? written : present;
  const [handOver, now] = [written.data?.found ?? null, present.data?.found ?? null];
  const shown = handOver ?? now;
  if (written.data === null || present.data === null || loaded.error !== null) {
    return <Body loaded={present.data === null ? present : loaded}>{null}</Body>;
  }
  if (!shown) {
    return (
      <Empty title={t.noShift}>
        <p>{t.noShiftHint}</p>
      </Empty>
    );
  }
  const mayWrite = may("hand-overs:write");
  const isOpen = handOver?.acknowledgedAt === null;
  return (
    <>
      {mayWrite && !isWriting && (handOver === null || isOpen) && (
        <p class="hand-over-tools">
          <button type="button" class="button" onClick={() => write(true)}>
            {handOver === null ? t.write : t.change}
          </button>
          {handOver !== null && (
            <ChangeButton
              label={t.takeOver}
              change={(idempotencyKey) =>
                api("post", "/v1/hand-overs/{id}/acknowledge", { path: { id: handOver.id }, idempotencyKey })
              }
            />
          )}
        </p>
      )}
      {isWriting && <HandOverForm of={of} handOver={handOver} onEnd={() => write(false)} />}
      <HandOverSheet shown={shown} handOver={handOver} now={now?.figures ?? null} />
    </>
  );
}

/** The hand-overs of the newest shifts. */
function Earlier() {
  const { hrefWith } = useDesk();
  const list = usePaged(["/v1/hand-overs"], STEP, (most) =>
    firstOf(most, (cursor) => api("get", "/v1/hand-overs", { query: { ...companyQuery(), limit: STEP, ...cursor } })),
  );
  const { dateTime } = formats();
  const names = t.earlierColumns;
  const openedBy = ({ shift, line }: HandOver) => ({ handOverShift: shift.id, day: shift.date, lineId: line?.id ?? null });
  const columns: Column<HandOver>[] = [
    {
      name: names.shift,
      cell: (one) => (
        <a href={hrefWith({ ...openedBy(one), machineId: null })}>{`${one.shift.name}, ${dayName(one.shift.date)}`}</a>
      ),
      sortBy: ({ shift }) => shift.startTime,
    },
    { name: names.line, cell: ({ line }) => line?.name ?? t.allLines, sortBy: ({ line }) => line?.name ?? null },
    {
      name: names.written,
      cell: ({ writtenBy, updatedAt }) => t.signed(writtenBy.name, dateTime(updatedAt)),
      sortBy: ({ updatedAt }) => updatedAt,
    },
    {
      name: names.taken,
      cell: ({ acknowledgedBy, acknowledgedAt }) =>
        acknowledgedAt === null ? <strong>{t.notYet}</strong> : t.signed(acknowledgedBy?.name ?? "", dateTime(acknowledgedAt)),
      sortBy: ({ acknowledgedAt }) => acknowledgedAt,
    },
  ];
  return (
    <div class="hand-over-earlier">
      <ListCard
        title={t.earlier}
        hint=""
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        none={t.none}
        noneHint={t.noneHint}
      />
    </div>
  );
}
