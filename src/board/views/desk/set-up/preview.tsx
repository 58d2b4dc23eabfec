import { useEffect, useState } from "preact/hooks";
import { api } from "../../../data/api.ts";
import { formats } from "../../../data/plant.ts";
import { useRead } from "../../../data/query.ts";
import { type ChangedNumber, changedNumbers } from "../../../domain/revisions.ts";
import { past } from "../../../texts/past.ts";
import { setUp } from "../../../texts/set-up.ts";
import { Body } from "../../../ui/body.tsx";
import { More } from "../../../ui/more.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useDesk } from "../desk-state.ts";
import type { DryRun } from "./kinds.ts";

const t = setUp.tried;
const PROGRESS_MS = 2000;
/** How many shifts are shown at first, and added with each press. */
const STEP = 10;

interface PreviewProps {
  tried: DryRun;
  /** Whether it is to hold from another instant than now. */
  isAhead: boolean;
  /** Called when it is known to the end. */
  onEnd(): void;
}

/** What a change would do, in words: the shifts that would differ, and their sums before and after. */
export function Preview({ tried, isAhead, onEnd }: PreviewProps) {
  const { recalculationId } = tried;
  return (
    <section class="preview" aria-label={t.title}>
      <h3>{t.title}</h3>
      {recalculationId === null ? (
        <Result tried={tried} isAhead={isAhead} />
      ) : (
        <Job key={recalculationId} id={recalculationId} isAhead={isAhead} onEnd={onEnd} />
      )}
    </section>
  );
}

/** A change that is tried by a job: how far it is, and what it has found out. */
function Job({ id, isAhead, onEnd }: { id: number; isAhead: boolean; onEnd(): void }) {
  const loaded = useRead(["/v1/recalculations/{id}", id], () => api("get", "/v1/recalculations/{id}", { path: { id } }), {
    everyMs: (data) => (data === null || data.endedAt === null ? PROGRESS_MS : null),
  });
  const isEnd = loaded.data !== null && loaded.data.endedAt !== null;
  useEffect(() => {
    if (isEnd) onEnd();
  }, [isEnd]);
  const { number } = formats();
  return (
    <Body loaded={loaded}>
      {loaded.data && !isEnd && (
        <p role="status">{t.running(number(loaded.data.endedCount), number(loaded.data.machineIds.length))}</p>
      )}
      {loaded.data && isEnd && loaded.data.failedCount > 0 && <p>{t.failed(loaded.data.failedCount)}</p>}
      {isEnd && loaded.data?.dryRun && <Result tried={loaded.data.dryRun} isAhead={isAhead} />}
    </Body>
  );
}

function Result({ tried, isAhead }: Pick<PreviewProps, "tried" | "isAhead">) {
  const { shiftCount, before, after } = tried;
  if (shiftCount === 0) return <p role="status">{isAhead ? t.nothingPast : t.nothing}</p>;
  const { percent } = formats();
  const [was, is] = [percent(before.oee, 1), percent(after.oee, 1)];
  const oeeText = was === is ? t.oeeSame(shiftCount, is) : t.oee(shiftCount, was, is);
  return (
    <>
      <p role="status">
        {t.shifts(shiftCount)} {after.shifts === 0 ? t.gone(shiftCount) : before.shifts === 0 ? t.new(shiftCount) : oeeText}
      </p>
      <Sums tried={tried} />
      <Shifts tried={tried} />
    </>
  );
}

type TriedShift = DryRun["shifts"][number];
const names = { ...past.revisions.members, shifts: t.shiftCount };
type Name = keyof typeof names;
const memberNames = Object.keys(names) as Name[];
const percentages: readonly Name[] = ["oee", "availability", "effectiveness", "quality"];

function Sums({ tried: { before, after } }: { tried: DryRun }) {
  // Without shifts there are no percentages.
  const hasBoth = before.shifts > 0 && after.shifts > 0;
  const shown = memberNames.filter((name) => hasBoth || !percentages.includes(name));
  const numbers = changedNumbers(shown, before, after).filter((one) => one.before !== one.after);
  if (numbers.length === 0) return null;
  const text = (value: number | null, { decimals }: ChangedNumber<Name>) =>
    value === null ? "–" : formats().number(value, decimals);
  const columns: Column<ChangedNumber<Name>>[] = [
    { name: t.sumColumns.what, cell: ({ name }) => names[name] },
    { name: t.sumColumns.before, isNumber: true, cell: (one) => text(one.before, one) },
    { name: t.sumColumns.after, isNumber: true, cell: (one) => text(one.after, one) },
  ];
  return <Table caption={t.sums} data={{ columns, rows: numbers, keyOf: ({ name }) => name }} />;
}

function Shifts({ tried: { shifts, shiftCount } }: { tried: DryRun }) {
  const { setUp: plant } = useDesk();
  const [most, setMost] = useState(STEP);
  const { percent, day, time } = formats();
  const nameOf = (all: readonly { id: number; name: string }[], id: number) =>
    all.find((one) => one.id === id)?.name ?? String(id);
  const machineName = ({ machineId }: TriedShift) => nameOf(plant.machines, machineId);
  const oeeText = (one: TriedShift["before"], none: string) =>
    one === null ? none : typeof one.oee === "number" ? percent(one.oee) : t.otherwise;
  const columns: Column<TriedShift>[] = [
    { name: t.listColumns.machine, cell: machineName, sortBy: machineName },
    {
      name: t.listColumns.shift,
      cell: ({ shiftId, start }) => `${nameOf(plant.shifts, shiftId)}, ${day(start)}, ${time(start)}`,
      sortBy: ({ start }) => start,
    },
    {
      name: t.listColumns.before,
      isNumber: true,
      cell: ({ before }) => oeeText(before, t.isNew),
      sortBy: ({ before }) => before?.oee ?? null,
    },
    {
      name: t.listColumns.after,
      isNumber: true,
      cell: ({ after }) => oeeText(after, t.isGone),
      sortBy: ({ after }) => after?.oee ?? null,
    },
  ];
  return (
    <>
      <Table
        caption={t.list}
        data={{
          columns,
          rows: shifts,
          most,
          isPartial: shiftCount > shifts.length,
          keyOf: ({ machineId, start }) => `${machineId} ${start}`,
          isStacked: true,
        }}
      />
      {shifts.length > most && <More shown={most} onMore={() => setMost(most + STEP)} />}
      {shifts.length <= most && shiftCount > shifts.length && <p class="quiet">{t.first}</p>}
    </>
  );
}
