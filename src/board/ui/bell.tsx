import { later } from "./later.tsx";

/** The bell, loaded after the page that has it: nothing waits for it. */
export const Bell = later(async () => (await import("./bell-button.tsx")).BellButton);
