import { load as loadTexts } from "../../texts/actions.ts";
import { later } from "../../ui/later.tsx";

/** The open actions about a loss, and a button to act on it. Loaded after what it is beside. */
export const ActOn = later(async () => {
  await loadTexts();
  return (await import("./actions/act-on-loss.tsx")).ActOnLoss;
});

/** The open actions about a loss. */
export const OpenActions = later(async () => {
  await loadTexts();
  return (await import("./actions/act-on-loss.tsx")).OpenActions;
});
