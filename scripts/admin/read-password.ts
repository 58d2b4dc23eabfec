import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { commonPasswordKey, guessableText, isGuessable, newPassword, type PasswordOwner } from "../../src/core/password-rule.ts";

/**
 * A password from the prompt or from standard input, or a generated one if that is empty. Throws if it is not suitable for its owner.
 * @param isCommon whether the list of the most common passwords contains this key
 */
export async function readPassword(
  owner: PasswordOwner,
  isCommon: (key: number) => Promise<boolean>,
): Promise<{ text: string; isMade: boolean }> {
  const read = process.stdin.isTTY ? await ask() : (await text(process.stdin)).replace(/\r?\n$/, "");
  if (read === "") return { text: randomBytes(18).toString("base64url"), isMade: true };
  const { error } = newPassword.safeParse(read);
  if (error) throw new Error(`The password ${error.issues.map(({ message }) => message).join(" and ")}.`);
  if (await isCommon(commonPasswordKey(read))) throw new Error("The password is one of the most common passwords.");
  if (isGuessable(read, owner)) throw new Error(`The password ${guessableText}.`);
  return { text: read, isMade: false };
}

/** Prompts twice without showing the input. */
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
