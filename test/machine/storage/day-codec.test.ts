import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startOf } from "../../../src/machine/inputs/ledger-position.ts";
import { hashOf, type StoredEvent } from "../../../src/machine/inputs/stored-event.ts";
import {
  decodePart,
  type EncodedPart,
  encodeParts,
  MAX_PART_BYTES,
  MAX_PART_EVENTS,
} from "../../../src/machine/storage/day-codec.ts";
import { DAY, HOUR, NOON } from "../../support/clock.ts";

const MIDNIGHT = NOON - (NOON % DAY);

/** Random numbers from 0 up to 2^32, the same each time. */
function randomly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** A day of counts of two channels, each at about its interval, with a change of state every few minutes. */
function dayOf(everyMs: number, idOf: (i: number, random: () => number) => string, hours = 24): StoredEvent[] {
  const random = randomly(7);
  const events: StoredEvent[] = [];
  let i = 0;
  const add = (kind: string, at: number, content: string, members: object) => {
    const mark = `${startOf(at)}${kind === "state" ? 2 : 3}`;
    const event = { kind, at, ...members } as unknown as StoredEvent["event"];
    events.push({
      pos: `${mark}#${idOf(i++, random)}`,
      event,
      content: hashOf(content),
      receivedAt: at + 400 + (random() % 300),
    });
  };
  for (let at = MIDNIGHT; at < MIDNIGHT + hours * HOUR; at += everyMs) {
    const value = random() % 20 === 0 ? 2 : 1;
    add("pulses", at + (random() % 40), `count 3 1 ${value}`, { nodeId: 3, channel: 1, value });
    if (random() % 6 === 0) add("pulses", at + 50, "count 3 2 1", { nodeId: 3, channel: 2, value: 1 });
    if (random() % 60 === 0) add("state", at + 60, "running", { state: "running" });
  }
  return events;
}

const short = (i: number) => `gw1-${String(i).padStart(6, "0")}`;
const uuid = (_: number, random: () => number) => {
  const hex = Array.from({ length: 4 }, () => random().toString(16).padStart(8, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
const longText = (_: number, random: () => number) =>
  Array.from({ length: 200 }, () => String.fromCharCode(0x4e00 + (random() % 20_000))).join("");

const id = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000 }).map((n) => `gw1-${n}`),
  fc.integer({ min: 0, max: 200 }).map((n) => `gw1-${String(n).padStart(3, "0")}`),
  fc.uuid(),
  fc.uuid().map((text) => text.toUpperCase()),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.stringMatching(/^[#=0-9]{0,40}$/),
  fc.constantFrom("", "=", "#", "0", "00", "-1", "1e5", "__proto__", "000000000000000000001", "a\0b", '"', "\ud83c", "ä1", "١٢"),
);
const number = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.maxSafeNat(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const event = fc.oneof(
  fc.record(
    {
      kind: fc.constantFrom("pulses", "total"),
      at: fc.nat(DAY - 1).map((ms) => MIDNIGHT + ms),
      since: fc.nat(2 * DAY).map((ms) => MIDNIGHT - ms),
      nodeId: fc.nat(2),
      channel: fc.nat(2),
      value: number,
      isHeld: fc.constant(true),
    },
    { requiredKeys: ["kind", "at", "nodeId", "channel", "value"] },
  ),
  // What other versions may have stored.
  fc
    .tuple(
      fc.constantFrom("sku", "state", "operator", "count", "reading", "pulses", "of a later version"),
      fc.oneof({ weight: 9, arbitrary: fc.nat(DAY - 1) }, { weight: 1, arbitrary: fc.double({ noNaN: true }) }),
      fc.dictionary(fc.constantFrom("skuId", "since", "value", "nodeId", "good", "__proto__", "x"), fc.jsonValue(), {
        maxKeys: 4,
      }),
    )
    .map(([kind, ms, members]) => ({ ...members, kind, at: MIDNIGHT + ms })),
);
const stored = fc
  .tuple(event, id, fc.constantFrom("own", "id", "text", "odd"), fc.option(fc.nat(2 ** 31)), fc.option(fc.nat(DAY)), fc.boolean())
  .map(([event, id, identity, hash, lag, isMore]) => {
    const { nodeId, channel, value, since } = event as Record<string, unknown>;
    const [node, of, pulses, from] = [nodeId, channel, value, since].map((one) => JSON.stringify(one));
    const content = `${event.kind === "total" ? "reading" : "count"} ${node} ${of} ${pulses}`;
    const own = since === undefined ? content : `${content} since ${from}`;
    const tail = { own: `=${own}`, id: `#${id}`, text: `=${id}`, odd: id }[identity];
    return JSON.parse(
      JSON.stringify({
        ...(isMore && identity === "odd" && { note: "of a later version" }),
        pos: `${startOf(event.at)}3${tail}`,
        event,
        ...(identity === "id" && { content: hash ?? hashOf(own) }),
        ...(lag !== null && { receivedAt: event.at + lag }),
      }),
    ) as StoredEvent;
  });

const sizes = ({ body, ids }: EncodedPart) => Math.round((body.length + ids.length) / 1024);

function encoded(events: readonly StoredEvent[]): EncodedPart[] {
  return [...encodeParts(events)].map(({ encoded }) => encoded);
}

describe("a part of a day", () => {
  it("is decoded to exactly the events that were encoded, whatever they and their ids are", () => {
    const property = fc.property(fc.array(stored, { maxLength: 60 }), (events) => {
      const decoded = [...encodeParts(events)].flatMap(({ encoded }) => decodePart(encoded));
      expect(JSON.stringify(decoded)).toBe(JSON.stringify(events));
    });
    fc.assert(property, { numRuns: 400 });
  });

  it("takes few bytes for short ids, and little more than theirs for UUIDs", () => {
    const counts = dayOf(10_000, short);
    expect(counts.length).toBeGreaterThan(10_000);
    const [ofShort, ofUuids] = [encoded(counts), encoded(dayOf(10_000, uuid))];
    expect([ofShort.length, ofUuids.length]).toEqual([1, 1]);
    expect(ofShort.map(sizes)[0]).toBeLessThan(60);
    expect(ofUuids.map(sizes)[0]).toBeLessThan(60 + 170);
  });

  it("keeps running totals and the times that counts cover without their hashes", () => {
    const random = randomly(3);
    let value = 0;
    const events = Array.from({ length: 8640 }, (_, i): StoredEvent => {
      const at = MIDNIGHT + i * 10_000 + (random() % 40);
      value += random() % 3;
      const content = hashOf(`reading 3 1 ${value} since ${at - 10_000}`);
      const event = { kind: "total" as const, at, since: at - 10_000, nodeId: 3, channel: 1, value };
      return { pos: `${startOf(at)}3#${short(i)}`, event, content, receivedAt: at + 500 };
    });
    expect(encoded(events).map(sizes)[0]).toBeLessThan(30);
  });

  it.each([
    { name: "short ids", idOf: short, hours: 24, most: 320 },
    { name: "UUIDs", idOf: uuid, hours: 24, most: 2000 },
    { name: "long ids without any pattern", idOf: longText, hours: 4, most: 8000 },
  ])("has limited events and bytes at 1-second counts with $name", ({ idOf, hours, most }) => {
    const events = dayOf(1000, idOf, hours);
    const parts = [...encodeParts(events)];
    expect(parts.flatMap(({ events }) => events.map(({ pos }) => pos))).toEqual(events.map(({ pos }) => pos));
    for (const { encoded, events } of parts) {
      expect(events.length).toBeLessThanOrEqual(MAX_PART_EVENTS);
      expect(Math.max(encoded.body.length, encoded.ids.length)).toBeLessThanOrEqual(MAX_PART_BYTES);
    }
    expect(parts.length * (24 / hours)).toBeLessThan(1000);
    expect(parts.reduce((sum, { encoded }) => sum + sizes(encoded), 0)).toBeLessThan(most);
  });
});
