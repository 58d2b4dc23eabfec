import "./fit.css";
import { useLayoutEffect, useRef } from "preact/hooks";

interface FitProps {
  text: string;
  /** The layout of the tiles. The text is fitted again when it changes, as when the text or the size of its box does. */
  layout: string;
  class?: string;
  /** Whether it may break into lines instead of becoming very small. */
  wraps?: boolean;
}

/** The smallest font size of a text, in font sizes of its box. */
const LEAST = 0.22;

/** A text that shrinks until it fits into its box, whose size its class sets, so that nothing on a wall is cut off. */
export function Fit({ text, layout, class: name = "", wraps = false }: FitProps) {
  const box = useRef<HTMLSpanElement>(null);
  const inner = useRef<HTMLSpanElement>(null);
  // Digits are equally wide, so a ticking clock need not be measured again.
  const shape = text.replace(/\d/g, "0");
  useLayoutEffect(() => {
    if (box.current && inner.current) shrink(box.current, inner.current, wraps);
  }, [shape, layout, wraps]);
  // Elements beside it may change the room for it.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      if (inner.current) shrink(element, inner.current, wraps);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [wraps]);
  return (
    <span class={`fit ${name}`} ref={box}>
      <span ref={inner}>{text}</span>
    </span>
  );
}

function shrink(box: HTMLElement, inner: HTMLElement, wraps: boolean): void {
  const { style } = inner;
  style.fontSize = "";
  // Measured on a single line.
  style.whiteSpace = "nowrap";
  style.maxWidth = "none";
  const ratio = box.clientWidth / inner.offsetWidth;
  if (ratio >= 1 || inner.offsetWidth === 0) return;
  if (!wraps) {
    style.fontSize = `${Math.max(LEAST, Math.floor(ratio * 100) / 100)}em`;
    return;
  }
  style.whiteSpace = "normal";
  style.maxWidth = "";
  let [low, high] = [LEAST, 1];
  for (let step = 0; step < 6; step++) {
    const scale = step === 0 ? high : (low + high) / 2;
    style.fontSize = `${scale}em`;
    const isIn = inner.offsetHeight <= box.clientHeight + 1 && inner.scrollWidth <= box.clientWidth + 1;
    if (isIn && step === 0) return;
    if (isIn) low = scale;
    else high = scale;
  }
  style.fontSize = `${low}em`;
}
