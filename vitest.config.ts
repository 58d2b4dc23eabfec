import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const secrets = {
  JWT_SECRET: "a secret of the test suite alone",
  JWT_SECRET_PREVIOUS: "",
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
};

export default defineConfig({
  test: {
    // One for each core of a small machine; left to itself vitest keeps one core for itself.
    maxWorkers: 2,
    projects: [
      {
        // Pure: the engine needs no runtime, and thousands of random streams want speed.
        test: { name: "oee", include: ["test/oee/**/*.test.ts"] },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: { bindings: { ...secrets, MIGRATIONS: await readD1Migrations("drizzle") } },
          })),
        ],
        // As in the bundle: a part of zod that it lacks is missed here first.
        resolve: { alias: [{ find: /^zod$/, replacement: `${import.meta.dirname}/src/http/bundled-zod.ts` }] },
        test: {
          name: "worker",
          include: ["test/**/*.test.ts"],
          exclude: ["test/oee/**", "test/e2e/**"],
          setupFiles: ["test/support/setup.ts"],
          testTimeout: 20_000,
        },
      },
      {
        // A real local server in a process of its own, killed and started again.
        test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], testTimeout: 180_000, hookTimeout: 60_000 },
      },
    ],
  },
});
