import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type BuildOptions, type BuildResult, build, type Metafile, type Plugin } from "esbuild";
import { type ViewEntry, type ViewName, viewNames, views } from "../src/board/app/views.ts";

// Builds the board (src/board): each view for the oldest browser that it supports (src/board/app/views.ts).

const root = resolve(import.meta.dirname, "..");
const source = "src/board";
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The table's rows by name, with the members that only some have. */
const entries: Readonly<Record<ViewName, ViewEntry>> = views;

const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  charset: "utf8",
  define: { BOARD_VERSION: JSON.stringify(version) },
  legalComments: "none",
  write: false,
  logLevel: "silent",
} satisfies BuildOptions;

export interface BuiltBoard {
  /** Path below the static files -> content: scripts and styles, with hashed names, a page for each view, and the service workers. */
  files: Map<string, Buffer>;
  /** The files that each view loads before it can show anything, its page first, with the longest language's texts: paths of `files`. */
  firstLoad: Record<ViewName, string[]>;
  /** The font that a view loads at first, if it has its own: a path of `files`. */
  fonts: Partial<Record<ViewName, string>>;
  /** The scripts and styles that Chromium 79 must know: paths of `files`. */
  ofChromium79: Set<string>;
}

/** Builds the whole board in memory. Throws esbuild's errors. */
export async function buildBoard(): Promise<BuiltBoard> {
  const alone = viewNames.filter((view) => entries[view].isAlone);
  const together = viewNames.filter((view) => !entries[view].isAlone);
  const builds = await Promise.all(
    [...alone.map((view) => [view]), together].map(async (some) => ({ some, result: await buildViews(some) })),
  );
  const files = new Map<string, Buffer>();
  const ofChromium79 = new Set<string>();
  const add = ({ outputFiles }: BuildResult<{ write: false }>, some: readonly ViewName[]) => {
    for (const { path, contents } of outputFiles) {
      files.set(pathBelowAssets(path), Buffer.from(contents));
      if (oldest(some) === "chrome79") ofChromium79.add(pathBelowAssets(path));
    }
  };
  for (const { some, result } of builds) add(result, some);
  const icon = readFileSync(join(root, source, "icon.svg"));
  const iconPath = `board/icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`;
  files.set(iconPath, icon);

  const again = await build({
    ...options,
    target: oldest(viewNames),
    entryPoints: [`${source}/app/again.ts`],
    outdir: "dist/assets/board",
    entryNames: "[name]-[hash]",
    format: "iife",
  });
  add(again, viewNames);
  const first = again.outputFiles.map(({ path }) => pathBelowAssets(path));

  // Without a hash in its name: browsers look for a newer version at the same address.
  const worker = await build({
    ...options,
    target: oldest(together),
    entryPoints: [`${source}/app/notify-worker.ts`],
    format: "iife",
  });
  files.set("notify/worker.js", Buffer.from(worker.outputFiles[0]?.contents ?? []));

  const outputs: Metafile["outputs"] = Object.assign({}, ...builds.map(({ result }) => result.metafile.outputs));
  const firstLoad = {} as Record<ViewName, string[]>;
  const fonts: BuiltBoard["fonts"] = {};
  for (const view of viewNames) {
    const { scripts, texts, styles } = loadOf(outputs, view);
    const [entry = "", ...preloaded] = scripts;
    const font = fontOf(outputs, view);
    if (font) fonts[view] = font;
    const page = `pages/${view}.html`;
    files.set(page, Buffer.from(pageOf({ view, first, entry, preloaded, styles, font, icon: iconPath })));
    firstLoad[view] = [page, ...styles, ...first, ...scripts, ...texts];
  }
  // The styles of dynamic imports are also linked by the page.
  const linked = new Set(Object.values(firstLoad).flat());
  files.set("terminal/worker.js", await buildShellWorker(outputs, firstLoad.floor));
  for (const path of files.keys()) if (path.endsWith(".css") && !linked.has(path)) files.delete(path);
  return { files, firstLoad, fonts, ofChromium79 };
}

/** The service worker that keeps all files of a terminal, those that it loads at first and those that it may load later. */
async function buildShellWorker(outputs: Metafile["outputs"], [page, ...atFirst]: string[]): Promise<Buffer> {
  const [entry] = outputOf(outputs, "page:floor");
  const scripts = new Set<string>();
  const visit = (path: string) => {
    if (scripts.has(path) || !outputs[path]) return;
    scripts.add(path);
    for (const { path: next } of outputs[path].imports) visit(next);
  };
  visit(entry);
  const all = [...new Set([...atFirst, ...[...scripts].map(pathBelowAssets)])].filter((path) => path !== page).sort();
  const worker = await build({
    ...options,
    target: views.floor.target,
    entryPoints: [`${source}/app/shell-worker.ts`],
    format: "iife",
    define: {
      SHELL_VERSION: JSON.stringify(createHash("sha256").update(all.join()).digest("hex").slice(0, 12)),
      SHELL_FILES: JSON.stringify(all),
      SHELL_ENTRY: JSON.stringify(pathBelowAssets(entry)),
    },
  });
  return Buffer.from(worker.outputFiles[0]?.contents ?? []);
}

/** The oldest browser that one of some views supports. */
function oldest(some: readonly ViewName[]): string {
  return some.map((view) => entries[view].target).sort((a, b) => Number(a.slice(6)) - Number(b.slice(6)))[0] ?? "esnext";
}

/** Builds some views; code that several of them need becomes a shared chunk. */
function buildViews(some: readonly ViewName[]) {
  return build({
    ...options,
    target: oldest(some),
    entryPoints: some.map((view) => ({ in: `page:${view}`, out: view })),
    plugins: [pageEntries],
    outdir: "dist/assets/board",
    entryNames: "[name]-[hash]",
    chunkNames: "part-[hash]",
    loader: { ".woff2": "file" },
    assetNames: "font-[hash]",
    splitting: true,
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    metafile: true,
  });
}

/**
 * The script of a view's page: loads its texts in the page's language, then the view. If app/main.tsx imported the views, each page would
 * have the styles of all of them.
 */
const pageEntries: Plugin = {
  name: "page-entries",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^page:/ }, ({ path }) => ({ path: path.slice("page:".length), namespace: "page" }));
    onLoad({ filter: /.*/, namespace: "page" }, ({ path: view }) => ({
      contents: [
        'import { start } from "./app/main.tsx";',
        ...entries[view as ViewName].texts.map((name, i) => `import { load as texts${i} } from "./texts/${name}.ts";`),
        `start([${entries[view as ViewName].texts.map((_, i) => `texts${i}`)}], () => import("./${moduleOf(view)}"));`,
      ].join("\n"),
      resolveDir: join(root, source),
      loader: "ts",
    }));
  },
};

/** The module of a view, below src/board. */
const moduleOf = (view: string) => `views/${view}/${view}.tsx`;

/** The output of a module that is an entry point, or is imported later. */
function outputOf(outputs: Metafile["outputs"], entryPoint: string) {
  const found = Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint && output.exports !== undefined);
  if (!found) throw new Error(`The board's build has no ${entryPoint}`);
  return found;
}

/** What a view loads at first. */
function loadOf(outputs: Metafile["outputs"], view: ViewName) {
  const scripts: string[] = [];
  const visit = (path: string) => {
    if (scripts.includes(path)) return;
    scripts.push(path);
    for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === "import-statement") visit(next);
  };
  const [entry, { cssBundle }] = outputOf(outputs, `page:${view}`);
  visit(entry);
  visit(outputOf(outputs, `${source}/${moduleOf(view)}`)[0]);
  const textsIn = (language: string) =>
    entries[view].texts.map((name) => outputOf(outputs, `${source}/texts/${language}/${name}.ts`)[0]);
  const sizeOf = (paths: string[]) => paths.reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0);
  const [texts = []] = readdirSync(join(root, source, "texts"), { withFileTypes: true })
    .filter((folder) => folder.isDirectory())
    .map(({ name }) => textsIn(name))
    .sort((a, b) => sizeOf(b) - sizeOf(a));
  return {
    /** The scripts, that of the page first. */
    scripts: scripts.map(pathBelowAssets),
    /** The texts in the language in which they are longest. */
    texts: texts.map(pathBelowAssets),
    /** The styles, including those of parts that are loaded later. */
    styles: cssBundle ? [pathBelowAssets(cssBundle)] : [],
  };
}

/** The font that a view needs at once. */
function fontOf(outputs: Metafile["outputs"], view: ViewName): string | null {
  const { font } = entries[view];
  if (!font) return null;
  const found = Object.entries(outputs).find(([, { inputs }]) => Object.keys(inputs).some((path) => path.endsWith(font.file)));
  if (!found) throw new Error(`The board's build has no ${font.file}`);
  return pathBelowAssets(found[0]);
}

function pathBelowAssets(path: string): string {
  return relative(join(root, "dist/assets"), resolve(root, path));
}

interface PageParts {
  view: ViewName;
  /** Scripts that do not need the others. */
  first: string[];
  entry: string;
  preloaded: string[];
  styles: string[];
  font: string | null;
  icon: string;
}

/** A view's page: the same for everyone, and without inline code, which its Content-Security-Policy forbids. */
function pageOf({ view, first, entry, preloaded, styles, font, icon }: PageParts): string {
  const links = [
    `<link rel="icon" href="/${icon}" type="image/svg+xml">`,
    ...styles.map((path) => `<link rel="stylesheet" href="/${path}">`),
    ...(font ? [`<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin>`] : []),
    ...first.map((path) => `<script async src="/${path}"></script>`),
    ...preloaded.map((path) => `<link rel="modulepreload" href="/${path}">`),
    `<script type="module" src="/${entry}"></script>`,
  ];
  return `<!doctype html>
<html lang="en"${entries[view].isDark ? ' data-theme="dark"' : ""}>
<head>
<meta charset="utf-8">
<title>Andon</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${links.join("\n")}
</head>
<body>
<div id="app"></div>
<noscript>Andon's board needs JavaScript.</noscript>
</body>
</html>
`;
}
