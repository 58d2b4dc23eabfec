import { DEMO_META, type DemoPlant } from "../../client/demo-plant.ts";

export type { DemoPlant };

/** The accounts of the demo plant, which its pages name; null: this is a real plant. */
export const demo: DemoPlant | null = read(document.querySelector<HTMLMetaElement>(`meta[name=${DEMO_META}]`)?.content);

function read(text: string | undefined): DemoPlant | null {
  return text === undefined ? null : (JSON.parse(text) as DemoPlant);
}
