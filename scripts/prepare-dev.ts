import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { ensureSecrets, migrate } from "./service.ts";

// Prepares what `wrangler dev` needs and does not create: the secrets in `.dev.vars`, and the tables in its default state folder.

const stateFolder = resolve(import.meta.dirname, "../.wrangler/state");
mkdirSync(stateFolder, { recursive: true });
ensureSecrets();
await migrate(stateFolder);
