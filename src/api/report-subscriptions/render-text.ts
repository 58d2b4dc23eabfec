import type { ReportWords } from "./report-words.ts";

/** A report as plain text, for mail clients that do not show HTML. */
export function renderText(words: ReportWords): string {
  const {
    kind,
    name,
    period,
    numbers,
    quality,
    held,
    machines,
    notDrawn,
    stopsTitle,
    stops,
    unclassified,
    notAttached,
    late,
    moreLate,
    handOvers,
    moreHandOvers,
    links,
  } = words;
  const { titles, asOf, footer } = words;
  const listed = (items: readonly { title: string; words: string }[]) => items.map((one) => `- ${one.title}\n  ${one.words}`);
  return [
    `${kind} · ${name}`,
    period,
    "",
    ...numbers.map(({ label, value, change }) => `${label}: ${value} (${change})`),
    quality,
    ...(held === null ? [] : [held]),
    "",
    titles.machines.toUpperCase(),
    ...listed(machines.map(({ name, line, words }) => ({ title: line === "" ? name : `${name} (${line})`, words }))),
    ...(notDrawn === null ? [] : [notDrawn]),
    "",
    stopsTitle.toUpperCase(),
    ...(stops.length === 0 ? [titles.noStops] : [...listed(stops), unclassified]),
    ...(notAttached === null ? [] : [notAttached]),
    "",
    titles.late.toUpperCase(),
    ...(late.length === 0 ? [titles.noLate] : listed(late)),
    ...(moreLate === null ? [] : [moreLate]),
    "",
    ...handOvers.flatMap(({ title, by, notes, watch, url }) => [
      title.toUpperCase(),
      by,
      ...notes.map(({ topic, text }) => `${topic}: ${indented(text)}`),
      ...(watch.length === 0 ? [] : [`${titles.watch}:`, ...watch.map((one) => `- ${indented(one)}`)]),
      ...(url === null ? [] : [`${titles.openHandOver}: ${url}`]),
      "",
    ]),
    ...(moreHandOvers === null ? [] : [moreHandOvers, ""]),
    ...links.map(({ label, url }) => `${label}: ${url}`),
    ...(links.length === 0 ? [] : [""]),
    asOf,
    footer,
    "",
  ].join("\n");
}

/** A text of several lines, whose further ones stand below its first one. */
function indented(text: string): string {
  return text.split("\n").join("\n  ");
}
