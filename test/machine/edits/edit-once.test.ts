import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { StopEdit } from "../../../src/objects/machine-protocol.ts";
import { auditOf, createStoppedLine, START } from "../../api/stops/stopped-line.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { machineObject } from "../../support/machine-object.ts";

stopClockAtNoon();

const record: StopEdit = {
  action: "record",
  start: START + HOUR,
  end: START + 2 * HOUR,
  name: "Visit",
  causes: null,
  flags: {},
};
const request = { operation: "POST /v1/stops", key: "a key", requestHash: "a hash" };

async function createEditor() {
  const line = await createStoppedLine();
  const by = { userId: line.userId, apiTokenId: null, requestId: crypto.randomUUID() };
  const edit = (what: StopEdit, keyed: typeof request | null, who = by) =>
    machineObject(env, line.machineId).editStops(what, line.companyId, who, keyed);
  return { line, by, edit };
}

describe("an edit with an idempotency key", () => {
  it("is executed once, and repeats return the same outcome", async () => {
    const { line, edit } = await createEditor();
    const first = await edit(record, request);
    expect(first).toMatchObject({ stops: [[{ name: "Visit", version: 1 }]] });
    vi.setSystemTime(NOON + MINUTE);
    expect(await edit(record, request)).toEqual({ ...first, bookmark: null });
    expect(await auditOf(line)).toHaveLength(1);
  });

  it("is a new edit with another key, operation or user, and is refused with another body", async () => {
    const { by, edit } = await createEditor();
    await edit(record, request);
    const taken = { refused: "conflict", message: "Another recorded stop is there." };
    expect(await edit(record, null)).toEqual(taken);
    expect(await edit(record, { ...request, key: "another key" })).toEqual(taken);
    expect(await edit(record, { ...request, operation: "POST /v1/stops/1/split" })).toEqual(taken);
    expect(await edit(record, request, { ...by, userId: by.userId + 1 })).toEqual(taken);
    const other = { refused: "conflict", message: "The Idempotency-Key was used with another body." };
    expect(await edit(record, { ...request, requestHash: "another hash" })).toEqual(other);
  });

  it("is not remembered when it was refused, or after a day", async () => {
    const { edit } = await createEditor();
    const early: StopEdit = { ...record, start: START - HOUR };
    expect(await edit(early, request)).toMatchObject({ refused: "invalid" });
    expect(await edit(record, request)).toMatchObject({ stops: [[{ name: "Visit" }]] });
    vi.setSystemTime(NOON + DAY - 1);
    expect(await edit(record, request)).toMatchObject({ stops: [[{ name: "Visit" }]] });
    vi.setSystemTime(NOON + DAY);
    expect(await edit(record, request)).toMatchObject({ refused: "conflict", message: "Another recorded stop is there." });
  });
});

it("an edit for another company does not find the machine and changes nothing", async () => {
  const { line, by } = await createEditor();
  const none = { refused: "not_found", message: "There is no such machine." };
  expect(await machineObject(env, line.machineId).editStops(record, line.companyId + 1, by)).toEqual(none);
  expect(await auditOf(line)).toEqual([]);
});
