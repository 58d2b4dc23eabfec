import { type AlertKind, type L10n, OLD_SHORT_STOPS } from "../../db/values.ts";

/** The variables of an alert. Percentages are 0 to 100; times are epoch ms. */
export interface AlertParams {
  ruleName: string;
  kind: AlertKind;
  /** Null if it does not concern a single machine. */
  machineName: string | null;
  lineName: string | null;
  /** The silent gateway; null if it concerns none. Undefined in messages from before this was stored. */
  nodeId?: number | null;
  /** The gateway whose reports the rule is about; null: another kind of rule. Undefined in messages from before this was stored. */
  gatewayName?: string | null;
  /** The affected machines of the silent gateway, as known when the message is sent: their number and the first names. */
  machines?: { count: number; names: readonly string[] };
  /** How long the condition has lasted, or lasted; for `order_late`, how late the order is expected. */
  minutes: number | null;
  cause: string | null;
  /** What a call for help says; null: nothing, or it is another alert. Undefined in messages from before this was stored. */
  message?: string | null;
  /** The measured value: short stops in an hour, or a percentage of `oee`, `availability` or `defects`. */
  value: number | null;
  /** The limit of the rule, in the same unit. */
  threshold: number | null;
  since: number;
  incidentId: string;
  /** The rule's own text, with variables (template.ts); null: the usual text. */
  custom: L10n | null;
}

/**
 * A report is made once, in the language of its subscription. Its mail, with attachments, is read by `findReportMail`
 * (src/channels/report-mail.ts) when it is sent.
 */
interface ReportParams {
  logId: string;
  title: string;
  /** A few sentences for channels without mail. */
  summary: string;
  /** Its path on the board, with a leading slash. */
  path: string;
  /** For the link by which a reader leaves it. Undefined in messages from before there was one. */
  leave?: { subscriptionId: string; language: "en" | "es" };
}

/** The stored variables of each kind of message. */
export interface MessageParams {
  alert_opened: AlertParams;
  alert_escalated: AlertParams;
  alert_resolved: AlertParams;
  /** `failingSince` is null if the receiver answered that it is gone permanently. */
  webhook_paused: { description: string; url: string; failingSince: number | null };
  /** Messages in a digest; of many, only the first are listed. */
  digest: { count: number; items: Listed[] };
  test: Record<string, never>;
  report: ReportParams;
}
export type MessageKind = keyof MessageParams;

/** Kinds that become part of a digest outside the persona's hours, or beyond the hourly limit. Messages of other kinds are held one by one. */
export const digestKinds = ["alert_opened", "alert_escalated", "alert_resolved", "webhook_paused"] as const;
type DigestKind = (typeof digestKinds)[number];

/** A message in a digest. */
export type Listed = { [Kind in DigestKind]: { kind: Kind; params: MessageParams[Kind] } }[DigestKind];

/** The kind of an alert, whichever version planned its message. */
export function kindOf({ kind }: AlertParams): AlertKind {
  return (kind as string) === OLD_SHORT_STOPS ? "short_stops" : kind;
}

/** The names of the machines behind a silent gateway and how many more there are; null if it concerns only one machine. */
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

/** A rendered message: `body` is plain text of one or more lines. */
export interface Text {
  title: string;
  body: string;
}

/** The stored form of a message: its kind, and the values for its text. */
export type MessageContent = { [Kind in MessageKind]: { kind: Kind; params: MessageParams[Kind] } }[MessageKind];

/** Formats times in the plant's time zone. */
export type FormatTime = (at: number) => string;

/** The texts of a language: one for each kind except the report. A digest gets its messages as lines. */
export type Texts = {
  readonly [Kind in Exclude<MessageKind, "digest" | "report">]: (params: MessageParams[Kind], time: FormatTime) => Text;
} & {
  readonly digest: (params: { count: number; lines: readonly string[] }) => Text;
  readonly openLink: string;
  readonly machines: (params: AlertParams) => string | null;
};
