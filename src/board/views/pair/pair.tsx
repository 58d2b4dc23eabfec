import { SignInPage } from "../../parts/sign-in-page.tsx";
import type { Route } from "../../route.ts";
import { user } from "../../session.ts";

export default function Pair(_: { route: Route }) {
  if (!user.value) return <SignInPage />;
  return (
    <main class="sheet">
      <h1>Pair</h1>
      <p>There is nothing here yet.</p>
      <a class="button" href="/">
        Andon
      </a>
    </main>
  );
}
