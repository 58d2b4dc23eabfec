import "./home.css";
import "../../ui/large-screen.css";
import type { Route } from "../../app/route.ts";
import { user } from "../../app/session.ts";
import { later } from "../../ui/later.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { SignedOut } from "./signed-out.tsx";

// Loaded later: whoever signs in needs none of it before that.
const Choices = later(async () => (await import("./choices.tsx")).Choices);

/** The page at `/`: sign in, then choose a view. */
export default function Home({ route }: { route: Route }) {
  if (route.path.length > 0 || location.pathname !== "/") return <NotFound />;
  return user.value ? <Choices signedIn={user.value} /> : <SignedOut />;
}
