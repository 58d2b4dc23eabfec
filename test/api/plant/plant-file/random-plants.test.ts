import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { call } from "../../../support/call.ts";
import { newPlant } from "./full-plant.ts";

// Random plants: what GET gives makes an empty company the same, and changes nothing where it came from.

declare module "vitest" {
  interface ProvidedContext {
    plantFiles: { plants: number };
  }
}

/** 25 in `npm run verify`, 100 in `npm run plant-files`. */
const PLANTS = inject("plantFiles").plants;

/** Names that YAML could take for something else, and others. */
const name = fc.oneof(
  fc.constantFrom(
    "null",
    "~",
    "yes",
    "0x1F",
    "1e3",
    "- a",
    "a: b",
    "#",
    "'",
    '"',
    "\\",
    "*a",
    "&a",
    "!t",
    "%d",
    "@",
    "06:00",
    "2026-01-01",
    "=",
    "<<",
  ),
  fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 }).filter((text) => /\S/.test(text)),
  fc.constantFrom("Línea 1", "線 2", "Ж", "😀", "a  b", " a", "a "),
);
const names = (maxLength: number) => fc.uniqueArray(name, { maxLength });
const seconds = fc.integer({ min: 1, max: 1000 }).map((n) => n / 4);
const flag = fc.constantFrom(true, false, null);
const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

const plants = fc
  .record({ lines: names(4), refs: names(6), shiftNames: names(4), skuIds: names(5), generals: names(3), reasons: names(4) })
  .chain(({ lines, refs, shiftNames, skuIds, generals, reasons }) =>
    fc.record({
      formatVersion: fc.constant(1),
      lines: fc.tuple(...lines.map((one) => fc.record({ name: fc.constant(one), order: fc.integer({ min: -9, max: 9 }) }))),
      machines: fc.tuple(
        ...refs.map((ref, i) =>
          fc.record({
            ...{ ref: fc.constant(ref), name, nodeId: fc.constant(i), line: fc.constantFrom(null, ...lines) },
            ...{ signal: fc.constantFrom("counts", "states"), stopAfterSeconds: seconds, hourlyRate: fc.option(seconds) },
            commissionedAt: fc.constant("2026-01-01T00:00:00.000Z"),
            countSensors: fc.option(
              fc.record({
                isCountEnabled: fc.boolean(),
                configs: fc.constantFrom([], [{ type: "total", countingFactor: 0.5, channel: i, nodeId: 3, wrapsAt: 65536 }]),
              }),
            ),
          }),
        ),
      ),
      // Each on hours of its own.
      shifts: fc.tuple(
        ...shiftNames.map((one, i) =>
          fc.record({
            ...{ name: fc.constant(one), start: fc.constant(clock(5 * i)), end: fc.constant(clock(5 * i + 5)) },
            days: fc.subarray(["monday", "friday", "sunday"]),
            breaks: fc.constantFrom([], [{ name: "B", start: clock(5 * i + 1), end: clock(5 * i + 2) }]),
            machines: refs.length > 0 ? fc.option(fc.subarray(refs, { minLength: 1 })) : fc.constant(null),
          }),
        ),
      ),
      skus: fc.tuple(
        ...skuIds.map((id) =>
          fc.record({
            id: fc.constant(id === "." ? "dot" : id),
            name,
            standards: fc.uniqueArray(fc.record({ machine: fc.constantFrom(null, ...refs), standardCycleSeconds: seconds }), {
              selector: ({ machine }) => machine,
              maxLength: 3,
            }),
          }),
        ),
      ),
      stopCauses: fc.tuple(
        ...generals.flatMap((one) => [
          fc.record({
            path: fc.constant([one]),
            level: fc.constant("general"),
            isProgrammed: flag,
            isIncludedInAvailability: flag,
          }),
          fc.record({
            path: fc.constant([one, "Jam"]),
            level: fc.constant("specific"),
            isProgrammed: flag,
            isIncludedInAvailability: flag,
          }),
          fc.record({ path: fc.constant([one, "Jam", one]), level: fc.constant("component") }),
        ]),
      ),
      defectReasons: fc.constant(reasons.map((one) => ({ name: one }))),
    }),
  );

it(`the file of ${PLANTS} random plants makes an empty company the same, and changes nothing twice`, {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plants, async (plant) => {
      const [original, copy] = [await newPlant(), await newPlant()];
      const made = await original.ask("PUT", "/v1/plant", plant);
      expect(made.status, JSON.stringify(made.body)).toBe(200);
      const file = await original.file();
      const { body: yaml } = await original.ask("GET", "/v1/plant?format=yaml");
      const put = async (token: string, query = "") => {
        const headers = { "content-type": "application/yaml" };
        const answer = await call("PUT", `/v1/plant${query}`, { token, body: yaml as unknown as string, headers });
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        return answer.body;
      };
      expect(await put(original.token, "?prune=true")).toMatchObject({ created: [], changed: [], deleted: [] });
      await put(copy.token);
      expect(await copy.file()).toEqual(file);
      expect(await put(copy.token, "?prune=true")).toMatchObject({ created: [], changed: [], deleted: [] });
    }),
    { numRuns: PLANTS },
  );
});
