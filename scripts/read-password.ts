import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";

const minLength = 15;
const maxLength = 1024;

/** A password from the prompt or from standard input, or a made one where that is empty. Throws on a short or long one. */
export async function readPassword(): Promise<{ text: string; isMade: boolean }> {
  const read = process.stdin.isTTY ? await ask() : (await text(process.stdin)).replace(/\r?\n$/, "");
  if (read === "") return { text: randomBytes(18).toString("base64url"), isMade: true };
  if (read.length < minLength || read.length > maxLength) {
    throw new Error(`A password has ${minLength} to ${maxLength} characters.`);
  }
  return { text: read, isMade: false };
}

/** Asks twice without showing what is typed. */
async function ask(): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silence, terminal: true });
  lines.once("SIGINT", () => process.exit(130));
  const answers: string[] = [];
  for (const prompt of ["Password (empty: make one): ", "Once more: "]) {
    process.stderr.write(prompt);
    answers.push(await lines.question(""));
    process.stderr.write("\n");
    if (answers[0] === "") break;
  }
  lines.close();
  if (answers.length === 2 && answers[0] !== answers[1]) throw new Error("The two passwords differ.");
  return answers[0] ?? "";
}
