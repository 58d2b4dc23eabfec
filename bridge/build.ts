import { build } from "esbuild";

// The program as npm publishes it: one file, with what it uses of src/. The dependencies of package.json are installed with it.

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ["src/main.ts"],
  outfile: "dist/andon-bridge.js",
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node24",
  legalComments: "none",
});
