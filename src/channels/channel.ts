import type { Db } from "../db/client.ts";
import type { CallResult } from "./call-out.ts";
import type { Text } from "./texts/kinds.ts";

/** A message in words, ready to be sent. */
export interface Outgoing {
  /** Of the message: the same one each time it is tried. */
  id: string;
  companyId: number;
  text: Text;
  language: "en" | "es";
  /** Where to look on the board; null: the service does not know its own address (PUBLIC_URL). */
  url: string | null;
  openLink: string;
  /** The mail of a report, which is more than its text. */
  mail?: { html: string; text: string; attachments: { name: string; type: string; content: string }[] };
}

/** The result of an attempt. */
export type Outcome =
  | { isSent: true }
  /** `isFinal`: another attempt would fail as well. `isGone`: the contact no longer exists and must be deleted. */
  | { isSent: false; reason: string; isFinal: boolean; isGone?: boolean };

export interface Channel {
  /** The names of the variables and secrets that it lacks; none: it is on. */
  missing(env: Env): string[];
  /**
   * Sends a message, and waits for what the other side says. Does not throw for what the other side does.
   * @param to the address as this channel has it: a user's id, an e-mail address, a telephone number, a push subscription, a webhook's URL
   */
  send(context: { env: Env; db: Db }, to: string, message: Outgoing): Promise<Outcome>;
}

export const sent: Outcome = { isSent: true };

/** A failure that may pass: the message is tried again. */
export const failed = (reason: string): Outcome => ({ isSent: false, reason, isFinal: false });

/** A failure that will not pass: the message has failed. */
export const refused = (reason: string): Outcome => ({ isSent: false, reason, isFinal: true });

/** What an answer by HTTP means: those that say "later" are tried again. */
export function outcomeOf(answer: CallResult): Outcome {
  if (answer.error !== undefined) return failed(answer.error);
  const { status, text } = answer;
  if (status >= 200 && status < 300) return sent;
  const reason = `answer ${status}: ${text.replace(/\s+/g, " ").slice(0, 200)}`;
  return status === 408 || status === 429 || status >= 500 ? failed(reason) : refused(reason);
}

/** The names of those settings that are empty. */
export function emptyOf<T extends object>(settings: T, names: readonly (keyof T & string)[]): string[] {
  return names.filter((name) => settings[name] === "");
}
