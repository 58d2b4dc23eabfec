import { gzipSync } from "node:zlib";
import { buildBoard, type View } from "../build-board.ts";

// That each view of the board loads little at first, and that its styles are ones that Chromium 79 knows. Its scripts are lowered by the
// build, and what they call is held to ES2020 by src/board/tsconfig.json.

/** KiB gzipped of all that a view loads before it shows something. */
const bounds: Record<View, number> = { home: 30, wall: 30, floor: 45, desk: 80, pair: 30 };

/** What esbuild does not lower, and Chromium 79 would drop with the whole rule or line. */
const unknown = {
  "a selector that Chromium 79 does not know": /:(?:has|is|where)\(|(?<!:not\():focus-visible/,
  "a property that Chromium 79 does not know":
    /[;{](?:aspect-ratio|accent-color|row-gap|column-gap|margin-(?:block|inline)|padding-(?:block|inline)|container(?:-type)?|content-visibility):/,
  "a value that Chromium 79 does not know": /color-mix\(|\d(?:dvh|svh|lvh|cqw|cqh)\b|oklch\(/,
  "an at-rule that Chromium 79 does not know": /@(?:layer|container|property|scope)\b/,
};

const { files, firstLoad } = await buildBoard();
const faults: string[] = [];

for (const [view, paths] of Object.entries(firstLoad)) {
  const sizes = paths.map((path) => gzipSync(files.get(path) ?? "").length / 1024);
  const kib = sizes.reduce((sum, size) => sum + size, 0);
  const bound = bounds[view as View];
  const said = `${view} loads ${kib.toFixed(1)} KiB gzipped at first, of ${bound} at most`;
  if (kib <= bound) console.log(`${said}.`);
  else faults.push(`${said}: ${paths.map((path, i) => `${path} ${sizes[i]?.toFixed(1)}`).join(", ")}`);
}

for (const [path, content] of files) {
  if (!path.endsWith(".css")) continue;
  const css = content.toString();
  for (const [what, pattern] of Object.entries(unknown)) {
    const found = pattern.exec(css);
    if (found) faults.push(`${path} has ${what}: ${css.slice(Math.max(0, found.index - 60), found.index + 60)}`);
  }
  for (const [rule = ""] of css.matchAll(/[^{}]*\{[^{}]*\}/g)) {
    if (/display:(?:inline-)?flex/.test(rule) && /[;{]gap:/.test(rule))
      faults.push(`${path} has a gap of a flex box, which is none in Chromium 79: ${rule}`);
  }
}

for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
