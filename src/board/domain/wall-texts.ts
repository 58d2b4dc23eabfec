// How the texts of a wall share a line. Widths are estimates, so that no text has to be measured: they decide only whether one more text is shown.

const DIGIT = 0.5;
const NARROW = 0.27;
const WIDE = 0.62;
const USUAL = 0.47;

/** About the width of a text in the wall's face, in font sizes. */
export function emsOf(text: string): number {
  let ems = 0;
  for (const letter of text) {
    if (/\d/.test(letter)) ems += DIGIT;
    else if (/[\s.,:;·'|!ijltfrIJ()/]/.test(letter)) ems += NARROW;
    else ems += /[\p{Lu}mw%…]/u.test(letter) ? WIDE : USUAL;
  }
  return ems;
}

/** The most letters of a name's end that are never cut. */
const LONGEST_END = 9;

/**
 * A machine's name in two parts. Where the name does not fit, the first part is cut, because names of one plant differ at their ends:
 * "Spri…740/220". The second one is the last word, or the end of it.
 */
export function nameParts(name: string): [head: string, tail: string] {
  const trimmed = name.trim();
  const space = trimmed.lastIndexOf(" ");
  const last = trimmed.slice(space + 1);
  // A short word alone always fits.
  if (space < 0 && last.length <= 6) return [trimmed, ""];
  const length = last.length <= LONGEST_END && space >= 0 ? last.length + 1 : Math.min(6, Math.ceil(last.length / 2));
  return [trimmed.slice(0, trimmed.length - length), trimmed.slice(trimmed.length - length)];
}
