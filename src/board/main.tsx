import "./tokens.css";
import "./base.css";
import { type ComponentType, render } from "preact";
import { language } from "./language.ts";
import { ErrorBoundary } from "./parts/error-boundary.tsx";
import { SignInAgain } from "./parts/sign-in-again.tsx";
import { followLinks, type Route, route, type ViewName } from "./route.ts";

/** Each view is a script of its own, which its page loads along with this one. */
const views: Record<ViewName, () => Promise<{ default: ComponentType<{ route: Route }> }>> = {
  home: () => import("./views/home/home.tsx"),
  wall: () => import("./views/wall/wall.tsx"),
  floor: () => import("./views/floor/floor.tsx"),
  desk: () => import("./views/desk/desk.tsx"),
  pair: () => import("./views/pair/pair.tsx"),
};

function App({ View }: { View: ComponentType<{ route: Route }> }) {
  return (
    <ErrorBoundary>
      <View route={route.value} />
      <SignInAgain />
    </ErrorBoundary>
  );
}

/** For the error boundary: what has failed before there was a view. */
function Failed({ error }: { error: unknown }): never {
  throw error;
}

async function start(): Promise<void> {
  document.documentElement.lang = language;
  followLinks();
  const root = document.getElementById("app");
  if (!root) throw new Error("The page has no #app");
  try {
    const { default: View } = await views[route.peek().view]();
    render(<App View={View} />, root);
  } catch (error) {
    render(
      <ErrorBoundary>
        <Failed error={error} />
      </ErrorBoundary>,
      root,
    );
  }
}

void start();
