import { appendFileSync, existsSync, renameSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

const LARGEST_BYTES = 64 * 2 ** 20;

/**
 * Writes the Worker's log entries in a stream, one JSON object a line, to a file, and passes each line to `see`. A file that
 * has grown large becomes `<path>.1`, replacing the previous one, so that the log never fills the disk.
 */
export function keepRequestLog(stream: Readable, path: string, see: (line: string) => void = () => undefined): void {
  let unfinished = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = stripVTControlCharacters(unfinished + text).split("\n");
    unfinished = lines.pop() ?? "";
    const entries = lines.flatMap((line) => entryPattern.exec(line)?.groups?.entry ?? []);
    if (entries.length > 0) appendToLog(path, entries.join("\n"));
    lines.forEach(see);
  });
}

/** All other output is wrangler's, which also marks errors with a prefix. */
const entryPattern = /^(?:\S+ \[ERROR\] )?(?<entry>\{".*\})$/;

/** Appends lines to a log file. A file that has grown large becomes `<path>.1` before. */
export function appendToLog(path: string, lines: string): void {
  if (existsSync(path) && statSync(path).size > LARGEST_BYTES) renameSync(path, `${path}.1`);
  appendFileSync(path, `${lines}\n`, { mode: 0o600 });
}
