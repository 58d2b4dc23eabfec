import type { Screen } from "./screen.ts";

/** A phone upright, a tablet across, a small laptop, a television, and one with 4K. */
export const sizes = [
  { name: "phone", width: 390, height: 844 },
  { name: "tablet", width: 1024, height: 768 },
  { name: "laptop", width: 1280, height: 800 },
  { name: "television", width: 1920, height: 1080 },
  { name: "large television", width: 3840, height: 2160 },
] as const;

export const languages = ["en", "es"] as const;

/** Every size and language in which pages are checked; `npm test` uses some of them, `npm run verify` all. */
export const looks = languages.flatMap((language) => sizes.map((size) => ({ language, size })));

/** The looks of `npm test`: each language twice, and each size that people have before them all day. */
const few = ["es phone", "en tablet", "es laptop", "en television"];
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
  { language, size }: (typeof looks)[number],
  shown: () => Promise<unknown>,
): Promise<void> {
  await screen.page.setViewportSize(size);
  const url = new URL(path, "http://page");
  url.searchParams.set("lang", language);
  await screen.page.goto(url.pathname + url.search);
  await shown();
  await screen.expectSound(`${path} in ${language} on a ${size.name}`);
}
