import "../ui/tokens.css";
import "../ui/base.css";
import { type ComponentType, render } from "preact";
import { Allowed } from "../ui/allowed.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { later } from "../ui/later.tsx";
import { language } from "./language.ts";
import { followLinks, type Route, route } from "./route.ts";
import { isExpired } from "./session.ts";
import { startTheme } from "./theme.ts";
import { leaving } from "./unsaved.ts";

const LeaveDialog = later(async () => (await import("../ui/leave-dialog.tsx")).LeaveDialog);
const SignInAgain = later(async () => (await import("../ui/sign-in-again.tsx")).SignInAgain);

function App({ View }: { View: ComponentType<{ route: Route }> }) {
  return (
    <ErrorBoundary>
      <Allowed permission={route.value.permission}>
        <View route={route.value} />
      </Allowed>
      {leaving.value && <LeaveDialog />}
      {isExpired.value && <SignInAgain />}
    </ErrorBoundary>
  );
}

/** Loads the texts of a view, then the view itself, and renders it. Called once per page, by the script that scripts/build-board.ts generates. */
export async function start(
  texts: readonly (() => Promise<void>)[],
  load: () => Promise<{ default: ComponentType<{ route: Route }> }>,
): Promise<void> {
  document.documentElement.lang = language;
  startTheme();
  followLinks();
  const root = document.getElementById("app");
  if (!root) throw new Error("The page has no #app");
  await Promise.all(texts.map((loadTexts) => loadTexts()));
  const { default: View } = await load();
  render(<App View={View} />, root);
}
