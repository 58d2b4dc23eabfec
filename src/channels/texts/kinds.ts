import type { AlertKind, L10n } from "../../db/values.ts";

/** What an alert says. Percentages are 0 to 100; times epoch ms. */
export interface AlertParams {
  ruleName: string;
  kind: AlertKind;
  /** Null: it is about no single machine. */
  machineName: string | null;
  lineName: string | null;
  /** The silent gateway; null: it is about none. Messages from before it was kept have none. */
  nodeId?: number | null;
  /** The machines of that gateway that it is or was about, as known when the message is sent: how many, and the first names. */
  machines?: { count: number; names: readonly string[] };
  /** How long what it is about has lasted, or lasted; for `order_late`, how late the order is expected. */
  minutes: number | null;
  cause: string | null;
  /** What was measured: short stops in an hour, or a percentage of `oee`, `availability` or `defects`. */
  value: number | null;
  /** What the rule allows, in the same unit. */
  threshold: number | null;
  since: number;
  incidentId: string;
  /** What the rule says instead, with variables (template.ts); null: the usual text. */
  custom: L10n | null;
}

/**
 * A report is made once, in the language of its subscription. Its mail, with what is attached, is read by `findReportMail`
 * (src/channels/report-mail.ts) when it is sent.
 */
export interface ReportParams {
  logId: string;
  title: string;
  /** A few sentences for channels without mail. */
  summary: string;
  /** Where on the board it is; begins with a slash. */
  path: string;
}

/** Of each kind of message its variables, as they are stored. */
export interface MessageParams {
  alert_opened: AlertParams;
  alert_escalated: AlertParams;
  alert_resolved: AlertParams;
  /** `failingSince` is null when the receiver said that it is gone for good. */
  webhook_paused: { description: string; url: string; failingSince: number | null };
  /** Messages that came together; of many, only the first are listed. */
  digest: { count: number; items: Listed[] };
  test: Record<string, never>;
  report: ReportParams;
}
export type MessageKind = keyof MessageParams;

/** Kinds that become part of a digest outside the persona's hours, or beyond the hourly limit. Messages of other kinds are held one by one. */
export const foldedKinds = ["alert_opened", "alert_escalated", "alert_resolved", "webhook_paused"] as const;
export type FoldedKind = (typeof foldedKinds)[number];

/** A message in a digest. */
export type Listed = { [Kind in FoldedKind]: { kind: Kind; params: MessageParams[Kind] } }[FoldedKind];

/** The names of the machines behind a silent gateway and how many more there are; null: it is about one machine alone. */
export function listMachines({ machines }: AlertParams, locale: string, more: (count: number) => string): string | null {
  if (!machines || machines.count < 2) return null;
  const { count, names } = machines;
  const rest = count > names.length ? [more(count - names.length)] : [];
  return new Intl.ListFormat(locale).format([...names, ...rest]);
}

/** The lines of a text, without the missing ones. */
export function linesOf(...lines: readonly (string | null)[]): string {
  return lines.filter((line) => line !== null).join("\n");
}

/** A message in words: `body` is plain text, of one or more lines. */
export interface Text {
  title: string;
  body: string;
}

/** A message as it is stored: its kind, and the values that its text is made from. */
export type Told = { [Kind in MessageKind]: { kind: Kind; params: MessageParams[Kind] } }[MessageKind];

/** How times are written where the plant is. */
export type TellTime = (at: number) => string;

/** The texts of a language: one for each kind but the report. A digest gets its messages as lines. */
export type Texts = {
  readonly [Kind in Exclude<MessageKind, "digest" | "report">]: (params: MessageParams[Kind], time: TellTime) => Text;
} & {
  readonly digest: (params: { count: number; lines: readonly string[] }) => Text;
  readonly openLink: string;
  readonly machines: (params: AlertParams) => string | null;
};
