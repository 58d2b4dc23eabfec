import type { Screen } from "./screen.ts";

/** Phone, laptop, and a television of 4K. */
export const sizes = [
  { name: "phone", width: 390, height: 844 },
  { name: "laptop", width: 1440, height: 900 },
  { name: "television", width: 3840, height: 2160 },
] as const;

export const languages = ["en", "es"] as const;

/** Every size and language that a page is looked at in; `npm test` takes some of them, `npm run verify` all. */
export const looks = languages.flatMap((language) => sizes.map((size) => ({ language, size })));

/** Those of `npm test`: each size and each language once or twice. */
export const someLooks = process.env.ALL_LOOKS ? looks : looks.filter((_, i) => i % 2 === 0);

/** Of many pages alike each is looked at in one of those: the n-th one; `npm run verify` looks at each in all. */
export const looksOf = (place: number) =>
  process.env.ALL_LOOKS ? looks : someLooks.filter((_, i) => i === place % someLooks.length);

/** Opens an address in a look, and holds what is there to what every page has to pass. `shown`: waits until the page is complete. */
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
