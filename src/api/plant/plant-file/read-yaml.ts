import { type Alias, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, type Node, parseDocument } from "yaml";
import type { FaultCode } from "../../../core/fault-codes.ts";
import { type Fault, invalid } from "../../../core/problem.ts";
import { MOST_FAULTS } from "./kinds.ts";

// YAML 1.2 without anchors, aliases, tags and directives: what is left says the same to every reader. What it costs to read is bounded before it is
// read: the tree of a hostile text of 1 MiB would take a gigabyte.

/** The most parts of a text: brackets, dashes, keys, values, spaces, ends of lines. A file has about seven on a line. */
const MOST_PARTS = 150_000;
/** How deep lists and maps may be inside each other. */
const MOST_DEPTH = 32;

/** What a text says, and where. */
export interface ReadYaml {
  value: unknown;
  /** The line of each value, by its JSON pointer. */
  lines: ReadonlyMap<string, number>;
}

/**
 * Reads a YAML text.
 * @throws Problem 400 that names each fault by its line
 */
export function readYaml(text: string): ReadYaml {
  refuseTooComplex(text);
  const counter = new LineCounter();
  const document = withoutStackTraces(() =>
    parseDocument(text, { lineCounter: counter, logLevel: "error", prettyErrors: false, uniqueKeys: false, version: "1.2" }),
  );
  const lineAt = (offset: number | undefined) => counter.linePos(offset ?? 0).line;
  const broken = document.errors.slice(0, MOST_FAULTS).map(({ pos, message }) => malformed(lineAt(pos[0]), plainly(message)));
  if (document.directives?.yaml.explicit || Object.keys(document.directives?.tags ?? {}).length > 1)
    broken.push(fault(1, "not_supported", "has a directive (%), which is not supported"));
  if (broken.length > 0) throw invalid(broken);
  const reading = new Reading(lineAt);
  const value = reading.valueOf(document.contents, "", 0);
  if (reading.faults.length > 0) throw invalid(reading.faults.slice(0, MOST_FAULTS));
  return { value, lines: reading.lines };
}

class Reading {
  readonly faults: Fault[] = [];
  readonly lines = new Map<string, number>();
  readonly #lineAt: (offset: number | undefined) => number;

  constructor(lineAt: (offset: number | undefined) => number) {
    this.#lineAt = lineAt;
  }

  valueOf(node: Node | null | undefined, pointer: string, depth: number): unknown {
    if (!node) return null;
    const line = this.#lineAt(node.range?.[0]);
    this.lines.set(pointer, line);
    this.#refuseExtras(node, line);
    if (depth > MOST_DEPTH) {
      this.faults.push(tooDeep(line));
      return null;
    }
    if (isSeq(node)) return node.items.map((item, i) => this.valueOf(item as Node, `${pointer}/${i}`, depth + 1));
    if (isMap(node)) {
      const members = new Map<string, unknown>();
      for (const { key, value } of node.items) {
        const name = this.#nameOf(key as Node | null, line);
        if (members.has(name))
          this.faults.push(fault(this.#lineAt((key as Node).range?.[0]), "repeated", `${name} is already given`));
        const below = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        members.set(name, this.valueOf(value as Node | null, below, depth + 1));
        // A value that is left out stands where its key does.
        if (!value) this.lines.set(below, this.#lineAt((key as Node | null)?.range?.[0]));
      }
      return Object.fromEntries(members);
    }
    return isScalar(node) ? node.value : null;
  }

  #nameOf(key: Node | null, line: number): string {
    if (key) this.#refuseExtras(key, this.#lineAt(key.range?.[0]));
    if (isScalar(key) && typeof key.value === "string") return key.value;
    this.faults.push(fault(line, "invalid_key", "has a key that is no text"));
    return "";
  }

  #refuseExtras(node: Node, line: number): void {
    const refuse = (what: string) =>
      this.faults.push(fault(line, "not_supported", `has ${what}, which is not supported: write it out`));
    if (isAlias(node)) refuse(`the alias *${(node as Alias).source}`);
    else if (node.anchor) refuse(`the anchor &${node.anchor}`);
    if (node.tag) refuse(`the tag ${node.tag}`);
  }
}

/** Refuses what would take too much memory. Reading it part by part takes none. */
function refuseTooComplex(text: string): void {
  let parts = 0;
  let depth = 0;
  let indicators = 0;
  let line = 1;
  for (const part of new Lexer().lex(text)) {
    parts += 1;
    if (part.startsWith("\n") || part.startsWith("\r")) {
      line += 1;
      indicators = 0;
    } else if (part === "[" || part === "{") depth += 1;
    else if (part === "]" || part === "}") depth -= 1;
    else if (depth <= 0 && (part === "-" || part === "?" || part === ":")) indicators += 1;
    if (depth > MOST_DEPTH || indicators > MOST_DEPTH) throw invalid([tooDeep(line)]);
    if (parts > MOST_PARTS) {
      const message =
        "is longer than a YAML file may be, about 20,000 lines: send it in parts, which may have some of the kinds each, or as JSON";
      throw invalid([fault(line, "too_big", message)]);
    }
  }
}

/** Without the stack traces of errors: a hostile text has ten thousands of errors, and their traces would take most of the memory. */
function withoutStackTraces<T>(work: () => T): T {
  const errors = Error as ErrorConstructor & { stackTraceLimit?: number };
  const { stackTraceLimit: usual = 10 } = errors;
  errors.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    errors.stackTraceLimit = usual;
  }
}

function plainly(message: string): string {
  return `is not YAML 1.2: ${message.slice(0, 200)}`;
}

function malformed(line: number, message: string): Fault {
  return fault(line, "malformed_yaml", message);
}

function tooDeep(line: number): Fault {
  return fault(line, "too_big", `is deeper than ${MOST_DEPTH} lists and maps`);
}

function fault(line: number, code: FaultCode, message: string): Fault {
  return { pointer: "", code, message: `line ${line} ${message}` };
}
