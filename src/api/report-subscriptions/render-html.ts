import { escapeHtml } from "../../core/html.ts";
import { type ReportWords, textsOf } from "./report-words.ts";
import type { Run, SlotStatus } from "./slots.ts";

// Mail clients support tables, inline styles and little else. The style sheet only changes colours for clients that show mail in the dark.

const font = "font-family:-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif";
const text = "color:#14191f";
const quiet = "color:#55616d";
const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"';

/** Running is light and stopped is dark, so that they also differ without colour. */
const colours: Record<SlotStatus, string> = {
  A: "#6dbf9c",
  N: "#b3261e",
  P: "#2f6db5",
  O: "#b9cfe6",
  D: "#8b96a3",
  U: "#eef1f4",
};

const darkStyles = `@media (prefers-color-scheme: dark) {
.page{background:#0d1117!important}.card{background:#161c24!important}
.text,.text a{color:#f2f5f8!important}.quiet{color:#9aa7b4!important}.rule{border-color:#2a323d!important}
.better{color:#2fb885!important}.worse{color:#ff6f61!important}.s-U{background:#2a323d!important}.link{color:#5bb4ec!important}
}`;

/** The page of a preview without a report. */
export function renderNothing({ language, name }: { language: "en" | "es"; name: string }): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(name)}</title></head><body style="${font}"><p>${escapeHtml(textsOf[language].nothing)}</p></body></html>
`;
}

/** A report as the HTML of a mail: one column, inline styles, no scripts and no external resources. */
export function renderHtml(words: ReportWords): string {
  const { language, subject, kind, name, period, summary, titles } = words;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title><style>${darkStyles}</style></head>
<body class="page" style="margin:0;padding:0;background:#f6f7f9;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(summary)}</div>
<table ${table} class="page" style="background:#f6f7f9"><tr><td align="center" style="padding:12px 8px">
<table ${table} class="card" style="max-width:640px;background:#ffffff;border-radius:8px;${font}"><tr><td class="text" style="padding:20px 16px;${text};font-size:16px;line-height:1.4">
<div class="quiet" style="${quiet};font-size:14px">${escapeHtml(`${kind} · ${name}`)}</div>
<h1 style="margin:2px 0 16px;font-size:20px;line-height:1.25">${escapeHtml(period)}</h1>
${numbersHtml(words)}
${section(titles.machines)}
${machinesHtml(words)}
${section(words.stopsTitle)}
${stopsHtml(words)}
${section(titles.late)}
${lateHtml(words)}
${handOversHtml(words)}
${linksHtml(words)}
<p class="quiet" style="margin:20px 0 0;${quiet};font-size:13px">${escapeHtml(words.asOf)}<br>${escapeHtml(words.footer)}</p>
</td></tr></table>
</td></tr></table>
</body></html>
`;
}

function section(title: string): string {
  return `<h2 class="rule" style="margin:24px 0 10px;padding-top:16px;border-top:1px solid #d7dde4;font-size:17px;line-height:1.3">${escapeHtml(title)}</h2>`;
}

function numbersHtml({ numbers, quality, held }: ReportWords): string {
  const cells = numbers.map(({ label, value, change, isBetter }) => {
    const tone =
      isBetter === null
        ? `class="quiet" style="${quiet}`
        : isBetter
          ? 'class="better" style="color:#00704f'
          : 'class="worse" style="color:#c01f14';
    return `<td width="33%" valign="top" style="padding:0 6px 0 0"><div class="quiet" style="${quiet};font-size:14px">${escapeHtml(label)}</div>
<div style="font-size:21px;line-height:1.3;font-weight:700;white-space:nowrap">${escapeHtml(value)}</div><div ${tone};font-size:13px;line-height:1.3">${escapeHtml(change)}</div></td>`;
  });
  return `<table ${table}><tr>${cells.join("")}</tr></table>
<p class="quiet" style="margin:8px 0 0;${quiet};font-size:14px">${escapeHtml(quality)}</p>${held === null ? "" : `\n<p style="margin:8px 0 0;font-size:14px"><b>${escapeHtml(held)}</b></p>`}`;
}

function machinesHtml({ machines, axis, legend, notDrawn, titles }: ReportWords): string {
  const used = new Set(machines.flatMap(({ runs }) => (runs ?? []).map(({ status }) => status)));
  const keys = (Object.keys(colours) as SlotStatus[]).filter((status) => used.has(status));
  const legendHtml = keys.map(
    (status) =>
      `<span style="white-space:nowrap"><span class="s-${status}" style="display:inline-block;width:12px;height:12px;border-radius:2px;background:${colours[status]}">&nbsp;</span>&nbsp;${escapeHtml(legend[status])}</span>`,
  );
  const [first = "", middle = "", last = ""] = axis.map(escapeHtml);
  const axisHtml = `<table ${table} class="quiet" style="${quiet};font-size:12px"><tr><td width="33%" align="left">${first}</td><td width="34%" align="center">${middle}</td><td width="33%" align="right">${last}</td></tr></table>`;
  const rows = machines.map(({ name, line, words, runs }) => {
    return `<div style="margin:12px 0 0"><b>${escapeHtml(name)}</b>${line === "" ? "" : ` <span class="quiet" style="${quiet};font-size:14px">${escapeHtml(line)}</span>`}
<div class="quiet" style="${quiet};font-size:14px;padding-bottom:4px">${escapeHtml(words)}</div>${runs ? lineHtml(runs) : ""}</div>`;
  });
  return `<p class="quiet" style="margin:0 0 6px;${quiet};font-size:13px;line-height:1.6">${legendHtml.join(" &nbsp; ")}<br>${escapeHtml(titles.legendHint)}</p>
${rows.join("\n")}
${axisHtml}${notDrawn === null ? "" : `<p style="margin:10px 0 0">${escapeHtml(notDrawn)}</p>`}`;
}

/** A machine's time as a row of coloured cells. The words beside it say the same. */
function lineHtml(runs: readonly Run[]): string {
  const all = runs.reduce((sum, { slots }) => sum + slots, 0);
  const cells = runs.map(({ status, slots }) => {
    const width = `${Math.round((slots / all) * 1e4) / 100}%`;
    return `<td class="s-${status}" width="${width}" height="18" bgcolor="${colours[status]}" style="width:${width};height:18px;background:${colours[status]};font-size:0;line-height:0">&nbsp;</td>`;
  });
  return `<table ${table} aria-hidden="true" style="table-layout:fixed;border-collapse:collapse"><tr>${cells.join("")}</tr></table>`;
}

function stopsHtml({ stops, unclassified, notAttached, titles }: ReportWords): string {
  const rows = stops.map(({ title, words, url }) => item(url === null ? escapeHtml(title) : link(url, title), words));
  return `${rows.length === 0 ? `<p style="margin:0">${escapeHtml(titles.noStops)}</p>` : rows.join("")}
${rows.length === 0 ? "" : `<p style="margin:10px 0 0">${escapeHtml(unclassified)}</p>`}${notAttached === null ? "" : `<p style="margin:10px 0 0">${escapeHtml(notAttached)}</p>`}`;
}

function lateHtml({ late, moreLate, titles }: ReportWords): string {
  if (late.length === 0) return `<p style="margin:0">${escapeHtml(titles.noLate)}</p>`;
  const rows = late.map(({ title, words }) => item(escapeHtml(title), words));
  return rows.join("") + (moreLate === null ? "" : `<p style="margin:10px 0 0">${escapeHtml(moreLate)}</p>`);
}

function handOversHtml({ handOvers, moreHandOvers, titles }: ReportWords): string {
  const blocks = handOvers.map(({ title, by, notes, watch, url }) => {
    const things = watch.map((one) => `<li style="margin:0 0 4px">${escapeHtml(one)}</li>`);
    return `${section(title)}
<p class="quiet" style="margin:0 0 8px;${quiet};font-size:14px">${escapeHtml(by)}</p>
${notes.map(({ topic, text }) => `<p style="margin:0 0 8px"><b>${escapeHtml(topic)}</b><br>${lines(text)}</p>`).join("")}
${watch.length === 0 ? "" : `<p style="margin:0 0 4px"><b>${escapeHtml(titles.watch)}</b></p><ul style="margin:0;padding:0 0 0 20px">${things.join("")}</ul>`}
${url === null ? "" : `<p style="margin:10px 0 0">${link(url, titles.openHandOver)}</p>`}`;
  });
  return blocks.join("\n") + (moreHandOvers === null ? "" : `<p style="margin:10px 0 0">${escapeHtml(moreHandOvers)}</p>`);
}

function lines(words: string): string {
  return escapeHtml(words).replaceAll("\n", "<br>");
}

function item(title: string, words: string): string {
  return `<div style="margin:0 0 8px"><b>${title}</b><div class="quiet" style="${quiet};font-size:14px">${escapeHtml(words)}</div></div>`;
}

function linksHtml({ links }: ReportWords): string {
  if (links.length === 0) return "";
  return `<p class="rule" style="margin:24px 0 0;padding-top:16px;border-top:1px solid #d7dde4;line-height:2">${links.map(({ url, label }) => link(url, label)).join(" &nbsp; ")}</p>`;
}

function link(url: string, label: string): string {
  return `<a class="link" href="${escapeHtml(url)}" style="color:#0b6aa8">${escapeHtml(label)}</a>`;
}
