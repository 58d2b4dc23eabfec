import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FilesConfig, filesConfig } from "../../bridge/src/sources/files/config.ts";
import { delimiterOf, rowsOf } from "../../bridge/src/sources/files/csv.ts";
import { filesSource } from "../../bridge/src/sources/files/files.ts";
import { instantOf } from "../../bridge/src/sources/files/times.ts";
import { contextFor, type TestContext, until } from "./support/context.ts";

const closing: (() => Promise<unknown> | unknown)[] = [];
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridge-files-"));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true });
});

function configFor(members: object = {}): FilesConfig {
  return filesConfig.parse({
    id: "drop",
    type: "files",
    folder,
    every: "50ms",
    settle: "150ms",
    time: "Time",
    zone: "Europe/Madrid",
    signal: [{ machine: "P1", kind: "total", column: "Total" }],
    ...members,
  });
}

function run(config: FilesConfig, cursor: unknown = null): TestContext & { ended(): Promise<void> } {
  const context = contextFor(config.signal, cursor);
  const running = filesSource(config).run(context);
  const ended = () => {
    context.end();
    return running;
  };
  closing.push(ended);
  return Object.assign(context, { ended });
}

const put = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
const isIn = (place: string, name: string) => existsSync(join(folder, place, name));
/** Why a file was put aside; "": it was not, or the text is not written yet. */
const reasonOf = (name: string) =>
  isIn("faulty", `${name}.txt`) ? readFileSync(join(folder, "faulty", `${name}.txt`), "utf8") : "";
const seenIn = (context: TestContext) =>
  context.readings.map(({ signal, value, at }) => [signal, value, new Date(at ?? 0).toISOString()]);

test("rows of a file become readings at their times, and the file is moved to done", async () => {
  put(
    "day.csv",
    'Time;Machine;Total;State;Note\r\n2026-01-05 10:00:00;P1;1.200,5;RUN;"a;b\r\nc"\r\n05.01.2026;P2;7;;\r\n2026-01-05T11:00:00+00:00;P1;1201;"IDLE ""x""";\r\n',
  );
  const config = configFor({
    decimal: ",",
    date_order: "dmy",
    signal: [
      { machine: "P1", kind: "total", column: "Total", when: { Machine: "P1" } },
      { machine: "P2", kind: "total", column: "Total", when: { Machine: "P2" } },
      { machine: "P1", kind: "state", column: "State" },
    ],
  });
  const context = run(config);
  await until("the file is done", () => isIn("done", "day.csv"));
  expect(seenIn(context)).toEqual([
    [1, "7", "2026-01-04T23:00:00.000Z"],
    [0, "1200.5", "2026-01-05T09:00:00.000Z"],
    [2, "RUN", "2026-01-05T09:00:00.000Z"],
    [0, "1201", "2026-01-05T11:00:00.000Z"],
    [2, 'IDLE "x"', "2026-01-05T11:00:00.000Z"],
  ]);
  expect(readdirSync(folder)).toEqual(["done"]);
});

test("a file is read when it has stopped growing, and a short last row is waited for", async () => {
  put("day.csv", "Time,Total\n2026-01-05 10:00:00,1\n2026-01-05 10:0");
  const context = run(configFor({ settle: "500ms" }));
  // Longer than it takes to be complete.
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(context.readings).toEqual([]);
  appendFileSync(join(folder, "day.csv"), "1:00,2\n");
  await new Promise((resolve) => setTimeout(resolve, 120));
  appendFileSync(join(folder, "day.csv"), "2026-01-05 10:02:00,3\n");
  await until("the file is done", () => isIn("done", "day.csv"));
  expect(context.readings.map(({ value }) => value)).toEqual(["1", "2", "3"]);
});

test("a short last row that stays so makes the file faulty", async () => {
  put("day.csv", "Time,Total\n2026-01-05 10:00:00,1\n2026-01-05 10:0");
  const context = run(configFor({ settle: "60ms" }));
  await until("the file is faulty", () => reasonOf("day.csv") !== "");
  expect(reasonOf("day.csv")).toBe("line 3 has 1 of 2 columns\n");
  expect(context.readings).toEqual([]);
});

test.each([
  ["Total\n1\n", "the first line has no column Time, but Total"],
  ["Time,Count\n2026-01-05,1\n", "the first line has no column Total, but Time, Count"],
  ["Time,Total\n2026-13-05 10:00,1\n", 'line 2: "2026-13-05 10:00" must be a time, in the order ymd (date_order)'],
  ["Time,Total\n2026-02-30,1\n", 'line 2: "2026-02-30" must be a time, in the order ymd (date_order)'],
  ["Time;Total\n2026-01-05;1,5\n", 'line 2: Total must be a number, and is "1,5": set decimal = ","'],
  ["Time,Total\n2026-01-05,many\n", 'line 2: Total must be a number, and is "many"'],
  ["Time,Total\n2026-01-05\n2026-01-06,1\n", "line 2 has 1 of 2 columns"],
  ['Time,Total\n2026-01-05,"1\n', "line 2 has a quote that is not closed, or text around one"],
  [Buffer.from("Time,Total,M\xe1quina\n", "latin1"), "the file is not written in utf-8: set encoding"],
  [`Time,Total\n${"2026-01-05,1\n".repeat(200_001)}`, "the file has more than 200000 rows"],
])("a faulty file is put aside with the reason, and nothing of it is stored: %#", async (text, reason) => {
  put("day.csv", text);
  put("good.csv", "Time,Total\n2026-01-05 10:00:00,1\n");
  const context = run(configFor({ settle: "60ms" }));
  await until("the good file is done", () => isIn("done", "good.csv"), 20_000);
  await until("the file is faulty", () => reasonOf("day.csv") !== "", 20_000);
  expect(reasonOf("day.csv")).toBe(`${reason}\n`);
  expect(isIn("faulty", "day.csv")).toBe(true);
  expect(context.readings.map(({ value }) => value)).toEqual(["1"]);
  expect(context.states.at(-1)).toEqual({ state: "ok", error: null });
});

test("the same file again is not read again, also after a restart; another one of the same name is", async () => {
  const text = "Time,Total\n2026-01-05 10:00:00,1\n";
  put("day.csv", text);
  const first = run(configFor());
  await until("the file is done", () => isIn("done", "day.csv"));
  put("copy.csv", text);
  await until("the copy is done", () => isIn("done", "copy.csv"));
  await first.ended();
  const second = run(configFor(), JSON.parse(JSON.stringify(first.stored)));
  put("day.csv", text);
  await until("it is done again", () => isIn("done", "day-2.csv"));
  put("day.csv", "Time,Total\n2026-01-05 11:00:00,2\n");
  await until("the other one is done", () => isIn("done", "day-3.csv"));
  expect([first.readings.length, second.readings.map(({ value }) => value)]).toEqual([1, ["2"]]);
});

test("a file without a column for the time is of the time when it was written, and the next one with the same content is read", async () => {
  const config = configFor({ time: undefined });
  const context = run(config);
  for (const [index, at] of [1_767_600_000, 1_767_603_600].entries()) {
    put("now.csv", "Total\n5\n");
    utimesSync(join(folder, "now.csv"), at, at);
    await until(`file ${index}`, () => context.readings.length === index + 1);
    await until(`file ${index} is moved`, () => !existsSync(join(folder, "now.csv")));
  }
  expect(context.readings.map(({ at }) => at)).toEqual([1_767_600_000_000, 1_767_603_600_000]);
});

test("a file that was half stored when the bridge ended is stored from there on, once", async () => {
  const rows = Array.from({ length: 1200 }, (_, index) => `${1_767_600_000 + index},${index}`);
  put("day.csv", `Time,Total\n${rows.join("\n")}\n`);
  const first = run(configFor());
  await until("a part", () => first.readings.length > 0);
  await first.ended();
  expect(first.readings.length).toBeLessThan(1200);
  expect(isIn("done", "day.csv")).toBe(false);
  const second = run(configFor(), JSON.parse(JSON.stringify(first.stored)));
  second.failStores(1);
  await until("the file is done", () => isIn("done", "day.csv"));
  expect([...first.readings, ...second.readings].map(({ value }) => value)).toEqual(rows.map((_, index) => String(index)));
});

test("a folder that is not there is said, and read when it is", async () => {
  const context = run(configFor({ folder: join(folder, "later") }));
  await until("the failure", () => context.states.at(-1)?.error?.includes("ENOENT") === true);
  const { mkdirSync } = await import("node:fs");
  mkdirSync(join(folder, "later"));
  await until("it is well", () => context.states.at(-1)?.state === "ok");
});

test("the delimiter is the one of which the first line has most, and fields are read by RFC 4180", () => {
  expect(delimiterOf("a;b;c\n1,2;3")).toBe(";");
  expect(delimiterOf("a\tb,c\td\n")).toBe("\t");
  expect(delimiterOf('"a;b;c;d",e,f')).toBe(",");
  const fieldsOf = (text: string) => rowsOf(text, ",").map(({ fields }) => fields);
  expect(fieldsOf('a,b\n\n , \n"x""y",\n,z')).toEqual([
    ["a", "b"],
    ['x"y', ""],
    ["", "z"],
  ]);
  expect(fieldsOf("a,b,")).toEqual([["a", "b", ""]]);
  expect(fieldsOf("")).toEqual([]);
  expect(() => fieldsOf('a\n"b"c')).toThrow("line 2 has a quote");
});

/** What instants the clock of Madrid shows: summer time ended on 25 October 2026 at 01:00 UTC, and began on 29 March. */
test("times in a zone are exact in the nights when the clock is changed", () => {
  let at = Number.NEGATIVE_INFINITY;
  const night = ["01:30", "02:00", "02:30", "02:59", "02:00", "02:30", "03:00"].map((clock) => {
    at = instantOf(`2026-10-25 ${clock}`, "Europe/Madrid", "ymd", at) ?? 0;
    return new Date(at).toISOString().slice(11, 16);
  });
  expect(night).toEqual(["23:30", "00:00", "00:30", "00:59", "01:00", "01:30", "02:00"]);
  const inSpring = ["01:59", "02:30", "03:00"].map((clock) =>
    new Date(instantOf(`2026-03-29 ${clock}`, "Europe/Madrid", "ymd", 0) ?? 0).toISOString().slice(11, 16),
  );
  expect(inSpring).toEqual(["00:59", "01:30", "01:00"]);
});

test("times are read in the forms that files have, and nothing else is a time", () => {
  const isoOf = (text: string, order: "ymd" | "dmy" | "mdy" = "ymd", zone?: string) => {
    const at = instantOf(text, zone, order, 0);
    return at === null ? null : new Date(at).toISOString();
  };
  expect(isoOf("2026-01-05T10:00:00.250Z")).toBe("2026-01-05T10:00:00.250Z");
  expect(isoOf("2026-01-05 10:00:00,5 +0100")).toBe("2026-01-05T09:00:00.500Z");
  expect(isoOf("5/1/2026 10:00", "dmy", "+01:00")).toBe("2026-01-05T09:00:00.000Z");
  expect(isoOf("1/5/2026 12:05 AM", "mdy", "UTC")).toBe("2026-01-05T00:05:00.000Z");
  expect(isoOf("1/5/2026 1:05 pm", "mdy", "UTC")).toBe("2026-01-05T13:05:00.000Z");
  expect(isoOf("1767607200")).toBe("2026-01-05T10:00:00.000Z");
  expect(isoOf("1767607200123")).toBe("2026-01-05T10:00:00.123Z");
  for (const text of ["2026-01-05 10:00", "", "today", "2026-01-05 24:00Z", "2026-01-05 10:60Z", "2026-02-29Z", "12"]) {
    expect(isoOf(text), text).toBe(null);
  }
});

async function stepsOf(config: FilesConfig) {
  const steps: string[] = [];
  for await (const { step, ok, detail } of filesSource(config).check(new AbortController().signal)) {
    steps.push(`${step} ${ok ? "ok" : "failed"}: ${detail}`);
  }
  return steps;
}

test("check of a folder says what is missing, and the first value; discover lists the columns", async () => {
  const missing = await stepsOf(configFor({ folder: join(folder, "none") }));
  expect(missing).toHaveLength(1);
  expect(missing[0]).toMatch(/^folder failed: ENOENT/);
  const ready = `folder ok: ${folder} can be read, and files in it can be moved`;
  expect(await stepsOf(configFor())).toEqual([
    ready,
    "first value failed: no file whose name ends with .csv is there: put one into it",
  ]);
  put("day.csv", "Time,Total\n2026-01-05 10:00:00,1\n");
  expect(await stepsOf(configFor())).toEqual([ready, "first value ok: Total is 1 at 2026-01-05T09:00:00.000Z in day.csv"]);
  const found = [];
  for await (const one of filesSource(configFor()).discover?.(new AbortController().signal, 0) ?? []) found.push(one);
  expect(found).toEqual([
    { address: 'column = "Time"', example: "2026-01-05 10:00:00" },
    { address: 'column = "Total"', example: "1" },
  ]);
  put("day.csv", "Time,Total\n2026-01-05 10:00:00,x\n");
  expect((await stepsOf(configFor())).at(-1)).toBe('first value failed: day.csv: line 2: Total must be a number, and is "x"');
});
