import { user } from "../app/session.ts";
import { later } from "./later.tsx";

const BellButton = later(async () => (await import("./bell-button.tsx")).BellButton);

/** The bell, loaded after the page that has it: nothing waits for it. Notifications are of people: a paired terminal has none. */
export function Bell() {
  return user.value && <BellButton />;
}
