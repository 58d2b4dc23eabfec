import { callOut } from "./call-out.ts";
import { webhookHeaders } from "./sign-webhook.ts";

const ANSWER_BYTES = 1024;

/** The result of a webhook call. */
export interface WebhookCall {
  durationMs: number;
  /** The status of the answer; null if there was none. */
  status: number | null;
  /** The first 1,024 bytes of the answer. */
  answer: string;
  /** The reason why it failed; null if it succeeded. */
  error: string | null;
}

/**
 * Calls the receiver of a webhook, with a Standard Webhooks signature. Any 2xx is a success. Never throws.
 * @param secrets each signs the call
 * @param message its id, the time of sending (epoch ms), and its JSON
 */
export async function callWebhook(
  env: Env,
  url: string,
  secrets: readonly string[],
  message: { id: string; at: number; body: string },
): Promise<WebhookCall> {
  const headers = webhookHeaders(secrets, message);
  const called = await callOut(env, { url, method: "POST", headers, body: message.body });
  const { status = null, durationMs } = called;
  if (called.error !== undefined) return { durationMs, status, answer: "", error: called.error };
  const isDone = called.status >= 200 && called.status < 300;
  return { durationMs, status, answer: beginningOf(called.text), error: isDone ? null : `answered ${called.status}` };
}

function beginningOf(text: string): string {
  const bytes = new TextEncoder().encode(text.slice(0, ANSWER_BYTES).replaceAll("\0", "")).subarray(0, ANSWER_BYTES);
  // A character that was cut in half is dropped.
  return new TextDecoder().decode(bytes, { stream: true });
}
