import type { CompanyDb } from "../db/client.ts";
import type { CallResult } from "./call-out.ts";
import type { Text } from "./texts/kinds.ts";

/** A rendered message, ready to be sent. */
export interface Outgoing {
  /** The id of the message: the same for each attempt. */
  id: string;
  companyId: number;
  text: Text;
  language: "en" | "es";
  /** The page of the board to open; null if the service does not know its own address (PUBLIC_URL). */
  url: string | null;
  openLink: string;
  /** The mail of a report, which contains more than its text. */
  mail?: { html: string; text: string; attachments: { name: string; type: string; content: string }[] };
  /** The link by which its reader leaves a report. */
  leaveLink?: string;
}

/** The result of an attempt. */
export type Outcome =
  | { isSent: true }
  /** `isFinal`: another attempt would fail as well. `isGone`: the contact no longer exists and must be deleted. */
  | { isSent: false; reason: string; isFinal: boolean; isGone?: boolean };

export interface Channel {
  /** The names of the variables and secrets that are not set; if empty, the channel is on. */
  missing(env: Env): string[];
  /**
   * Sends a message and waits for the answer of the other side. Does not throw for failures of the other side.
   * @param to the address as this channel uses it: a user's id, an e-mail address, a telephone number, a push subscription, a webhook's URL
   */
  send(context: { env: Env; db: CompanyDb }, to: string, message: Outgoing): Promise<Outcome>;
}

export const sent: Outcome = { isSent: true };

/** A temporary failure: the message is tried again. */
export const failed = (reason: string): Outcome => ({ isSent: false, reason, isFinal: false });

/** A permanent failure: the message has failed. */
export const refused = (reason: string): Outcome => ({ isSent: false, reason, isFinal: true });

/** The result of an attempt by its HTTP answer: those that mean "later" are tried again. */
export function outcomeOf(answer: CallResult): Outcome {
  if (answer.error !== undefined) return failed(answer.error);
  const { status, text } = answer;
  if (status >= 200 && status < 300) return sent;
  const reason = `answer ${status}: ${text.replace(/\s+/g, " ").slice(0, 200)}`;
  return status === 408 || status === 429 || status >= 500 ? failed(reason) : refused(reason);
}

/** The names of the settings that are empty. */
export function emptyOf<T extends object>(settings: T, names: readonly (keyof T & string)[]): string[] {
  return names.filter((name) => settings[name] === "");
}
