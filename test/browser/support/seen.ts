import type { Locator } from "playwright-core";
import type { deficiencies, Screen } from "./screen.ts";

// Measures what a picture of a page really shows in its pixels, instead of reading styles.

/** Red, green and blue, 0..255. */
export type Colour = readonly [number, number, number];

/** The visible contents of a box in a picture. */
export interface Seen {
  ground: Colour;
  /** The colour that differs most from the background. */
  ink: Colour;
  /** Between the two, as in WCAG: 1 to 21. */
  contrast: number;
  /** The cells with ink, in a grid of GRID x GRID: a shape without its colour. */
  shape: boolean[];
}

const GRID = 16;

/** The visible contents of parts of a page with this colour blindness, or without any for "none". */
export async function seenOf(screen: Screen, parts: Locator[], eyes: (typeof deficiencies)[number] | "none"): Promise<Seen[]> {
  const boxes = await Promise.all(
    parts.map(async (part) => {
      const box = await part.boundingBox();
      if (!box) throw new Error("A part of the page is not there");
      return box;
    }),
  );
  const take = async () => (await screen.page.screenshot()).toString("base64");
  const picture = eyes === "none" ? await take() : await screen.asSeenWith(eyes, take);
  // On a page of its own: the policy of the service's pages would refuse this.
  const page = await screen.context.newPage();
  try {
    return await page.evaluate(measure, { picture, boxes, grid: GRID });
  } finally {
    await page.close();
  }
}

/** The similarity of two shapes, 0..1: 1 if they are the same. */
export function likeness(a: Seen, b: Seen): number {
  const either = a.shape.filter((isInk, i) => isInk || b.shape[i]).length;
  const both = a.shape.filter((isInk, i) => isInk && b.shape[i]).length;
  return both / Math.max(1, either);
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Runs in a page. */
async function measure({ picture, boxes, grid }: { picture: string; boxes: Box[]; grid: number }): Promise<Seen[]> {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("No canvas");
  context.drawImage(image, 0, 0);
  const light = (colour: Colour) => {
    const [r, g, b] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
  };
  const contrast = (a: Colour, b: Colour) => {
    const [high = 0, low = 0] = [light(a), light(b)].sort((one, other) => other - one);
    return (high + 0.05) / (low + 0.05);
  };
  return boxes.map(({ x, y, width, height }) => {
    const [w, h] = [Math.floor(width), Math.floor(height)];
    const { data } = context.getImageData(Math.ceil(x), Math.ceil(y), w, h);
    const pixels = Array.from(
      { length: w * h },
      (_, i): Colour => [data[4 * i] ?? 0, data[4 * i + 1] ?? 0, data[4 * i + 2] ?? 0],
    );
    const counts = new Map<string, { colour: Colour; count: number }>();
    for (const colour of pixels) {
      const known = counts.get(colour.join());
      if (known) known.count++;
      else counts.set(colour.join(), { colour, count: 1 });
    }
    // Edges of letters are mixed colours: rare colours are neither of the two.
    const frequent = [...counts.values()].filter(({ count }) => count >= 0.01 * w * h).sort((a, b) => b.count - a.count);
    // The corners of an icon and the edge of a word are background; a filled shape has more ink than background.
    const [r = 0, g = 0, b = 0] = pixels[0] ?? [];
    const ground: Colour = [r, g, b];
    const ink = frequent.reduce(
      (best, { colour }) => (contrast(colour, ground) > contrast(best, ground) ? colour : best),
      ground,
    );
    const most = contrast(ink, ground);
    const shape = Array.from({ length: grid * grid }, (_, i) => {
      const [column, row] = [i % grid, Math.floor(i / grid)];
      const pixel = pixels[Math.floor(((row + 0.5) * h) / grid) * w + Math.floor(((column + 0.5) * w) / grid)];
      return pixel !== undefined && contrast(pixel, ground) > (1 + most) / 2;
    });
    return { ground, ink, contrast: most, shape };
  });
}
