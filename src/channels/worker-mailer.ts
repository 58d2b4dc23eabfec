import type { WorkerMailer } from "worker-mailer";

/**
 * The SMTP library, with its one fault mended: if a server hangs up in the middle, worker-mailer 1.2.1 keeps reading forever without a pause,
 * and nothing else in the isolate would run again. `test/checks/worker-mailer.test.ts` fails when another version of it is installed.
 *
 * Loaded on demand, because the OpenAPI document is also generated where there are no sockets.
 */
export async function loadWorkerMailer(): Promise<typeof WorkerMailer> {
  const { WorkerMailer: mailer } = await import("worker-mailer");
  Object.assign(mailer.prototype, { read: readResponse });
  return mailer;
}

/** Reads one response of the server. It may have several lines: in all but the last a minus follows the code. */
export async function readResponse(this: { reader: ReadableStreamDefaultReader<Uint8Array> }): Promise<string> {
  const decoder = new TextDecoder();
  for (let response = ""; ; ) {
    const { value, done } = await this.reader.read();
    if (done) throw new Error("the server hung up");
    response += decoder.decode(value, { stream: true });
    if (/(^|\n)\d{3}(?!-)[^\n]*\n$/.test(response)) return response;
  }
}
