import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it } from "vitest";
import { recordId, recordOf } from "../../../src/core/record-id.ts";
import { migrate } from "../../../src/core/storage-steps.ts";
import { shiftRecords, stops } from "../../../src/db/schema.ts";
import { MachineStorage } from "../../../src/machine/storage/machine-storage.ts";
import { migrations } from "../../../src/machine/storage/steps.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { createStopCause, createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { changeState, stateIn } from "../../support/object-storage.ts";

stopClockAtNoon();

const db = drizzle(env.DB_0);
const TODAY = NOON - 12 * HOUR;
const iso = (at: number) => new Date(at).toISOString();
const minutes = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

/** A machine that counts in the given minutes of today. */
async function countingLine(counted: readonly number[]) {
  const line = await createLine({ commissionedAt: TODAY, noDataAfterSeconds: null });
  const { token } = await createUser(line.companyId, "superadmin");
  const { id: machineId, nodeId } = line.machine;
  const stub = machineObject(env, machineId);
  const send = async (all: readonly number[]) => {
    for (let i = 0; i < all.length; i += 1000)
      await ingest(
        line.token,
        all.slice(i, i + 1000).map((minute) => countAt(nodeId, TODAY + minute * MINUTE)),
      );
    await flushMachine(machineId);
  };
  await send(counted);
  const inObject = <T>(work: (storage: DurableObjectStorage) => T) => runInDurableObject(stub, (_, { storage }) => work(storage));
  return {
    ...line,
    machineId,
    userToken: token,
    send,
    inObject,
    restart: () => evictDurableObject(stub),
    ask: async (method: "PUT" | "PATCH" | "POST" | "DELETE", path: string, body?: object) => {
      const answer = await call(method, `/v1/stops${path}`, { token, ...(body && { body }) });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      return answer.body;
    },
    rows: () =>
      db
        .select()
        .from(stops)
        .where(eq(stops.machineId, machineId))
        .orderBy(asc(stops.startAt), asc(stops.id), asc(stops.shiftStart)),
    records: () => db.select().from(shiftRecords).where(eq(shiftRecords.machineId, machineId)).orderBy(asc(shiftRecords.startAt)),
    /** The id of the stop that begins after a minute. */
    idAt: async (minute: number) =>
      (await db.select().from(stops).where(eq(stops.machineId, machineId))).find(
        (stop) => stop.startAt === TODAY + minute * MINUTE && stop.deletedAt === null,
      )?.id ?? 0,
    edits: () =>
      inObject(({ sql }) => sql.exec("SELECT n, kind, orphan, replaced_by, undone_by FROM edits ORDER BY n").toArray()),
  };
}

type Line = Awaited<ReturnType<typeof countingLine>>;

/** What is said of the stops that are there, by their times. */
async function said(line: Line) {
  const rows = await line.rows();
  return rows
    .filter(({ deletedAt }) => deletedAt === null)
    .map(
      ({ startAt, endAt, name, isManual, isProgrammed, isIncludedInStops, isIncludedInAvailability, description, ...row }) => ({
        ...{
          from: (startAt - TODAY) / MINUTE,
          to: endAt === null ? null : (endAt - TODAY) / MINUTE,
          name,
          isManual,
          isProgrammed,
        },
        ...{
          isIncludedInStops,
          isIncludedInAvailability,
          description,
          cause: row.generalCauseId,
          classifiedAt: row.classifiedAt,
        },
      }),
    );
}

describe("what people said of a stop", () => {
  it("that late events remove is an orphan, and counts again where they bring another one", async () => {
    const line = await countingLine([...minutes(0, 60), ...minutes(100, 200), ...minutes(260, 720)]);
    await line.ask("PATCH", `/${await line.idAt(59)}`, { name: "Jam" });
    await line.ask("PATCH", `/${await line.idAt(199)}`, { name: "Visit" });
    await line.send(minutes(60, 100));
    expect(await line.edits()).toMatchObject([{ orphan: "no_stop", replaced_by: null }, { orphan: null }]);
    // Half of the other one is left.
    await line.send(minutes(200, 230));
    expect(await said(line)).toMatchObject([{ from: 229, to: 260, name: "Visit" }]);
  });

  it("takes the place of what was said before, which is no orphan then", async () => {
    const line = await countingLine([...minutes(0, 60), ...minutes(100, 720)]);
    const id = await line.idAt(59);
    await line.ask("PATCH", `/${id}`, { name: "Jam", isIncludedInStops: false });
    await line.ask("PATCH", `/${id}`, { name: "Setup" });
    expect(await line.edits()).toMatchObject([
      { orphan: null, replaced_by: null },
      { orphan: null, replaced_by: null },
    ]);
    await line.ask("PATCH", `/${id}`, { isIncludedInStops: true });
    expect(await line.edits()).toMatchObject([{ orphan: null, replaced_by: 3 }, { replaced_by: null }, { replaced_by: null }]);
    expect(await said(line)).toMatchObject([{ name: "Setup", isIncludedInStops: true }]);
  });

  it("of a stop under a recorded one is there again when that is deleted", async () => {
    const line = await countingLine([...minutes(0, 60), ...minutes(100, 720)]);
    await line.ask("PATCH", `/${await line.idAt(59)}`, { name: "Jam" });
    const times = { startTime: iso(TODAY + 50 * MINUTE), endTime: iso(TODAY + 110 * MINUTE) };
    const recorded = await line.ask("POST", "", { machineId: line.machineId, ...times, name: "Visit" });
    expect(await line.edits()).toMatchObject([
      { orphan: null, replaced_by: 2 },
      { kind: "record", orphan: null },
    ]);
    await line.ask("DELETE", `/${recorded.id}`);
    expect(await said(line)).toMatchObject([{ from: 59, to: 100, name: "Jam" }]);
    const edits = await line.edits();
    expect(edits).toMatchObject([
      { orphan: null, replaced_by: null },
      { kind: "record", orphan: null },
    ]);
    expect(JSON.parse(String(edits[1]?.undone_by))).toMatchObject({ apiTokenId: null });
  });

  it("of a recorded stop that was split is no orphan after its parts were deleted", async () => {
    const line = await countingLine([...minutes(0, 60), ...minutes(100, 720)]);
    await line.ask("PATCH", `/${await line.idAt(59)}`, { name: "Jam" });
    const times = { startTime: iso(TODAY + 50 * MINUTE), endTime: iso(TODAY + 110 * MINUTE) };
    const recorded = await line.ask("POST", "", { machineId: line.machineId, ...times, name: "Visit" });
    const parts = await line.ask("POST", `/${recorded.id}/split`, { at: iso(TODAY + 105 * MINUTE) });
    expect(await line.edits()).toMatchObject([{ replaced_by: 2 }, { kind: "record", replaced_by: 3 }, {}, {}]);
    for (const { id } of parts.data) await line.ask("DELETE", `/${id}`);
    expect(await said(line)).toMatchObject([{ from: 59, to: 100, name: "Jam" }]);
    await line.send(minutes(60, 70));
    expect(await said(line)).toMatchObject([{ from: 69, to: 100, name: "Jam" }]);
    expect((await line.edits()).map(({ orphan, undone_by }) => [orphan, undone_by !== null])).toEqual([
      [null, false],
      [null, true],
      [null, true],
      [null, true],
    ]);
  });

  it("counts again, or is an orphan at once, when the orphan that had taken its place is dropped", async () => {
    const line = await countingLine([...minutes(0, 60), ...minutes(100, 200), ...minutes(260, 720)]);
    const id = await line.idAt(59);
    await line.ask("PATCH", `/${id}`, { name: "Jam" });
    await line.ask("PATCH", `/${id}`, { name: "Visit" });
    await line.send(minutes(60, 100));
    expect(await line.edits()).toMatchObject([{ orphan: null, replaced_by: 2 }, { orphan: "no_stop" }]);
    const path = `/v1/orphaned-edits/${recordId(line.machineId, 2)}`;
    expect((await call("DELETE", path, { token: line.userToken })).status).toBe(204);
    expect(await line.edits()).toMatchObject([{ orphan: "no_stop", replaced_by: null }, { orphan: null }]);
  });

  it("lists a split and a merge that do nothing any more", async () => {
    const line = await countingLine([...minutes(0, 60), ...minutes(100, 200), ...minutes(260, 720)]);
    await line.ask("POST", `/${await line.idAt(59)}/split`, { at: iso(TODAY + 80 * MINUTE) });
    const parts = await line.ask("POST", `/${await line.idAt(199)}/split`, { at: iso(TODAY + 230 * MINUTE) });
    await line.ask("POST", "/merge", { ids: parts.data.map(({ id }: { id: number }) => id) });
    expect(await line.edits()).toMatchObject([
      { kind: "split", orphan: null, replaced_by: null },
      // The merge took its place.
      { kind: "split", orphan: null, replaced_by: 3 },
      { kind: "merge", orphan: null, replaced_by: null },
    ]);
    await line.send([...minutes(75, 85), ...minutes(225, 235)]);
    expect(await line.edits()).toMatchObject([{ orphan: "splits_nothing" }, {}, { orphan: "merges_nothing" }]);
  });

  it("is all found or listed when 100 stops move", async () => {
    const starts = Array.from({ length: 100 }, (_, i) => i * 7);
    const counted = starts.flatMap((start) => [start, start + 1, start + 2]);
    const line = await countingLine(counted);
    for (const start of starts.slice(0, 50)) await line.ask("PATCH", `/${await line.idAt(start + 2)}`, { name: `of ${start}` });
    await line.send(starts.flatMap((start, i) => (i % 5 === 0 ? [3, 4, 5, 6] : [3]).map((more) => start + more)));
    const names = (await said(line)).flatMap(({ name }) => name ?? []);
    const edits = await line.edits();
    const orphans = edits.filter(({ orphan }) => orphan !== null);
    expect([edits.length, names.length, orphans.length]).toEqual([50, 40, 10]);
  });
});

it("what was known on day one and what was learned later come to the same marks, records and orphans", async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const all = minutes(0, 720).filter(() => random(9) > 5);
  const late = new Set(all.filter(() => random(4) === 0));
  const first = await countingLine(all.filter((minute) => !late.has(minute)));
  const cause = await createStopCause(first.companyId, { name: "Changeover", ownIsProgrammed: true });
  const lateParts = [...late].map((minute, i) => ({ minute, part: i % 4 }));
  const editSome = async (what: number, i: number) => {
    const closed = (await first.rows()).filter(({ deletedAt, endAt }) => deletedAt === null && endAt !== null);
    const stop = closed[random(closed.length)];
    if (!stop) return;
    const { id, startAt, endAt } = stop;
    const next = closed.find((one) => one.startAt === endAt);
    if (what === 0 && next) await first.ask("POST", "/merge", { ids: [id, next.id] });
    else if (what === 1 && (endAt ?? 0) - startAt > 2 * MINUTE)
      await first.ask("POST", `/${id}/split`, { at: iso(startAt + MINUTE) });
    else if (what === 2) await first.ask("PATCH", `/${id}`, { isIncludedInAvailability: random(2) === 0 });
    else if (what === 3) await first.ask("PATCH", `/${id}`, { name: `name ${i}` });
    else await first.ask("PUT", `/${id}/classification`, { generalCauseId: cause.id, description: `why ${i}` });
  };
  for (let part = 0; part < 4; part++) {
    for (let i = 0; i < 12; i++) await editSome(random(6), i);
    await first.send(lateParts.filter((one) => one.part === part).map(({ minute }) => minute));
  }
  const kept = await first.inObject(({ sql }) =>
    ["edits", "boundaries", "manual_stops"].map((table) => [table, sql.exec(`SELECT * FROM ${table}`).toArray()] as const),
  );
  const second = await countingLine(all);
  await second.inObject((storage) => {
    for (const [table, rows] of kept) {
      for (const row of rows) {
        const columns = Object.keys(row).map((column) => `"${column}"`);
        const values = Object.entries(row).map(([column, value]) => (column === "orphan" ? null : value));
        storage.sql.exec(`INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => "?")})`, ...values);
      }
    }
    changeState(storage, { settled: { dirtyFrom: TODAY, settledAt: NOON - 1, settlingSince: null } });
  });
  await second.restart();
  await flushMachine(second.machineId);
  expect(await said(second)).toEqual(await said(first));
  expect((await said(first)).filter(({ cause: of }) => of !== null).length).toBeGreaterThan(10);
  expect(await second.edits()).toEqual(await first.edits());
  expect((await first.edits()).filter(({ orphan }) => orphan !== null).length).toBeGreaterThan(0);
  const sums = async (line: Line) =>
    (await line.records()).map(({ programmedMs, nonProgrammedMs, otherMs, annotatedMs }) => [
      ...[programmedMs, nonProgrammedMs, otherMs, annotatedMs],
    ]);
  expect(await sums(second)).toEqual(await sums(first));
});

describe("a machine of the version before", () => {
  it("has an edit for each mark, recorded stop, split and merge, and nothing else changes", async () => {
    const line = await countingLine([...minutes(0, 60), ...minutes(100, 200), ...minutes(260, 400), ...minutes(430, 700)]);
    const cause = await createStopCause(line.companyId, { name: "Changeover", ownIsProgrammed: true });
    const jam = await line.idAt(59);
    await line.ask("PUT", `/${jam}/classification`, { generalCauseId: cause.id, description: "mould" });
    await line.ask("PATCH", `/${jam}`, { name: "Mould 7", isIncludedInStops: false });
    await line.ask("PATCH", `/${await line.idAt(699)}`, { name: "It stands still" });
    const split = await line.ask("POST", `/${await line.idAt(199)}/split`, { at: iso(TODAY + 230 * MINUTE) });
    await line.ask("PATCH", `/${split.data[1].id}`, { isProgrammed: true });
    const times = { startTime: iso(TODAY + 410 * MINUTE), endTime: iso(TODAY + 420 * MINUTE) };
    await line.ask("POST", "", { machineId: line.machineId, ...times, name: "Visit" });
    // Its mark says nothing any more.
    const other = await line.ask("POST", "", {
      machineId: line.machineId,
      startTime: iso(TODAY),
      endTime: iso(TODAY + HOUR / 2),
      name: "x",
    });
    await line.ask("PATCH", `/${other.id}`, { name: null });
    const [before, records] = [await line.rows(), await line.records()];
    await line.inObject((storage) => {
      const { sql } = storage;
      const flags = "'$.isProgrammed', json('true'), '$.isIncludedInAvailability', json('true')";
      sql.exec(
        `UPDATE stops SET mark = json_remove(json_set(mark, ${flags}), '$.classification.flags') WHERE seq = ?`,
        recordOf(jam).seq,
      );
      const nothing = {
        name: null,
        isProgrammed: null,
        isIncludedInStops: null,
        isIncludedInAvailability: null,
        classification: null,
      };
      sql.exec("UPDATE stops SET mark = ? WHERE seq = ?", JSON.stringify(nothing), recordOf(other.id).seq);
      sql.exec("DROP TABLE edits");
      sql.exec("DROP INDEX stops_reach");
      sql.exec('CREATE INDEX stops_end ON stops (ifnull("end", 9007199254740991))');
      sql.exec("DELETE FROM migrations WHERE id LIKE '%_edits' AND id > '0019'");
      migrate(storage, migrations);
      changeState(storage, { settled: { ...stateIn(storage).settled, dirtyFrom: TODAY } as never });
    });
    await line.restart();
    await flushMachine(line.machineId);
    const unsent = ({ revision: _, ...row }: { revision: number }) => row;
    expect((await line.rows()).map(unsent)).toEqual(before.map(unsent));
    expect((await line.records()).map(unsent)).toEqual(records.map(unsent));
    const edits = await line.edits();
    expect(edits.filter(({ orphan }) => orphan !== null)).toEqual([]);
    expect(edits.map(({ kind }) => kind).sort()).toEqual(["change", "change", "change", "classify", "record", "record", "split"]);
    // What was said stays with the parts of the stop, and with the stop that goes on.
    await line.send([80, 710]);
    const names = (await said(line)).map(({ from, name, isProgrammed, isIncludedInStops }) => [
      from,
      name,
      isProgrammed,
      isIncludedInStops,
    ]);
    expect(names).toContainEqual([59, "Mould 7", true, false]);
    expect(names).toContainEqual([80, "Mould 7", true, false]);
    expect(names).toContainEqual([230, null, true, true]);
    expect(names).toContainEqual([410, "Visit", false, true]);
    expect(names).toContainEqual([710, "It stands still", false, true]);
  });
});

it("a classification reads and writes as much of a machine of ten years as of a new one", async () => {
  const line = await countingLine([...minutes(0, 60), ...minutes(100, 720)]);
  const cost = () =>
    line.inObject((storage) => {
      const [first, second] = [TODAY + 50 * MINUTE, TODAY + 110 * MINUTE];
      const machine = new MachineStorage(storage);
      const read = { edits: 0, stops: 0 };
      const { exec } = storage.sql;
      for (const [table, work] of [
        ["edits", () => machine.edits.live({ start: first, end: second })],
        ["stops", () => machine.stops({ start: first, end: second })],
      ] as const) {
        const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
        Object.defineProperty(storage.sql, "exec", {
          configurable: true,
          value: (...args: Parameters<SqlStorage["exec"]>) => {
            const cursor = exec.apply(storage.sql, args);
            cursors.push(cursor);
            return cursor;
          },
        });
        work();
        delete (storage.sql as { exec?: unknown }).exec;
        read[table] = cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
      }
      return read;
    });
  const id = await line.idAt(59);
  await line.ask("PATCH", `/${id}`, { name: "Jam" });
  const young = await cost();
  await line.inObject(({ sql }) => {
    const years = `WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < 40000) `;
    for (const [sign, first] of [
      ["-", TODAY - DAY],
      ["+", NOON + DAY],
    ] as const) {
      const start = `${first} ${sign} i * 7200000`;
      const lasting = "(CASE i % 50 WHEN 0 THEN 7200000 ELSE 600000 END)";
      sql.exec(
        `${years} INSERT INTO edits (at, kind, start, "end", body) SELECT ${start}, 'change', ${start}, ${start} + ${lasting}, '{"seq":1}' FROM t`,
      );
      sql.exec(
        `${years} INSERT INTO stops (seq, start, "end") SELECT ${sign === "-" ? 100_000 : 200_000} + i, ${start}, ${start} + ${lasting} FROM t`,
      );
    }
  });
  const old = await cost();
  expect(old.edits).toBeLessThanOrEqual(young.edits + 30);
  expect(old.stops).toBeLessThanOrEqual(young.stops + 30);
});
