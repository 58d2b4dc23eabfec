// These functions run in the page: each must contain all that it needs.

/** Texts that lie over each other. A text that something opaque covers, such as a dialog, is not there to be read. */
export function overlappingTexts(): string[] {
  interface Piece {
    node: Text;
    box: DOMRect;
  }
  /** The part of a box that its clipping ancestors show. */
  const visible = (node: Text, box: DOMRect): DOMRect | null => {
    let [left, top, right, bottom] = [Math.max(0, box.left), Math.max(0, box.top), box.right, box.bottom];
    for (let one = node.parentElement; one; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.visibility === "hidden" || style.opacity === "0" || style.clipPath !== "none" || style.clip !== "auto")
        return null;
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const clip = one.getBoundingClientRect();
      [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
      [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
    }
    return right - left > 1 && bottom - top > 1 ? new DOMRect(left, top, right - left, bottom - top) : null;
  };
  /** Whether an element hides what is beneath it, up to an ancestor that it shares with the other one. */
  const covers = (node: Text, other: Text): boolean => {
    for (let one = node.parentElement; one && !one.contains(other); one = one.parentElement) {
      const { position, backgroundColor } = getComputedStyle(one);
      if (position === "fixed" || position === "sticky") return true;
      if (position === "absolute" && !/, 0\)$|transparent/.test(backgroundColor)) return true;
    }
    return false;
  };
  const isOver = (a: DOMRect, b: DOMRect): boolean =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5;
  const isText = (node: Text): boolean =>
    node.data.trim() !== "" && !node.parentElement?.closest("script, style, option, noscript");
  const pieces: Piece[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
    if (!isText(node)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, top, width, height } of range.getClientRects()) {
      // A line of a font is higher than its capitals, which may be all that is in it.
      const box = visible(node, new DOMRect(left, top + 0.25 * height, width, 0.55 * height));
      if (box) pieces.push({ node, box });
    }
  }
  pieces.sort((a, b) => a.box.top - b.box.top);
  const found = new Set<string>();
  for (const [i, a] of pieces.entries()) {
    for (const b of pieces.slice(i + 1)) {
      if (b.box.top >= a.box.bottom) break;
      if (a.node === b.node || !isOver(a.box, b.box) || covers(a.node, b.node) || covers(b.node, a.node)) continue;
      found.add(`"${a.node.data.trim().slice(0, 40)}" lies over "${b.node.data.trim().slice(0, 40)}"`);
    }
  }
  return [...found];
}

/** Words that are cut into two lines though they are short. Only what is longer than a line, such as a code, may be. */
export function cutWords(): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
    const parent = node.parentElement;
    if (!parent || parent.closest("script, style, option, noscript, svg, pre, code")) continue;
    const range = document.createRange();
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
      if (word.length > 20) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(`${parent.tagName.toLowerCase()}.${parent.getAttribute("class")}: the word ${word} is cut`);
    }
  }
  return found;
}

/** A blank part at the end of a page, larger than a margin: something that is not seen makes it longer. */
export function blankEnd(): string[] {
  const { scrollHeight, clientHeight } = document.documentElement;
  if (scrollHeight <= clientHeight) return [];
  const isSeen = (one: Element) => {
    for (let above: Element | null = one; above; above = above.parentElement) {
      const { clip, clipPath, visibility } = getComputedStyle(above);
      if (clip !== "auto" || clipPath !== "none" || visibility === "hidden") return false;
    }
    return true;
  };
  const lowest = [...document.querySelectorAll("body *")]
    .filter(isSeen)
    .reduce((most, one) => Math.max(most, one.getBoundingClientRect().bottom + scrollY), 0);
  const blank = Math.round(scrollHeight - lowest);
  return blank > 100 ? [`the last ${blank} of ${scrollHeight} px are blank`] : [];
}

/** Boxes that a computer's screen would have room for, and that nevertheless must be scrolled sideways. On phones and in code that is fine. */
export function sidewaysBoxes(): string[] {
  if (innerWidth < 1000) return [];
  return [...document.querySelectorAll("body *")]
    .filter((one) => !one.matches("pre, textarea") && /auto|scroll/.test(getComputedStyle(one).overflowX))
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute("class")}: ${one.scrollWidth} px wide in ${one.clientWidth}`);
}

/**
 * Runs in the page: the sizes of its texts, if there are more than six, each with a text that has it. The wall's follow from the distance at which
 * they are read; those of drawings from the drawing.
 */
export function manySizes(): string[] {
  if (location.pathname.startsWith("/wall")) return [];
  const found = new Map<string, string>();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const element = node.parentElement;
    const text = node.nodeValue?.trim();
    if (!element || !text || element.closest("script, style, noscript, svg, .unseen")) continue;
    if (element.getClientRects().length > 0) found.set(getComputedStyle(element).fontSize, text);
  }
  return found.size > 6 ? [...found].map(([size, text]) => `${size}: ${text}`) : [];
}
