import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

// That the documentation has no dead links: to files, to folders, and to headings of its pages. Links to other sites are not followed.
// `node scripts/checks/check-links.ts [folder]`: of this project unless another one is named.

const root = resolve(process.argv[2] ?? join(import.meta.dirname, "../.."));
const docs = join(root, "docs");
const pages = existsSync(docs)
  ? readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"))
  : [];
const top = ["README.md", "SECURITY.md", "CHANGELOG.md"].map((name) => join(root, name)).filter((path) => existsSync(path));
const paths = [...top, ...pages.map((name) => join(docs, name))];

const faults = paths.flatMap((path) => deadLinks(path).map((fault) => `${relative(root, path)}: ${fault}`));
for (const fault of faults) console.error(fault);
if (paths.length === 0) console.error("No page was found: the check itself is broken.");
process.exit(faults.length > 0 || paths.length === 0 ? 1 : 0);

function deadLinks(path: string): string[] {
  const text = withoutCode(readFileSync(path, "utf8"));
  const links = [...text.matchAll(/\]\(([^()\s]+)\)/g), ...text.matchAll(/^\[[^\]]+\]: (\S+)/gm)].flatMap(
    ([, link]) => link ?? [],
  );
  return links.flatMap((link) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : resolve(dirname(path), decodeURIComponent(file));
    if (!existsSync(target)) return `${link} is not there`;
    if (anchor === undefined) return [];
    if (!target.endsWith(".md")) return `${link} has an anchor, but is no page`;
    return anchorsOf(target).has(anchor) ? [] : `${link} names no heading`;
  });
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutBlocks(readFileSync(path, "utf8")).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n++) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```.*?^```/gms, "");
}

function withoutCode(text: string): string {
  return withoutBlocks(text).replaceAll(/`[^`\n]*`/g, "");
}
