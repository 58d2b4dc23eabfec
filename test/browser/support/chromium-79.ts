import type { Screen } from "./screen.ts";

/** Features that a television's browser of 2021 lacks and a page could use: they are removed before a page's scripts run. */
const missing: Record<string, readonly string[]> = {
  globalThis: [
    "structuredClone",
    "reportError",
    "WeakRef",
    "FinalizationRegistry",
    "AggregateError",
    "CompressionStream",
    "scheduler",
  ],
  "Array.prototype": ["at", "findLast", "findLastIndex", "toReversed", "toSorted", "toSpliced", "with"],
  "String.prototype": ["at", "replaceAll", "isWellFormed"],
  Array: ["fromAsync"],
  Object: ["hasOwn", "groupBy"],
  Map: ["groupBy"],
  Promise: ["any", "withResolvers", "try"],
  "Set.prototype": ["union", "intersection", "difference"],
  Intl: ["DisplayNames", "Segmenter", "DurationFormat", "supportedValuesOf"],
  crypto: ["randomUUID"],
  AbortSignal: ["timeout", "any", "abort"],
  URL: ["canParse", "parse"],
  "Element.prototype": ["replaceChildren", "checkVisibility", "moveBefore"],
  "Node.prototype": ["moveBefore"],
  navigator: ["locks", "wakeLock"],
};

/** Makes a screen a television with Chromium 79, as far as a newer browser can imitate what that one lacks. */
export async function makeOld(screen: Screen): Promise<void> {
  await screen.context.addInitScript((names) => {
    for (const [owner, members] of Object.entries(names)) {
      const path = owner === "globalThis" ? [] : owner.split(".");
      // biome-ignore lint/suspicious/noExplicitAny: any object of the page.
      const object = path.reduce((one: any, name) => one?.[name], globalThis);
      for (const member of members) if (object) delete object[member];
    }
  }, missing);
}
