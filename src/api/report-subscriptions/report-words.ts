import { isDoubtful } from "../../oee/reporting.ts";
import { DAY_MS, type Interval, MINUTE_MS } from "../../oee/time.ts";
import { localDate } from "../../oee/zone.ts";
import type { RowFigures } from "../reports/summary/summary.ts";
import { MOST_HAND_OVERS, type Report, type ReportScope, type StopReport } from "./gather.ts";
import { MOST_STOPS } from "./render-csv.ts";
import type { Run } from "./slots.ts";
import { en } from "./texts/en.ts";
import { es } from "./texts/es.ts";

// The texts of a report: for the mail, its plain text and the other channels. Without markup.

export const textsOf = { en, es };
const locales = { en: "en-GB", es: "es-ES" };
const MOST_SHOWN = 5;
/** The most machines with held counts that are named; the others are counted. */
const MOST_HELD = 3;

/** One of the three main numbers. */
interface BigNumber {
  label: string;
  value: string;
  change: string;
  /** Null: no change, or nothing to compare with. */
  isBetter: boolean | null;
}

export interface ReportWords {
  language: "en" | "es";
  subject: string;
  kind: string;
  name: string;
  period: string;
  /** A single line. */
  summary: string;
  numbers: BigNumber[];
  quality: string;
  /** The units that no figure has, because they are held; null: none are. */
  held: string | null;
  machines: { name: string; line: string; words: string; runs: Run[] | null }[];
  notDrawn: string | null;
  /** Times at the start, the middle and the end of the lines. */
  axis: string[];
  legend: Record<Run["status"], string>;
  stopsTitle: string;
  stops: { title: string; words: string; url: string | null }[];
  unclassified: string;
  /** How many of the stops are in the attached file; null: all. */
  notAttached: string | null;
  late: { title: string; words: string }[];
  moreLate: string | null;
  /** What the shift handed over; `by`: who wrote it, and who has read it. */
  handOvers: { title: string; by: string; notes: { topic: string; text: string }[]; watch: string[]; url: string | null }[];
  moreHandOvers: string | null;
  links: { label: string; url: string }[];
  footer: string;
  asOf: string;
  /** The path on the board; begins with a slash. */
  path: string;
  files: typeof en.files;
  titles: Pick<typeof en, "machines" | "legendHint" | "late" | "noLate" | "noStops" | "watch" | "openHandOver">;
}

/**
 * Writes a report in the language of its subscription.
 * @param publicUrl the public address of the service, without a slash at its end; empty: there are no links
 */
export function wordsOf(report: Report, publicUrl: string): ReportWords {
  const { scope, total, before, machines, stops, unclassified, late, held } = report;
  const texts = textsOf[scope.language];
  const form = formats(scope);
  // Without a standard cycle there is no effectiveness, and therefore no OEE.
  const hasOee = (total.idealTime ?? 0) > 0;
  const numbers = numbersOf(texts, form, hasOee, total, before);
  const [main, good, downtime] = numbers as [BigNumber, BigNumber, BigNumber];
  const period = periodOf(scope, form);
  const path = pathOf(scope);
  const link = (to: string) => (publicUrl === "" ? null : publicUrl + to);
  const counted = machines.filter(({ runs }) => runs === null).length;
  const inWords = (figures: RowFigures, count: number) => {
    const [own] = numbersOf(texts, form, hasOee, figures, null);
    const stopCount = texts.stopCount(count, form.whole(count));
    const line = texts.machineLine(
      `${own?.label} ${own?.value}`,
      form.whole(figures.correct ?? 0),
      form.minutes(figures.unavailableTime ?? 0),
      stopCount,
    );
    return isDoubtful(figures) ? `${line} · ${texts.doubtful}` : line;
  };
  return {
    language: scope.language,
    subject: texts.subject(period, `${main.label} ${main.value}`, scope.name),
    kind: texts.kinds[scope.kind],
    name: scope.name,
    period,
    summary: [main, good, downtime].map(({ label, value, change }) => `${label} ${value} (${change})`).join(" · "),
    numbers,
    quality: texts.defects(form.whole(total.defects ?? 0), form.percent(total.quality ?? 0)),
    held: heldWords(held, texts, form),
    machines: machines
      .filter(({ runs }) => runs !== null)
      .map(({ machine, line, figures, stopCount, runs }) => {
        return { name: machine.name, line: line?.name ?? "", words: inWords(figures, stopCount), runs };
      }),
    notDrawn: counted > 0 ? texts.notDrawn(form.whole(counted)) : null,
    axis: axisOf(scope, form),
    legend: texts.legend,
    stopsTitle: report.hasCosts ? texts.costliest : texts.longest,
    stops: stops
      .filter(({ isDowntime }) => isDowntime)
      .slice(0, MOST_SHOWN)
      .map((stop) => ({
        title: `${stop.machine.name}: ${causeOf(stop, texts)}`,
        words: [
          ...(stop.cost === null ? [] : [texts.cost(form.money(stop.cost))]),
          form.minutes(stop.durationMs / MINUTE_MS),
          `${form.moment(stop.start)}–${form.clock(stop.end)}`,
        ].join(" · "),
        url: link(`/desk/day?day=${form.day(stop.start)}&machine=${stop.machine.id}&stop=${stop.id}`),
      })),
    unclassified:
      unclassified === null || unclassified === 0 ? texts.allClassified : texts.unclassified(form.percent(unclassified * 100)),
    notAttached: stops.length > MOST_STOPS ? texts.notAttached(form.whole(MOST_STOPS), form.whole(stops.length)) : null,
    late: late.orders.map((order) => ({
      title: order.name === order.code ? order.code : `${order.code} ${order.name}`,
      words: [
        ...(order.estimatedDeliveryTime === null ? [] : [texts.due(form.moment(Date.parse(order.estimatedDeliveryTime)))]),
        ...(order.expectedAt === null ? [] : [texts.expected(form.moment(Date.parse(order.expectedAt)))]),
        texts.remaining(form.whole(order.remaining)),
      ].join(" · "),
    })),
    moreLate: late.hasMore ? texts.moreLate : null,
    handOvers: report.handOvers.slice(0, MOST_HAND_OVERS).map((one) => handOverWords(one, texts, link)),
    moreHandOvers: report.handOvers.length > MOST_HAND_OVERS ? texts.moreHandOvers : null,
    links:
      publicUrl === ""
        ? []
        : [
            { label: texts.open, url: publicUrl + path },
            { label: texts.classify, url: `${publicUrl}${path.replace("/desk/day", "/desk/losses")}` },
            { label: texts.openOrders, url: `${publicUrl}/desk/orders` },
          ],
    footer: texts.footer(scope.companyName, scope.timezone),
    asOf: texts.asOf(form.moment(report.at)),
    path,
    files: texts.files,
    titles: texts,
  };
}

/** The three main numbers, each with its change. */
function numbersOf(texts: typeof en, form: Formats, hasOee: boolean, total: RowFigures, before: RowFigures | null): BigNumber[] {
  const rate = (figures: RowFigures) => (hasOee ? figures.oee : figures.availability) ?? 0;
  const none = { change: texts.noComparison, isBetter: null };
  const change = (difference: number, written: string, isMoreBetter: boolean) =>
    Math.abs(difference) < 0.05
      ? { change: texts.same, isBetter: null }
      : { change: texts.versus(written), isBetter: difference > 0 === isMoreBetter };
  const points = before && rate(total) - rate(before);
  const made = total.correct ?? 0;
  const madeBefore = before?.correct ?? 0;
  const percent = ((made - madeBefore) / madeBefore) * 100;
  const lost = total.unavailableTime ?? 0;
  const more = before && lost - (before.unavailableTime ?? 0);
  return [
    {
      label: hasOee ? texts.oee : texts.availability,
      value: form.percent(rate(total)),
      ...(points === null ? none : change(points, texts.points(form.signed(points)), true)),
    },
    {
      label: texts.good,
      value: form.whole(made),
      ...(madeBefore > 0 ? change(percent, `${form.signed(percent)} %`, true) : none),
    },
    {
      label: texts.downtime,
      value: form.hours(lost),
      ...(more === null ? none : change(more, `${more < 0 ? "−" : "+"}${form.minutes(Math.abs(more))}`, false)),
    },
  ];
}

function causeOf({ name, generalCause, specificCause }: StopReport, texts: typeof en): string {
  const cause = specificCause?.name ?? generalCause?.name;
  if (cause === undefined) return name === "Stop" ? texts.noCause : `${name}, ${texts.noCause}`;
  return name === cause || name === "Stop" ? cause : `${name} (${cause})`;
}

function heldWords(held: Report["held"], texts: typeof en, form: Formats): string | null {
  if (held.length === 0) return null;
  const named = held.slice(0, MOST_HELD).map(({ machine, units }) => texts.heldAt(machine.name, form.whole(units)));
  const rest = held.length - named.length;
  return texts.held([...named, ...(rest > 0 ? [texts.heldMore(form.whole(rest))] : [])].join(", "));
}

function handOverWords(one: Report["handOvers"][number], texts: typeof en, link: (to: string) => string | null) {
  const { shiftId, date, lineId, lineName, notes, watch, writtenByName, acknowledgedByName } = one;
  const topics = Object.keys(texts.topics) as (keyof typeof texts.topics)[];
  return {
    title: lineId === 0 ? texts.handOver : texts.handOverOf(lineName ?? ""),
    by: `${texts.writtenBy(writtenByName)} · ${acknowledgedByName === null ? texts.notRead : texts.readBy(acknowledgedByName)}`,
    notes: topics.flatMap((topic) => (notes[topic] === null ? [] : [{ topic: texts.topics[topic], text: notes[topic] }])),
    watch,
    url: link(`/desk/handover?day=${date}${lineId === 0 ? "" : `&line=${lineId}`}&shift=${shiftId}`),
  };
}

type Formats = ReturnType<typeof formats>;

function formats({ language, timezone }: Pick<ReportScope, "language" | "timezone">) {
  const locale = locales[language];
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, useGrouping: "always" as never });
  const tenth = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: "always" });
  const date = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone: timezone, ...options });
  const clock = date({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const moment = date({ weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const longDay = date({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const shortDay = date({ weekday: "short", day: "numeric", month: "short" });
  return {
    whole: (value: number) => whole.format(value),
    percent: (value: number) => `${tenth.format(value)} %`,
    signed: (value: number) => signed.format(value).replace("-", "−"),
    money: (value: number) => whole.format(value),
    minutes: (minutes: number) => {
      const rounded = Math.round(minutes);
      const [hours, rest] = [Math.floor(rounded / 60), rounded % 60];
      if (hours === 0) return `${rest} min`;
      return `${whole.format(hours)} h${rest === 0 ? "" : ` ${String(rest).padStart(2, "0")} min`}`;
    },
    /** Short, for one of three columns on a phone. */
    hours: (minutes: number) => {
      const rounded = Math.round(minutes);
      if (rounded < 60) return `${rounded} min`;
      return `${whole.format(Math.floor(rounded / 60))}:${String(rounded % 60).padStart(2, "0")} h`;
    },
    clock: (at: number) => clock.format(at),
    moment: (at: number) => moment.format(at),
    longDay: (at: number) => longDay.format(at),
    shortDay: (at: number) => shortDay.format(at),
    /** `YYYY-MM-DD` */
    day: (at: number) => localDate(timezone, at),
  };
}

function periodOf({ kind, shift, period }: ReportScope, form: Formats): string {
  const { start, end } = period;
  if (kind === "daily") return capital(form.longDay(start));
  if (kind === "weekly") return capital(`${form.shortDay(start)} – ${form.shortDay(end - 1)}`);
  return `${shift?.name ?? ""}, ${form.shortDay(start)}, ${form.clock(start)}–${form.clock(end)}`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function axisOf({ kind, period }: ReportScope, form: Formats): string[] {
  const middle = (period.start + period.end) / 2;
  const name = kind === "weekly" ? form.shortDay : form.clock;
  return [name(period.start), name(middle), name(kind === "weekly" ? period.end - 1 : period.end)];
}

/** The path of the period's days on the board; if the report covers one machine or line, only of that. */
function pathOf({ timezone, language, kind, period, machineIds, lineIds }: ReportScope): string {
  const form = formats({ language, timezone });
  const last: Interval["end"] = kind === "shift" ? period.start : Math.max(period.start, period.end - DAY_MS / 2);
  const query = new URLSearchParams({ day: form.day(last) });
  if (machineIds?.length === 1) query.set("machine", String(machineIds[0]));
  if (lineIds?.length === 1) query.set("line", String(lineIds[0]));
  if (kind === "weekly") query.set("span", "week");
  return `/desk/day?${query}`;
}
