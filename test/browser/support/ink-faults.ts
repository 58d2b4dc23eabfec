// These functions run in the page: each must contain all that it needs.

/**
 * Texts that can hardly be read: with less contrast to what is behind them than 4.5, or 3 for large ones (WCAG 1.4.3).
 * Unlike axe it sees texts in drawings, too. A text over a pattern is left out.
 * @param least the contrast that all texts must have instead, whatever their size
 */
export function faintTexts(least?: number): string[] {
  type Colour = [red: number, green: number, blue: number, alpha: number];
  const colourOf = (text: string): Colour | null => {
    const found = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
    return found ? [Number(found[1]), Number(found[2]), Number(found[3]), Number(found[4] ?? 1)] : null;
  };
  const over = ([r, g, b, a]: Colour, [x, y, z]: Colour): Colour => {
    return [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  };
  const lightOf = (value: number) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]: Colour) => 0.2126 * lightOf(r) + 0.7152 * lightOf(g) + 0.0722 * lightOf(b);
  const contrast = (a: Colour, b: Colour) => {
    const [low, high] = [Math.min(light(a), light(b)), Math.max(light(a), light(b))];
    return (high + 0.05) / (low + 0.05);
  };
  /** What an element paints at each of its points. "pattern": not the same at all of them. */
  const paintOf = (one: Element): Colour | null | "pattern" => {
    const { fill, fillOpacity, opacity, backgroundColor, backgroundImage } = getComputedStyle(one);
    if (!(one instanceof SVGElement)) return backgroundImage.includes("url(") ? "pattern" : colourOf(backgroundColor);
    if (!(one instanceof SVGGeometryElement)) return null;
    if (fill.startsWith("url(")) return "pattern";
    const [r = 0, g = 0, b = 0, a = 0] = colourOf(fill) ?? [];
    return [r, g, b, a * Number(fillOpacity) * Number(opacity)];
  };
  /** The colour behind a text at a point; null: a pattern, or the text is not at this point. */
  const groundOf = (text: Element, x: number, y: number): Colour | null => {
    const stack = document.elementsFromPoint(x, y);
    const paints = stack.slice(stack.indexOf(text)).map(paintOf);
    if (!stack.includes(text) || paints.includes("pattern")) return null;
    return paints.reduceRight<Colour>(
      (ground, paint) => {
        return paint === null || paint === "pattern" ? ground : over(paint, ground);
      },
      [255, 255, 255, 1],
    );
  };
  const opacityOf = (of: Element): number => {
    let opacity = 1;
    for (let one: Element | null = of; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity);
    return opacity;
  };
  const sizeOf = (one: Element): number => {
    const scale = one instanceof SVGGraphicsElement ? (one.getScreenCTM()?.d ?? 1) : 1;
    return Number.parseFloat(getComputedStyle(one).fontSize) * scale;
  };
  const faultOf = (parent: Element, box: DOMRect): string | null => {
    const size = sizeOf(parent);
    const style = getComputedStyle(parent);
    const ink = colourOf(parent instanceof SVGElement ? style.fill : style.color);
    const ground = groundOf(parent, box.left + box.width / 2, box.top + box.height / 2);
    if (!ink || !ground) return null;
    const seen = over([ink[0], ink[1], ink[2], ink[3] * opacityOf(parent)], ground);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const measured = contrast(seen, ground);
    return measured < (least ?? (isLarge ? 3 : 4.5)) ? `contrast ${measured.toFixed(2)}` : null;
  };
  /** The first line of a text, scrolled into view. */
  const boxOf = (node: Text): DOMRect | undefined => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getClientRects()[0];
    if (!box || (box.top >= 0 && box.bottom <= innerHeight)) return box;
    node.parentElement?.scrollIntoView({ block: "center" });
    return range.getClientRects()[0];
  };
  // Also what lets taps through is there to be seen.
  const sheet = new CSSStyleSheet();
  sheet.insertRule("* { pointer-events: auto !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const [left, top] = [scrollX, scrollY];
  const found = new Set<string>();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
    const parent = node.parentElement;
    const isLeftOut = parent?.closest("script, style, option, noscript, :disabled, [aria-disabled=true]");
    if (!parent || isLeftOut || !/[\p{L}\p{N}]/u.test(node.data)) continue;
    const box = boxOf(node);
    const fault = box && box.width > 1 && box.height > 1 ? faultOf(parent, box) : null;
    if (fault) {
      const place = `${parent.tagName.toLowerCase()}.${parent.getAttribute("class")}`;
      found.add(`"${node.data.trim().slice(0, 40)}" in ${place}: ${fault}`);
    }
  }
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  scrollTo(left, top);
  return [...found];
}

/** Amounts of money that a page shows in more than one format, by the place of their sign and their decimals. */
export function moneyFormats(): string[] {
  const shapes = new Map<string, string>();
  for (const [amount] of document.body.innerText.matchAll(/[€$£¥]\s?[\d.,\s]*\d|\d[\d.,\u00a0\u202f]*\s?[€$£¥]/g)) {
    const decimals = /[.,](\d{1,2})\D*$/.exec(amount)?.[1]?.length ?? 0;
    const place = /^[€$£¥]/.test(amount) ? "before" : "after";
    shapes.set(`${place}, ${decimals} decimals`, amount.trim());
  }
  return shapes.size > 1 ? [`money in several formats: ${[...shapes.values()].join(" and ")}`] : [];
}

/** Fields whose text a browser formats in its own language: dates and times. One that is unseen, over an icon, only opens a calendar. */
export function nativeTimes(): string[] {
  const native = "input[type=date], input[type=time], input[type=datetime-local], input[type=month], input[type=week]";
  return [...document.querySelectorAll(native)]
    .filter((one) => getComputedStyle(one).opacity !== "0" && one.getBoundingClientRect().width > 0)
    .map((one) => `a field of type ${one.getAttribute("type")} shows its value in the browser's format`);
}
