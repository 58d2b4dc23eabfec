/** The line of a member in a TOML text; of the table that should have it, if it is not there. Lines count from 1. */
export function lineOf(text: string, path: readonly (string | number)[]): number {
  const lines = text.split("\n");
  let place = 0;
  let table = "";
  for (const [index, step] of path.entries()) {
    if (typeof step === "number") continue;
    const next = path[index + 1];
    const name = table === "" ? step : `${table}.${step}`;
    const found =
      typeof next === "number"
        ? nth(lines, `[[${name}]]`, place, next)
        : after(lines, place, (line) => isStart(line, name, step));
    if (found === null) return place + 1;
    place = found;
    table = name;
  }
  return place + 1;
}

function isStart(line: string, table: string, member: string): boolean {
  return line.startsWith(`[${table}]`) || line.startsWith(`${member} `) || line.startsWith(`${member}=`);
}

function nth(lines: readonly string[], head: string, from: number, count: number): number | null {
  let seen = -1;
  for (let index = from; index < lines.length; index += 1) {
    if (lines[index]?.trim().startsWith(head)) seen += 1;
    if (seen === count) return index;
  }
  return null;
}

function after(lines: readonly string[], from: number, isMeant: (line: string) => boolean): number | null {
  const index = lines.findIndex((line, at) => at >= from && isMeant(line.trim()));
  return index < 0 ? null : index;
}
