import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type ViewEntry, type ViewName, views } from "../../src/board/app/views.ts";
import { buildBoard } from "../build-board.ts";

// Checks that each view of the board loads little at first, and that Chromium 79 knows the styles of the views that it binds (src/board/app/views.ts)
// and the functions that they call. The build lowers the syntax, and src/board/tsconfig.json limits our own calls to ES2020: this check adds
// libraries, and browser APIs.

/** Features that esbuild does not lower, and for which Chromium 79 would drop the whole rule or line. */
const unknown = {
  "a selector that Chromium 79 does not know":
    /:(?:has|is|where|modal|user-valid|user-invalid)\b|(?<!:not\():focus-visible|:not\([^()]*,|::marker/,
  "a property that Chromium 79 does not know":
    /[;{](?:aspect-ratio|accent-color|row-gap|column-gap|margin-(?:block|inline)|padding-(?:block|inline)|container(?:-type)?|content-visibility|inset(?:-[a-z-]+)?|translate|rotate|scale|text-wrap|scrollbar-gutter|text-underline-offset|mask(?:-[a-z]+)?|overflow-clip-margin|border-(?:start|end)-(?:start|end)-radius):/,
  "a value that Chromium 79 does not know":
    /color-mix\(|light-dark\(|\d(?:[dsl]v[hwib]|[dsl]vmin|cq\w+|r?lh)\b|oklch\(|oklab\(|overflow(?:-[xy])?:clip|(?<!-webkit-)image-set\(/,
  "an at-rule that Chromium 79 does not know": /@(?:layer|container|property|scope|starting-style)\b|@supports selector\(/,
};

/** Functions newer than Chromium 79, called without a check. Newer methods are recognized by name only. */
const unknownCalls = {
  "a method": new RegExp(
    // Not after another dot: a function with the name of a method may be spread.
    `(?<!\\.)\\.(?:${[
      ...["at", "findLast", "findLastIndex", "toReversed", "toSorted", "toSpliced", "with", "replaceAll", "isWellFormed"],
      ...["hasOwn", "groupBy", "fromAsync", "withResolvers", "any", "waitAsync", "canParse", "supportedValuesOf"],
      ...["replaceChildren", "checkVisibility", "showPicker", "showPopover", "togglePopover", "setHTMLUnsafe", "getAnimations"],
      ...["randomUUID", "throwIfAborted", "timeout"],
    ].join("|")})\\(`,
  ),
  "a global":
    /\b(?:structuredClone|reportError)\(|\bnew (?:AggregateError|WeakRef|FinalizationRegistry|CompressionStream|DecompressionStream|CloseWatcher|URLPattern)\b|\bIntl\.(?:DisplayNames|Segmenter|DurationFormat)\b/,
  "an option": /fractionalSecondDigits|dayPeriod:|timeZoneName:"(?:short|long)(?:Offset|Generic)"/,
};

const { files, firstLoad, fonts, ofChromium79 } = await buildBoard();
const faults: string[] = [];

for (const [view, paths] of Object.entries(firstLoad)) {
  const sizes = paths.map((path) => gzipSync(files.get(path) ?? "").length / 1024);
  const kib = sizes.reduce((sum, size) => sum + size, 0);
  const bound = views[view as ViewName].maxKib;
  const said = `${view} loads ${kib.toFixed(1)} KiB gzipped at first, of ${bound} at most`;
  if (kib <= bound) console.log(`${said}.`);
  else faults.push(`${said}: ${paths.map((path, i) => `${path} ${sizes[i]?.toFixed(1)}`).join(", ")}`);
}

for (const [view, path] of Object.entries(fonts)) {
  // Compressed already.
  const kib = (files.get(path)?.length ?? 0) / 1024;
  const bound = (views[view as ViewName] as ViewEntry).font?.maxKib ?? 0;
  const said = `${view} loads a font of ${kib.toFixed(1)} KiB, of ${bound} at most`;
  if (kib <= bound) console.log(`${said}.`);
  else faults.push(said);
}

for (const [path, content] of files) {
  if (!path.endsWith(".js") || !ofChromium79.has(path)) continue;
  const script = content.toString();
  for (const [what, pattern] of Object.entries(unknownCalls)) {
    const found = pattern.exec(script);
    if (found)
      faults.push(
        `${path} uses ${what} newer than Chromium 79: ${script.slice(Math.max(0, found.index - 60), found.index + 60)}`,
      );
  }
}

for (const [path, content] of files) {
  if (!path.endsWith(".css") || !ofChromium79.has(path)) continue;
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

/** Spaces, sizes of text and radii come from the scales of tokens.css, or follow from the text (em). Up to 2 px are lines, not spaces. */
const ofNoScale = {
  "a space": /[{;\s](?:margin|padding|gap|row-gap|column-gap)(?:-[a-z]+)?:[^;}]*?(?<![\w.-])-?(?:[3-9]|\d{2,})(?:\.\d+)?px/,
  "a size of text": /[{;\s]font-size:\s*[\d.]+(?:px|rem)/,
  "a radius": /[{;\s]border-radius:[^;}]*\d+px/,
};
/** Its sizes follow from the distance at which it is read. */
const byDistance = /^views\/wall\/|^ui\/tokens\.css$/;

const styles = join(import.meta.dirname, "../../src/board");
for (const path of readdirSync(styles, { recursive: true, encoding: "utf8" })) {
  if (!path.endsWith(".css") || byDistance.test(path)) continue;
  for (const [what, pattern] of Object.entries(ofNoScale)) {
    const found = pattern.exec(readFileSync(join(styles, path), "utf8"));
    if (found) faults.push(`src/board/${path} has ${what} that is of no scale of ui/tokens.css: ${found[0].trim()}`);
  }
}

for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
