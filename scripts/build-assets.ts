import { copyFileSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

// Puts the static files together that wrangler serves beside the Worker (`[assets]` in wrangler.toml).

const root = resolve(import.meta.dirname, "..");
const target = join(root, "dist/assets");
const page = ["docs.css", "docs.js"].map((name) => join("src/docs", name));
const swagger = ["swagger-ui.css", "swagger-ui-bundle.js"].map((name) => join("node_modules/swagger-ui-dist", name));

mkdirSync(join(target, "docs"), { recursive: true });
for (const name of ["docs.html", "_headers"]) copyFileSync(join(root, "src/docs", name), join(target, name));
for (const path of [...page, ...swagger])
  copyFileSync(join(root, path), join(target, "docs", path.slice(path.lastIndexOf("/") + 1)));
