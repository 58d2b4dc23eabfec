import { resolve } from "node:path";
import { secretsOf } from "./secrets.ts";
import { migrate } from "./service.ts";

// Prepares what `wrangler dev` needs and does not create: the secrets and the tables of its default state folder.

const stateFolder = resolve(import.meta.dirname, "../.wrangler/state");
secretsOf(stateFolder);
await migrate(stateFolder);
