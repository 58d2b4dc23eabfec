import { defineConfig } from "vitest/config";

/** The engine's tests alone, for `npm run mutants`. */
export default defineConfig({
  test: { include: ["test/oee/**/*.test.ts"], provide: { engine: { runs: 30 } } },
});
