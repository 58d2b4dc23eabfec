import { invalid, type Problem } from "./problem.ts";

/**
 * The text of bytes in UTF-8, without a byte order mark.
 * @throws Problem 400 if they are in another encoding, which it names as far as it can be recognised
 */
export function utf8Text(bytes: ArrayBuffer): string {
  if (isUtf16(new Uint8Array(bytes))) throw notUtf8('It seems to be UTF-16, which spreadsheets call "Unicode text".');
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw notUtf8(
      'It seems to be Windows-1252 or another encoding of one byte per letter, which spreadsheets call "CSV" or "ANSI".',
    );
  }
}

/** UTF-16 has a byte order mark or, in a text that begins with a letter of ASCII, a zero byte. */
function isUtf16([first, second]: Uint8Array): boolean {
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return hasMark || first === 0 || second === 0;
}

function notUtf8(guess: string): Problem {
  return invalid([{ pointer: "", code: "malformed_utf8", message: `is not UTF-8. ${guess} Save it as "CSV UTF-8"` }]);
}
