// What the pages of the demo plant know of it. A plant of one's own has nothing of this.

/** The name of the page's `<meta>` whose content is a `DemoPlant` as JSON. */
export const DEMO_META = "andon-demo";

/** The accounts of the demo plant. They are public, as is their password. */
export interface DemoPlant {
  password: string;
  /** The e-mail address with which the wall is shown to everyone. */
  wall: string;
  /** The e-mail addresses of those whom one can look around as. */
  people: Record<"manager" | "operator" | "lead" | "admin", string>;
  /** The code with which an empty plant is started beside it; only pages that are opened on the computer of the service have it. */
  startCode?: string;
}
