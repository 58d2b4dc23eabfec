import { resolve } from "node:path";
import { migrate, stopAll } from "../service.ts";
import { buildServer } from "./build.ts";

// Prepares what `npm run serve` needs: the built service and the tables. In a process of its own, because the tools that do it take a hundred
// megabytes, which the service would keep. Without a state folder it only builds (`npm run build`).

const [stateFolder] = process.argv.slice(2);
// Only the important messages of wrangler, which misses the secrets that the build does not need.
process.env.WRANGLER_LOG ??= "error";
process.on("SIGTERM", () => stopAll().then(() => process.exit(1)));
try {
  await buildServer();
  if (stateFolder !== undefined) await migrate(resolve(stateFolder));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await stopAll();
}
