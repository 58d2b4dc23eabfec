import { describe, expect, inject, it } from "vitest";
import {
  type AlertFacts,
  type AlertPiece,
  type AlertRule,
  type AlertState,
  type AlertTest,
  checkAlerts,
  findEpisodes,
  noAlerts,
  type ShiftSample,
} from "../../src/oee/alerts.ts";
import { MINUTE_MS } from "../../src/oee/time.ts";
import { at } from "./support.ts";

const early = { shiftId: 1, start: at("06:00"), end: at("14:00") };
const late = { shiftId: 2, start: at("14:00"), end: at("22:00") };
const night = { shiftId: 3, start: at("23:00"), end: at("06:00", 1) };

const facts = { isManual: false, isProgrammed: false, isIncludedInAvailability: true, breakName: null, isAnnotated: false };
type What = "run" | "silent" | "stop" | "planned" | "break" | { causeIds: number[]; isProgrammed?: boolean };

/** A piece of each kind, from its clock time to that of the next one; the last one lasts until a millisecond after `now`. */
function timeline(now: number, ...parts: [clock: string, what: What][]): AlertPiece[] {
  return parts.map(([clock, what], i) => {
    const next = parts[i + 1]?.[0];
    const end = next === undefined ? now + 1 : at(next);
    const base = { start: at(clock), end, causeIds: [] as number[] };
    if (what === "run") return { ...base, kind: "available", stop: null };
    if (what === "silent") return { ...base, kind: "noData", stop: null };
    const causeIds = typeof what === "object" ? what.causeIds : [];
    const isAnnotated = causeIds.length > 0;
    const isProgrammed = typeof what === "object" ? what.isProgrammed === true : what !== "stop";
    const breakName = what === "break" ? "Lunch" : null;
    return { ...base, causeIds, kind: "stop", stop: { ...facts, isAnnotated, isProgrammed, breakName } };
  });
}

function known(clock: string, parts: [clock: string, what: What][], over: Partial<AlertFacts> = {}): AlertFacts {
  const now = at(clock);
  const pieces = timeline(now, ...parts);
  const base = {
    runsUntil: now,
    heardUntil: now + 1,
    stopAfterMs: 2 * MINUTE_MS,
    noDataAfterMs: 5 * MINUTE_MS,
    liveSince: 0,
    samples: [],
  };
  return { now, pieces, occurrences: [early, late, night], ...base, ...over };
}

function rule(test: AlertTest, shiftIds: number[] | null = null): AlertRule {
  return { id: "r", test, shiftIds };
}

const stopped = rule({ kind: "stop", minutes: 5 });
const begins = (since: string, due: string, until: string | null = null) => ({
  since: at(since),
  dueAt: at(due),
  until: until && at(until),
  value: null,
});

describe("a stop longer than N minutes", () => {
  it("opens an alert after N minutes, and is checked then", () => {
    expect(
      findEpisodes(
        stopped,
        known("08:04", [
          ["06:00", "run"],
          ["08:00", "stop"],
        ]),
      ),
    ).toEqual({
      episodes: [],
      lookAt: at("08:05"),
      awaitsSample: false,
    });
    expect(
      findEpisodes(
        stopped,
        known("08:05", [
          ["06:00", "run"],
          ["08:00", "stop"],
        ]),
      ),
    ).toEqual({
      episodes: [begins("08:00", "08:05")],
      lookAt: null,
      awaitsSample: false,
    });
  });

  it("opens no alert if it ended in time", () => {
    const parts: [string, What][] = [
      ["06:00", "run"],
      ["08:00", "stop"],
      ["08:05", "run"],
      ["08:10", "stop"],
      ["08:15", "run"],
    ];
    expect(findEpisodes(stopped, known("09:00", parts))).toMatchObject({ episodes: [], lookAt: null });
  });

  it("ends when the machine has run for a minute, and not by a count between two stops", () => {
    const parts: [string, What][] = [
      ["06:00", "run"],
      ["08:00", "stop"],
      ["08:10", "run"],
      ["08:10:30", "stop"],
      ["08:20", "run"],
    ];
    expect(findEpisodes(stopped, known("08:30", parts)).episodes).toEqual([begins("08:00", "08:05", "08:21")]);
    expect(findEpisodes(stopped, known("08:20:30", parts))).toMatchObject({
      episodes: [begins("08:00", "08:05")],
      lookAt: at("08:21"),
    });
  });

  it("waits until it is certain that the machine runs", () => {
    const parts: [string, What][] = [
      ["06:00", "run"],
      ["08:00", "stop"],
      ["08:10", "run"],
    ];
    const one = known("08:11:30", parts, { runsUntil: at("08:10") });
    expect(findEpisodes(stopped, one)).toMatchObject({ episodes: [begins("08:00", "08:05")], lookAt: null });
    const two = known("08:11:30", parts, { runsUntil: at("08:11:10") });
    expect(findEpisodes(stopped, two).episodes).toEqual([begins("08:00", "08:05", "08:11")]);
    expect(findEpisodes(stopped, known("08:11:30", parts, { runsUntil: at("07:00") })).episodes).toHaveLength(1);
  });

  it("continues through silence, and is ended at once by a planned stop", () => {
    const parts: [string, What][] = [
      ["08:00", "stop"],
      ["08:06", "silent"],
      ["08:30", "stop"],
    ];
    expect(findEpisodes(stopped, known("09:00", parts)).episodes).toEqual([begins("08:00", "08:05")]);
    const planned = known("10:10", [
      ["09:50", "stop"],
      ["10:00", "planned"],
    ]);
    expect(findEpisodes(stopped, planned).episodes).toEqual([begins("09:50", "09:55", "10:00")]);
  });

  it("opens no alert in a silence that may become no data, but once a sample after its time is heard, or if silence never is", () => {
    const parts: [string, What][] = [
      ["06:00", "run"],
      ["08:00", "stop"],
    ];
    const silent = findEpisodes(stopped, known("08:07", parts, { heardUntil: at("08:04") }));
    expect(silent).toEqual({ episodes: [], lookAt: null, awaitsSample: true });
    expect(findEpisodes(stopped, known("08:07", parts, { heardUntil: at("08:05") })).episodes).toEqual([]);
    const heard = findEpisodes(stopped, known("08:07", parts, { heardUntil: at("08:05:01") }));
    expect(heard).toEqual({ episodes: [begins("08:00", "08:05")], lookAt: null, awaitsSample: false });
    const never = findEpisodes(stopped, known("08:07", parts, { heardUntil: Number.POSITIVE_INFINITY }));
    expect(never.episodes).toEqual([begins("08:00", "08:05")]);
    expect(findEpisodes(stopped, known("08:10", [...parts, ["08:04", "silent"]])).episodes).toEqual([]);
    // The count that ends the stop comes first: the stop was as long as that.
    const late = known("08:08", [...parts, ["08:08", "run"]], { runsUntil: at("08:08"), heardUntil: at("08:08") });
    expect(checkAlerts([stopped], late, noAlerts).begun).toMatchObject([{ episode: begins("08:00", "08:05") }]);
  });

  it("believes a person who recorded the stop, whether the machine is heard or not", () => {
    const [piece] = timeline(at("08:07"), ["08:00", "stop"]);
    if (!piece?.stop) throw new Error("no stop");
    const pieces = [{ ...piece, stop: { ...piece.stop, isManual: true } }];
    expect(findEpisodes(stopped, known("08:07", [], { pieces, heardUntil: at("07:50") })).episodes).toHaveLength(1);
  });

  it("does not end in a planned break, but when the machine runs after it", () => {
    const parts: [string, What][] = [
      ["11:00", "run"],
      ["11:50", "stop"],
      ["12:00", "break"],
      ["12:30", "stop"],
      ["12:40", "run"],
    ];
    const first = checkAlerts([stopped], known("11:56", parts.slice(0, 2)), noAlerts);
    const inBreak = checkAlerts([stopped], known("12:10", parts.slice(0, 3)), first.state);
    expect([inBreak.begun, inBreak.ended]).toEqual([[], []]);
    expect(findEpisodes(stopped, known("12:50", parts)).episodes).toEqual([begins("11:50", "11:55", "12:41")]);
  });

  it("counts time in the rule's shifts: adjacent shifts together, others from their start", () => {
    const overEdge: [string, What][] = [
      ["06:00", "run"],
      ["13:57", "stop"],
    ];
    expect(findEpisodes(stopped, known("14:02", overEdge)).episodes).toEqual([begins("13:57", "14:02")]);
    const onlyEarly = rule({ kind: "stop", minutes: 5 }, [1]);
    expect(findEpisodes(onlyEarly, known("14:10", overEdge)).episodes).toEqual([]);
    expect(findEpisodes(onlyEarly, known("14:10", [["13:50", "stop"]])).episodes).toEqual([begins("13:50", "13:55", "14:00")]);
    const overNight = known("23:04", [["21:58", "stop"]]);
    expect(findEpisodes(stopped, overNight)).toMatchObject({ episodes: [], lookAt: at("23:05") });
  });

  it("cannot be detected before the machine's own limit", () => {
    const slow = known("08:09", [["08:00", "stop"]], { stopAfterMs: 10 * MINUTE_MS });
    expect(findEpisodes(stopped, slow)).toMatchObject({ episodes: [], lookAt: at("08:10") });
  });
});

it("finds stops with a cause, also planned ones, and only while they have it", () => {
  const jam = rule({ kind: "cause", causeIds: [7, 8], minutes: 0 });
  const parts: [string, What][] = [
    ["08:00", { causeIds: [8, 2] }],
    ["08:10", "stop"],
  ];
  const planned: [string, What][] = [["08:00", { causeIds: [7], isProgrammed: true }]];
  expect(findEpisodes(jam, known("08:30", planned)).episodes).toEqual([begins("08:00", "08:02")]);
  expect(findEpisodes(jam, known("08:30", parts)).episodes).toEqual([begins("08:00", "08:02", "08:10")]);
  expect(findEpisodes(jam, known("08:30", [["08:00", { causeIds: [3] }]])).episodes).toEqual([]);
});

it("finds unclassified stops, until somebody classifies them", () => {
  const unclassified = rule({ kind: "unclassified", minutes: 5 });
  expect(findEpisodes(unclassified, known("08:05", [["08:00", "stop"]])).episodes).toEqual([begins("08:00", "08:05")]);
  expect(findEpisodes(unclassified, known("08:05", [["08:00", { causeIds: [1] }]])).episodes).toEqual([]);
});

describe("not running after the start of a shift", () => {
  const lateStart = rule({ kind: "not_running", minutes: 10 });
  it("adds up the time before the machine first runs, without planned stops and silence", () => {
    const parts: [string, What][] = [
      ["05:00", "stop"],
      ["06:04", "planned"],
      ["06:20", "silent"],
      ["06:30", "stop"],
    ];
    expect(findEpisodes(lateStart, known("06:35", parts)).lookAt).toBe(at("06:36"));
    expect(findEpisodes(lateStart, known("06:36", parts)).episodes).toEqual([begins("06:00", "06:36")]);
  });
  it("does not apply to later stops, and ends with the shift", () => {
    expect(
      findEpisodes(
        lateStart,
        known("09:00", [
          ["05:00", "stop"],
          ["06:05", "run"],
          ["06:10", "stop"],
        ]),
      ).episodes,
    ).toEqual([]);
    expect(findEpisodes(lateStart, known("14:05", [["05:00", "stop"]])).episodes).toEqual([begins("06:00", "06:10", "14:00")]);
    expect(findEpisodes(lateStart, known("14:10", [["05:00", "stop"]])).episodes).toHaveLength(2);
  });
  it("ends when the machine runs", () => {
    const parts: [string, What][] = [
      ["05:00", "stop"],
      ["06:15", "run"],
      ["06:15:20", "stop"],
      ["06:17", "run"],
    ];
    expect(findEpisodes(lateStart, known("06:20", parts)).episodes).toEqual([begins("06:00", "06:10", "06:18")]);
  });
});

it("finds silence, until there was data for a minute", () => {
  const silent = rule({ kind: "no_data", minutes: 3 });
  const parts: [string, What][] = [
    ["08:00", "silent"],
    ["08:30", "stop"],
  ];
  expect(findEpisodes(silent, known("08:20", [["08:00", "silent"]])).episodes).toEqual([begins("08:00", "08:05")]);
  expect(findEpisodes(silent, known("08:30:10", parts)).episodes).toEqual([begins("08:00", "08:05")]);
  expect(findEpisodes(silent, known("08:40", parts)).episodes).toEqual([begins("08:00", "08:05", "08:31")]);
});

it("finds no silence that began before the machine was live, and each one after it", () => {
  const silent = rule({ kind: "no_data", minutes: 3 });
  const before: [string, What][] = [["06:30", "silent"]];
  expect(findEpisodes(silent, known("08:20", before, { liveSince: Number.POSITIVE_INFINITY })).episodes).toEqual([]);
  const after: [string, What][] = [...before, ["08:30", "run"], ["08:40", "silent"]];
  expect(findEpisodes(silent, known("08:50", after, { liveSince: at("08:30") })).episodes).toEqual([begins("08:40", "08:45")]);
});

it("counts short stops in the hour before, and waits for ten quiet minutes", () => {
  const jerky = rule({ kind: "short_stops", count: 2 });
  const three: [string, What][] = [
    ["06:00", "run"],
    ...["08:00", "08:10", "08:20"].flatMap((clock): [string, What][] => [
      [clock, "stop"],
      [clock.replace(/.$/, "3"), "run"],
    ]),
  ];
  expect(findEpisodes(jerky, known("08:22", three.slice(0, -1))).episodes).toEqual([]);
  const holds = { ...begins("08:23", "08:23"), value: 3 };
  expect(findEpisodes(jerky, known("08:23", three)).episodes).toEqual([holds]);
  expect(findEpisodes(jerky, known("09:05", three))).toMatchObject({ episodes: [holds], lookAt: at("09:13") });
  expect(findEpisodes(jerky, known("09:13", three)).episodes).toEqual([{ ...holds, until: at("09:13") }]);
  expect(findEpisodes(jerky, { ...known("09:13", []), pieces: [] }).episodes).toEqual([]);
});

describe("a share", () => {
  const made = { idealMs: 0, totalUnits: 0, defectUnits: 0 };
  const sample = (clock: string, minutes: [up: number, down: number], over: Partial<ShiftSample> = {}): ShiftSample => ({
    at: at(clock),
    shift: early,
    sums: { availableMs: minutes[0] * MINUTE_MS, programmedMs: 0, nonProgrammedMs: minutes[1] * MINUTE_MS },
    made,
    hasStandard: true,
    openBucket: "nonProgrammed",
    ...over,
  });
  const of = (...samples: ShiftSample[]) => ({ ...known("06:00", []), now: samples.at(-1)?.at ?? 0, samples });
  const low = rule({ kind: "availability", percent: 50, afterMinutes: 60 });

  it("of availability is evaluated after part of the shift, and checked again when it can fall below its limit", () => {
    expect(findEpisodes(low, of(sample("06:30", [0, 30])))).toMatchObject({ episodes: [], lookAt: at("07:00") });
    const fine = findEpisodes(low, of(sample("07:30", [60, 30])));
    expect(fine).toMatchObject({ episodes: [], lookAt: at("08:00") + 1 });
    const bad = findEpisodes(low, of(sample("08:01", [60, 61])));
    expect(bad.episodes).toEqual([{ since: at("08:01"), dueAt: at("08:01"), until: null, value: 6000 / 121 }]);
    expect(bad.lookAt).toBe(at("08:02"));
    expect(findEpisodes(low, of(sample("07:30", [60, 30], { openBucket: "available" }))).lookAt).toBeNull();
    expect(findEpisodes(low, of(sample("07:30", [60, 30], { openBucket: null }))).lookAt).toBeNull();
    expect(findEpisodes(low, of(sample("08:00", [60, 60]))).lookAt).toBe(at("08:00:10"));
    const never = rule({ kind: "availability", percent: 50, afterMinutes: 480 });
    expect(findEpisodes(never, of(sample("13:00", [0, 420]))).lookAt).toBeNull();
    expect(findEpisodes(low, of(sample("13:00", [420, 0]))).lookAt).toBeNull();
    expect(findEpisodes(low, of(sample("09:00", [0, 0]))).episodes).toEqual([]);
  });

  it("must recover by two points, and ends with its shift", () => {
    const open = { since: at("08:01"), dueAt: at("08:01"), until: null, value: 49 };
    expect(findEpisodes(low, of(sample("09:00", [51, 49])), open).episodes).toEqual([open]);
    expect(findEpisodes(low, of(sample("09:00", [52, 48])), open).episodes).toEqual([{ ...open, until: at("09:00") }]);
    expect(findEpisodes(low, of(sample("14:00", [0, 480])), open).episodes).toEqual([{ ...open, until: at("14:00") }]);
    const next = sample("14:30", [0, 30], { shift: late });
    expect(findEpisodes(low, of(next), open).episodes).toEqual([{ ...open, until: at("14:00") }]);
    expect(findEpisodes(low, of(), open).episodes).toEqual([]);
    expect(findEpisodes({ ...low, shiftIds: [2] }, of(sample("09:00", [0, 99])), open).episodes).toEqual([]);
    expect(findEpisodes({ ...low, shiftIds: [1] }, of(sample("09:00", [0, 99])), open).episodes).toEqual([open]);
  });

  it("of OEE needs a standard, and falls while the machine runs without counts", () => {
    const oee = rule({ kind: "oee", percent: 50, afterMinutes: 0 });
    const ran = { made: { idealMs: 60 * MINUTE_MS, totalUnits: 60, defectUnits: 0 }, openBucket: "available" as const };
    expect(findEpisodes(oee, of(sample("07:30", [90, 0], ran)))).toMatchObject({ episodes: [], lookAt: at("08:00") + 1 });
    expect(findEpisodes(oee, of(sample("08:01", [121, 0], ran))).episodes).toHaveLength(1);
    expect(findEpisodes(oee, of(sample("08:01", [121, 0], { ...ran, hasStandard: false }))).episodes).toEqual([]);
  });

  it("of defects needs enough units, and must fall a tenth below its limit", () => {
    const defects = rule({ kind: "defects", percent: 10, units: 20 });
    const units = (totalUnits: number, defectUnits: number) =>
      of(sample("08:00", [60, 0], { made: { ...made, totalUnits, defectUnits } }));
    expect(findEpisodes(defects, units(19, 19))).toMatchObject({ episodes: [], lookAt: null });
    expect(findEpisodes(defects, units(20, 2)).episodes).toEqual([]);
    const [open] = findEpisodes(defects, units(20, 3)).episodes;
    expect(open).toEqual({ since: at("08:00"), dueAt: at("08:00"), until: null, value: 15 });
    const later = { ...open, since: at("07:00"), dueAt: at("07:00") } as NonNullable<typeof open>;
    expect(findEpisodes(defects, units(100, 10), later).episodes).toEqual([later]);
    expect(findEpisodes(defects, units(100, 9), later).episodes).toEqual([{ ...later, until: at("08:00") }]);
  });
});

describe("what a machine remembers", () => {
  const run: [string, What] = ["06:00", "run"];
  const check = (clock: string, parts: [string, What][], state: AlertState, rules = [stopped]) =>
    checkAlerts(rules, known(clock, parts), state);

  it("begins once, however often it is evaluated, and ends once", () => {
    const first = check("08:05", [run, ["08:00", "stop"]], noAlerts);
    expect(first.begun).toMatchObject([{ ruleId: "r", number: 1, episode: begins("08:00", "08:05") }]);
    const again = check("08:06", [run, ["08:00", "stop"]], first.state);
    expect([again.begun, again.ended, again.state]).toEqual([[], [], first.state]);
    const over = check("08:20", [run, ["08:00", "stop"], ["08:10", "run"]], again.state);
    expect(over.ended).toMatchObject([{ number: 1, episode: { until: at("08:11") } }]);
    expect(over.state).toEqual({ open: [], lastNumber: 1, lookAt: null });
    expect(check("08:21", [run, ["08:00", "stop"], ["08:10", "run"]], over.state).ended).toEqual([]);
  });

  it("distinguishes a later stop from the known one if both arrive at once", () => {
    const first = check("08:05", [run, ["08:00", "stop"]], noAlerts);
    const parts: [string, What][] = [run, ["08:00", "stop"], ["08:30", "run"], ["08:50", "stop"]];
    const both = check("09:00", parts, first.state);
    expect(both.ended).toMatchObject([{ number: 1, episode: { until: at("08:31") } }]);
    expect(both.begun).toMatchObject([{ number: 2, episode: begins("08:50", "08:55") }]);
  });

  it("keeps an alert if its stop turns out to begin a little later", () => {
    const first = check("08:05", [run, ["08:00", "stop"]], noAlerts);
    const moved = check("08:20", [run, ["08:02", "stop"]], first.state);
    expect([moved.begun, moved.ended]).toEqual([[], []]);
  });

  it("ends alerts that late signals undo, and those of changed or deleted rules", () => {
    const first = check("08:05", [run, ["08:00", "stop"]], noAlerts);
    expect(check("08:06", [run], first.state).ended).toMatchObject([{ number: 1, episode: { until: at("08:06") } }]);
    expect(check("08:06", [run, ["08:00", "stop"]], first.state, []).ended).toHaveLength(1);
    const changed = check("08:06", [run, ["08:00", "stop"]], first.state, [rule({ kind: "stop", minutes: 4 })]);
    expect(changed.ended).toMatchObject([{ number: 1 }]);
    expect(changed.begun).toMatchObject([{ number: 2 }]);
  });

  it("does not begin an alert that is over, and ends all out of service", () => {
    expect(check("08:20", [run, ["08:00", "stop"], ["08:10", "run"]], noAlerts).begun).toEqual([]);
    const first = check("08:05", [run, ["08:00", "stop"]], noAlerts);
    expect(check("08:10", [], first.state).ended).toHaveLength(1);
  });

  it("is checked again at the earliest instant of all rules", () => {
    const rules = [rule({ kind: "stop", minutes: 9 }), { ...rule({ kind: "unclassified", minutes: 7 }), id: "s" }];
    expect(check("08:05", [run, ["08:00", "stop"]], noAlerts, rules).state.lookAt).toBe(at("08:07"));
  });
});

it("finds the same step by step as in the whole ledger", () => {
  const { runs } = inject("engine");
  for (let seed = 1; seed <= runs / 20; seed++) {
    let dice = seed;
    const random = (n: number) => {
      dice = (dice * 48_271) % 2_147_483_647;
      return dice % n;
    };
    const rules: AlertRule[] = [
      stopped,
      { ...rule({ kind: "unclassified", minutes: 3 + random(9) }), id: "u" },
      { ...rule({ kind: "cause", causeIds: [1], minutes: random(5) }, [2]), id: "c" },
      { ...rule({ kind: "no_data", minutes: 6 }), id: "n" },
      { ...rule({ kind: "not_running", minutes: 10 + random(30) }), id: "l" },
      { ...rule({ kind: "short_stops", count: 1 + random(3) }), id: "m" },
    ];
    const kinds: What[] = ["run", "run", "silent", "stop", "stop", "planned", { causeIds: [1] }];
    const parts: { start: number; what: What }[] = [];
    for (let t = at("05:00"); t < at("22:30"); t += (1 + random(40)) * 30_000) {
      const what = kinds[random(kinds.length)] as What;
      if (JSON.stringify(parts.at(-1)?.what) !== JSON.stringify(what)) parts.push({ start: t, what });
    }
    const factsAt = (now: number): AlertFacts => {
      const clocks = parts
        .filter(({ start }) => start <= now)
        .map(({ start, what }): [string, What] => [new Date(start).toISOString().slice(11, 19), what]);
      return known(new Date(now).toISOString().slice(11, 19), clocks, { now, pieces: timeline(now, ...clocks) });
    };
    const seen: string[] = [];
    let state = noAlerts;
    const edges = [early.start, early.end, late.start, late.end];
    let now = at("05:00");
    while (now <= at("22:45")) {
      const checked = checkAlerts(rules, factsAt(now), state);
      state = checked.state;
      for (const { ruleId, episode } of checked.begun) expect([ruleId, now]).toEqual([ruleId, episode.dueAt]);
      for (const { ruleId, episode } of checked.ended) seen.push(`${ruleId} ${episode.since} ${episode.dueAt} ${episode.until}`);
      const next = [...parts.map(({ start }) => start), ...edges, state.lookAt ?? Number.POSITIVE_INFINITY, at("22:46")];
      now = Math.min(...next.filter((one) => one > now));
    }
    const whole = rules.flatMap((one) =>
      findEpisodes(one, factsAt(at("22:45"))).episodes.map(({ since, dueAt, until }) => `${one.id} ${since} ${dueAt} ${until}`),
    );
    expect(seen.sort()).toEqual(whole.sort());
  }
}, 30_000);
