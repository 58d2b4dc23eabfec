import type { Screen } from "./screen.ts";

/** A phone and a tablet upright, two laptops, a television, and one with 4K. */
export const sizes = [
  { name: "phone", width: 360, height: 740 },
  { name: "tablet", width: 800, height: 1280 },
  { name: "laptop", width: 1280, height: 800 },
  { name: "large laptop", width: 1440, height: 900 },
  { name: "television", width: 1920, height: 1080 },
  { name: "large television", width: 3840, height: 2160 },
] as const;

export const languages = ["en", "es"] as const;

/** How a page is looked at: its language, the size of its screen, and light or dark. */
export interface Look {
  language: (typeof languages)[number];
  size: (typeof sizes)[number];
  colorScheme: "light" | "dark";
}

/** Looks in which each two of a language, a size and a scheme occur together; `npm run verify` checks pages in all of them. */
export const looks = languages.flatMap((language, i) =>
  sizes.map((size, k): Look => ({ language, size, colorScheme: (i + k) % 2 === 0 ? "light" : "dark" })),
);

/** The looks of `npm test`: each size once, each language three times, and both schemes. */
const few = ["es phone", "en tablet", "en laptop", "es large laptop", "en television", "es large television"];
export const someLooks = process.env.ALL_LOOKS
  ? looks
  : looks.filter(({ language, size }) => few.includes(`${language} ${size.name}`));

/** Of many similar pages each is checked in one of these looks: the n-th one; `npm run verify` checks each page in all of them. */
export const looksOf = (place: number) =>
  process.env.ALL_LOOKS ? looks : someLooks.filter((_, i) => i === place % someLooks.length);

/** The sizes of those looks, for what a test has done on a page, which cannot be opened again in another language. */
export const sizesOf = (place: number) => [...new Set(looksOf(place).map(({ size }) => size))];

/** Opens an address in a look, and checks what every page must fulfil. `shown`: waits until the page is complete. */
export async function lookAt(
  screen: Screen,
  path: string,
  { language, size, colorScheme }: Look,
  shown: () => Promise<unknown>,
): Promise<void> {
  await screen.page.emulateMedia({ colorScheme });
  await screen.page.setViewportSize(size);
  const url = new URL(path, "http://page");
  url.searchParams.set("lang", language);
  await screen.page.goto(url.pathname + url.search);
  await shown();
  await screen.expectSound(`${path} in ${language} on a ${size.name}, ${colorScheme}`);
}
