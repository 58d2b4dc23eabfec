import { stringify } from "yaml";
import type { PlantFile } from "./plant-file.ts";

/** How many entries are written at a time: for a whole file, the tree that is built for it would take hundreds of MB. */
const AT_ONCE = 200;

/**
 * A plant file as YAML 1.2, without anchors, aliases and tags. Texts that readers of YAML 1.1 would take for something else, such as `06:00` and `on`,
 * are quoted.
 */
export function yamlOf(file: PlantFile): string {
  return Object.entries(file)
    .map(([kind, value]) => (Array.isArray(value) ? listOf(kind, value) : written({ [kind]: value })))
    .join("");
}

/** A list whose dashes stand below its name, so that parts of it can be written one after the other. */
function listOf(kind: string, entries: readonly unknown[]): string {
  if (entries.length === 0) return `${kind}: []\n`;
  const parts = Array.from({ length: Math.ceil(entries.length / AT_ONCE) }, (_, i) =>
    written(entries.slice(i * AT_ONCE, (i + 1) * AT_ONCE)),
  );
  return `${kind}:\n${parts.join("")}`;
}

function written(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, compat: "yaml-1.1", indentSeq: false, lineWidth: 0 });
}
