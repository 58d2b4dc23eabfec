import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { clientTypes, typesFile } from "../openapi/client-types.ts";
import { apiDocument } from "../openapi/document.ts";
import { eventsFile, eventsPage } from "../openapi/events.ts";

// Checks that the OpenAPI document passes a public linter without a warning, and that the client's types and the events page are up to date.

const root = resolve(import.meta.dirname, "../..");
const document = await apiDocument();
if (readFileSync(typesFile, "utf8") !== clientTypes(document)) {
  console.error("src/client/api.d.ts is not of this API: run `npm run client`.");
  process.exit(1);
}

if (!existsSync(eventsFile) || readFileSync(eventsFile, "utf8") !== eventsPage()) {
  console.error("docs/events.md is not of src/events/catalogue.ts: run `npm run client`.");
  process.exit(1);
}

mkdirSync(join(root, "dist"), { recursive: true });
const file = join(root, "dist/openapi.json");
writeFileSync(file, JSON.stringify(document, null, 2));
const redocly = join(root, "node_modules/@redocly/cli/bin/cli.js");
// The service has no license of its own to name.
const rules = ["--extends", "recommended-strict", "--skip-rule", "info-license"];
const { status } = spawnSync(process.execPath, [redocly, "lint", file, ...rules], {
  stdio: "inherit",
  env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
});
process.exit(status ?? 1);
