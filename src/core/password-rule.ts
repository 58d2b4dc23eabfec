import { createHash } from "node:crypto";
import { multilineText } from "./inputs.ts";

const minLength = 15;
const maxLength = 128;
const minUnguessable = 8;

/** A new password: 15 to 128 characters of any kind. */
export const newPassword = multilineText(1024)
  .refine(hasLength, `must have ${minLength} to ${maxLength} characters`)
  .openapi({
    description: `Write only. ${minLength} to ${maxLength} characters of any kind (Unicode code points, normalised by NFKC), none of the
most common passwords, and at least ${minUnguessable} characters that are no part of names, e-mail address, company, common words, repeats and sequences`,
    format: "password",
  });

/** The owner of a new password: names that others would try first. */
export interface PasswordOwner {
  email: string;
  name: string;
  company: string;
}

// Keyboard rows in each direction, the alphabet, the digits: three neighbouring characters of one of them are easy to guess.
const rows = `abcdefghijklmnopqrstuvwxyz 01234567890 qwertyuiop asdfghjkl zxcvbnm qwertzuiop yxcvbnm azertyuiop qsdfghjklm wxcvbn
1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p q1w2e3r4t5y6u7i8o9p0 1q2w3e4r5t6y7u8i9o0p йцукенгшщзхъ фывапролджэ ячсмитьбю`.split(/\s/);
const steps = new Set([...rows, ...rows.map(reversed)].flatMap((row) => [...row].slice(2).map((_, i) => row.slice(i, i + 3))));

const commonWords = `andon password passwort passwd contrasena motdepasse senha parola secret admin administrator root guest
login welcome hello letmein iloveyou changeme changeit default master access company dragon monkey football baseball superman batman
princess sunshine spring summer autumn winter`.split(/\s+/);
/** Classes of characters that people substitute for each other: each is compared as the first of its class. */
const lookalikes = new Map(["a@4", "e3", "il1!", "o0", "s$5", "t7"].flatMap((like) => [...like].map((one) => [one, like[0]])));

/** What is wrong with a guessable password. */
export const guessableText = "is easy to guess: it is little more than names, common words, repeats or sequences";

/** True if little is left of a password without its owner's names, common words, repeats and sequences. */
export function isGuessable(password: string, { email, name, company }: PasswordOwner): boolean {
  // The last part of an address, such as com, belongs to everyone.
  const names = folded(`${email.replace(/\.[^.]*$/, "")} ${name} ${company}`).split(/[^\p{L}\p{N}]+/u);
  const words = [...names.filter((one) => one.length > 2), ...commonWords].sort((a, b) => b.length - a.length);
  const chunk = repeatedChunk([
    ...folded(password)
      .replaceAll(folded(email), "")
      .replaceAll(/[\s._-]/g, ""),
  ]);
  const rest = withoutWords(chunk, words).replaceAll(/(19|20)\d\d/g, " ");
  return withoutSequences(withoutRepeats(rest)) < minUnguessable;
}

/** The key of a password in the list of the most common ones, regardless of case. */
export function commonPasswordKey(password: string): number {
  return createHash("sha256").update(password.normalize("NFKC").toLowerCase()).digest().readUIntBE(0, 5);
}

function hasLength(password: string): boolean {
  const { length } = [...password.normalize("NFKC")];
  return length >= minLength && length <= maxLength;
}

function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}

/** Consecutive characters of one class of look-alikes. */
interface Run {
  like: string;
  text: string;
}

function runsOf(letters: Iterable<string>): Run[] {
  const runs: Run[] = [];
  for (const letter of letters) {
    const like = lookalikes.get(letter) ?? letter;
    const last = runs.at(-1);
    if (last?.like === like) last.text += letter;
    else runs.push({ like, text: letter });
  }
  return runs;
}

/**
 * The text with its words replaced by blanks, even if their letters are repeated or replaced by digits and signs. It compares run by run
 * without backtracking, so its time is bounded by the lengths.
 */
function withoutWords(text: string, words: readonly string[]): string {
  const runs = runsOf(text);
  const covered = new Set<number>();
  for (const word of words) {
    const wanted = runsOf(withoutRepeats(word));
    const isAt = (at: number) =>
      wanted.every(({ like, text: least }, i) => {
        const run = runs[at + i];
        return run?.like === like && run.text.length >= least.length && !covered.has(at + i);
      });
    for (let at = 0; at + wanted.length <= runs.length; at++) {
      if (isAt(at)) for (const i of wanted.keys()) covered.add(at + i);
    }
  }
  return runs.map((run, i) => (covered.has(i) ? " " : run.text)).join("");
}

function withoutRepeats(text: string): string {
  const letters = [...text];
  return letters.filter((letter, i) => letter !== letters[i - 1]).join("");
}

/** The shortest part that the text repeats; the text itself if it does not repeat anything. */
function repeatedChunk(letters: string[]): string {
  const isPeriod = (period: number) => letters.every((letter, i) => i < period || letter === letters[i - period]);
  const period = letters.findIndex((_, i) => i > 0 && i <= letters.length / 2 && isPeriod(i));
  return letters.slice(0, period > 0 ? period : letters.length).join("");
}

/** The number of characters outside of sequences, without blanks. */
function withoutSequences(text: string): number {
  const letters = [...text];
  const isIn = (i: number) => [i - 2, i - 1, i].some((from) => steps.has(letters.slice(Math.max(from, 0), from + 3).join("")));
  return letters.filter((letter, i) => letter !== " " && !isIn(i)).length;
}
