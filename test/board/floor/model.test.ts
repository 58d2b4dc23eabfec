import { describe, expect, it } from "vitest";
import {
  type Action,
  again,
  confirmed,
  dropped,
  isPassing,
  nextToSend,
  parsedQueue,
  refused,
  sending,
} from "../../../src/board/domain/action-queue.ts";
import { announcedStop, parsedAnnounced } from "../../../src/board/domain/announced.ts";
import {
  countsOfCauses,
  type FloorStop,
  lastChoice,
  markOf,
  newestNote,
  splitRange,
  stopsNow,
  wantsCause,
} from "../../../src/board/domain/floor-stops.ts";
import { fastestOf, paceNow, pacesOf } from "../../../src/board/domain/pace.ts";
import { breaksOf, hourBars, standardPerHour, targetNow, withTotalNow } from "../../../src/board/domain/shift-hours.ts";

const hour = 3_600_000;
const six = Date.parse("2026-11-22T06:00:00Z");
const iso = (at: number) => new Date(at).toISOString();

describe("hour by hour", () => {
  const shift = { start: six + hour / 2, end: six + 4 * hour };
  const hours = [0, 1].map((i) => ({
    start: iso(six + i * hour),
    end: iso(six + (i + 1) * hour),
    total: 100 * (i + 1),
    target: 60 * (i + 1),
  }));

  it("has a bar for each hour of the shift, clipped to it, and a target for the coming ones", () => {
    const now = six + 1.5 * hour;
    const bars = hourBars(hours, shift, now, 120, []);
    expect(bars.map(({ state }) => state)).toEqual(["past", "running", "future", "future"]);
    expect(bars.map(({ total, target }) => [total, target])).toEqual([
      [100, 60],
      [200, 120],
      [null, 120],
      [null, 120],
    ]);
    expect([bars[0]?.start, bars.at(-1)?.end]).toEqual([shift.start, shift.end]);
  });

  it("excludes planned breaks from the coming targets, also after midnight", () => {
    const plan = { start: "22:30", breaks: [{ start: "23:50", end: "00:20" }] };
    const breaks = breaksOf(plan, shift.start);
    const begins = shift.start + 80 * (hour / 60);
    expect(breaks).toEqual([{ start: begins, end: begins + hour / 2 }]);
    // From the 50th minute of the second hour to the 20th of the third.
    const bars = hourBars(hours.slice(0, 1), shift, six + 0.9 * hour, 120, breaks);
    expect(bars.map(({ target }) => target)).toEqual([60, 100, 80, 120]);
  });

  it("uses the target of the fastest hour so far while the target does not grow, and has none without a standard", () => {
    // 60 in half an hour.
    expect(hourBars(hours.slice(0, 1), shift, six + 1.2 * hour, 0, []).at(-1)?.target).toBe(120);
    expect(hourBars([], shift, six, null, []).map(({ target }) => target)).toEqual([null, null, null, null]);
  });

  it("adds the newest counts to the running hour", () => {
    const bars = hourBars(hours, shift, six + 1.5 * hour, 120, []);
    expect(withTotalNow(bars, 330)[1]?.total).toBe(230);
    expect(withTotalNow(bars, 250)[1]?.total).toBe(200);
    expect(withTotalNow(bars, null)).toEqual(bars);
    expect(targetNow({ target: 10, targetPerHour: 60, asOf: iso(six) }, six + hour / 2)).toBe(40);
    expect(targetNow({ target: null, targetPerHour: 60, asOf: null }, six)).toBeNull();
  });
});

describe("the standard", () => {
  const hours = [{ start: iso(six), end: iso(six + hour), total: 100, target: 60 }];

  it("is that of the fastest hour while the target does not grow", () => {
    expect(standardPerHour(hours, 90, six + hour)).toBe(90);
    expect(standardPerHour(hours, 0, six + hour / 2)).toBe(120);
    expect(standardPerHour([], null, six)).toBeNull();
  });
});

describe("the speed of the last hour", () => {
  const rows = [10, 20, 6].map((total, i) => ({
    start: iso(six + (i * hour) / 12),
    end: iso(six + ((i + 1) * hour) / 12),
    total,
  }));

  it("is that of each five minutes, and of the running ones once they are long enough", () => {
    expect(pacesOf(rows, six + 11 * 60_000).map(({ perHour }) => perHour)).toEqual([120, 240]);
    expect(pacesOf(rows, six + 13 * 60_000).map(({ perHour }) => perHour)).toEqual([120, 240, 120]);
  });

  it("is at present that of the newest five minutes or more", () => {
    expect(paceNow(pacesOf(rows, six + 15 * 60_000))).toBe(72);
    // Three minutes alone would say too little.
    expect(paceNow(pacesOf(rows, six + 13 * 60_000))).toBe((26 * 60) / 8);
    expect(paceNow([])).toBeNull();
    expect([fastestOf(pacesOf(rows, six + hour), 100), fastestOf([], null)]).toEqual([240, 1]);
  });
});

const stop = (id: number, minutes: number, options: Partial<FloorStop> = {}): FloorStop => ({
  ...{ id, startTime: iso(six + minutes * 60_000), endTime: iso(six + (minutes + 5) * 60_000), name: "Stop" },
  ...{ isProgrammed: false, classification: null, version: 0, ...options },
});
const jam = {
  ...{ key: "1/11", generalCauseId: 1, specificCauseId: 11, name: "Jam", path: "Mechanical › Jam", isProgrammed: false },
};
const live = (id: number, minutes: number) => ({
  ...{ since: iso(six + minutes * 60_000), isProgrammed: false },
  stop: { id, since: iso(six + minutes * 60_000), name: "Stop", generalCause: null, specificCause: null, component: null },
});

describe("the stops of a machine", () => {
  it("include the open one before it could be read", () => {
    const stops = stopsNow([stop(1, 0)], live(2, 30), new Map());
    expect(stops.map(({ id, endTime, version }) => [id, endTime, version])).toEqual([
      [2, null, 0],
      [1, iso(six + 5 * 60_000), 0],
    ]);
    expect(stopsNow([stop(2, 30, { endTime: null, version: 3 })], live(2, 30), new Map())).toMatchObject([{ id: 2, version: 3 }]);
  });

  it("end with the machine's present state, whatever was read before", () => {
    const running = { since: iso(six + 10 * 60_000), isProgrammed: false, stop: null };
    expect(stopsNow([stop(1, 0, { endTime: null })], running, new Map())[0]?.endTime).toBe(running.since);
    expect(stopsNow([stop(1, 0, { endTime: null })], null, new Map())[0]?.endTime).toBeNull();
  });

  it("have the causes that were chosen here and are being sent", () => {
    const [shown] = stopsNow([stop(1, 0)], null, new Map([[1, markOf(jam, stop(1, 0))]]));
    expect(shown).toMatchObject({ name: "Jam", classification: { generalCause: { id: 1 }, specificCause: { id: 11 } } });
    expect([wantsCause(stop(1, 0)), shown && wantsCause(shown)]).toEqual([true, false]);
    expect(wantsCause(stop(1, 0, { isProgrammed: true }))).toBe(false);
  });

  it("know the cause of the last one", () => {
    const known = [jam, { ...jam, key: "1/", specificCauseId: null, name: "Mechanical" }];
    expect(lastChoice([stop(3, 20), stop(2, 10, markOf(jam, stop(2, 10))), stop(1, 0)], known)).toEqual(jam);
    expect(lastChoice([stop(1, 0, markOf({ ...jam, specificCauseId: 99 }, stop(1, 0)))], known)).toBeNull();
  });

  it("can be split between their start and end", () => {
    expect(splitRange(stop(1, 0), six)).toEqual({ min: 1, max: 299 });
    expect(splitRange(stop(1, 0, { endTime: null }), six + 1000)).toBeNull();
  });
});

const action = (key: string, about = key): Action<null> => ({
  ...{
    key,
    about,
    at: six,
    request: { method: "post", path: "/x", names: {}, ifMatch: '"1"' },
    told: null,
    sentAt: null,
    refusal: null,
  },
});

describe("the queue of actions", () => {
  it("is sent in order, but not past a refused one about the same object", () => {
    const queue = [action("a", "stop 1"), action("b", "stop 1"), action("c", "stop 2")];
    expect(nextToSend(queue)?.key).toBe("a");
    const stuck = refused(queue, "a", { status: 409, detail: "Changed" });
    expect(nextToSend(stuck)?.key).toBe("c");
    expect(nextToSend(dropped(confirmed(stuck, "c", null), "a"))?.key).toBe("b");
    expect(nextToSend([])).toBeNull();
  });

  describe("sends each action with the version that it was decided on:", () => {
    const follower = (key: string, isUndo = false): Action<null> => {
      const { request, ...rest } = action(key, "stop 1");
      const { ifMatch: _, ...unseen } = request;
      return { ...rest, request: unseen, after: "a", ...(isUndo && { isUndo }) };
    };
    const queue = [action("a", "stop 1"), follower("b")];

    it("the result of the one before it", () => {
      expect(confirmed(queue, "a", '"2"')).toMatchObject([{ key: "b", request: { ifMatch: '"2"' } }]);
      expect(confirmed(queue, "a", '"2"')[0]?.after).toBeUndefined();
    });

    it("what the one before it was decided on, if the person drops that", () => {
      expect(dropped(refused(queue, "a", { status: 409, detail: null }), "a")).toMatchObject([
        { key: "b", request: { ifMatch: '"1"' } },
      ]);
    });

    it("what the person has seen since, if a refused one is sent again", () => {
      const request = { ...action("a").request, ifMatch: '"5"' };
      const renewed = again(refused(queue, "a", { status: 409, detail: null }), "a", "A", request);
      expect(renewed).toMatchObject([
        { key: "A", refusal: null, sentAt: null, request: { ifMatch: '"5"' } },
        { key: "b", after: "A" },
      ]);
    });

    it("never at all, if it undoes what was refused", () => {
      const undone = [action("a", "stop 1"), follower("b", true)];
      expect(refused(undone, "a", { status: 409, detail: null }).map(({ key }) => key)).toEqual(["a"]);
      expect(dropped(undone, "a")).toEqual([]);
      expect(confirmed(undone, "a", '"2"')).toMatchObject([{ key: "b", request: { ifMatch: '"2"' } }]);
    });
  });

  it("does not repeat an action whose key the service may have forgotten", () => {
    const sent = sending([action("a")], "a", six);
    expect(sent[0]).toMatchObject({ sentAt: six, refusal: null });
    expect(sending(sent, "a", six + 22 * hour)[0]).toMatchObject({ sentAt: six, refusal: null });
    expect(nextToSend(sending(sent, "a", six + 24 * hour))).toBeNull();
    // An action that was never sent can wait for any time.
    expect(nextToSend(sending([action("a")], "a", six + 99 * hour))?.key).toBe("a");
  });

  it("survives a reload; invalid entries do not", () => {
    const queue = [action("a")];
    expect(parsedQueue(JSON.stringify(queue))).toEqual(queue);
    for (const nonsense of [null, "", "{", "{}", "[1, null]"]) expect(parsedQueue(nonsense)).toEqual([]);
  });

  it("waits if the service may answer differently later", () => {
    expect([503, 429, 401].every(isPassing)).toBe(true);
    expect([400, 403, 404, 409, 412].some(isPassing)).toBe(false);
  });
});

describe("a planned stop that was announced", () => {
  const announced = { key: "1/", at: six + 10 * 60_000 };

  it("is the first stop without a cause that began afterwards", () => {
    const caused = stop(2, 12, {
      classification: { generalCause: { id: 1, name: "Jam" }, specificCause: null, component: null, description: null },
    });
    expect(announcedStop([stop(4, 30), stop(3, 20), caused, stop(1, 5)], announced)?.id).toBe(3);
    expect(announcedStop([caused, stop(1, 5)], announced)).toBeNull();
  });

  it("is kept in the browser, and not longer than a shift", () => {
    expect(parsedAnnounced(JSON.stringify(announced), six)).toEqual(announced);
    expect(parsedAnnounced(JSON.stringify(announced), six + hour)).toBeNull();
    for (const text of [null, "", "null", "{", '{"key":1}']) expect(parsedAnnounced(text, 0)).toBeNull();
  });
});

describe("what stops say", () => {
  const noted = (id: number, minutes: number, description: string | null) =>
    stop(id, minutes, {
      classification: {
        generalCause: { id: 1, name: "Mechanical" },
        specificCause: { id: 11, name: "Jam" },
        component: null,
        description,
      },
    });

  it("is the newest note, and how often each cause was given", () => {
    const stops = [noted(3, 30, null), noted(1, 5, "old"), noted(2, 10, "new"), stop(4, 40)];
    expect(newestNote(stops)?.id).toBe(2);
    expect(newestNote([stop(4, 40)])).toBeNull();
    expect([...countsOfCauses(stops, [jam])]).toEqual([["1/11", 3]]);
  });
});
