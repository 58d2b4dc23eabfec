import "./signed-out.css";
import { version } from "../../app/version.ts";
import { demo } from "../../data/demo.ts";
import { common } from "../../texts/common.ts";
import { home } from "../../texts/home.ts";
import { ChooseLanguage } from "../../ui/choose-language.tsx";
import { later } from "../../ui/later.tsx";
import { SignInForm } from "../../ui/sign-in-form.tsx";

// Loaded later: a real plant has nothing of it.
const DemoWall = later(async () => (await import("./demo-plant.tsx")).DemoWall);
const DemoPeople = later(async () => (await import("./demo-plant.tsx")).DemoPeople);

/** The first page until somebody has signed in: what this is, and the sign-in. In the demo also its wall, and its accounts to click. */
export function SignedOut() {
  return (
    <main class={demo ? "first first-demo" : "first"}>
      <p class="first-brand">{common.andon}</p>
      <h1>{home.sentence}</h1>
      {demo && <DemoWall />}
      <section class="first-in">
        {demo && <DemoPeople demo={demo} />}
        <h2>{demo ? home.ownAccount : common.signIn}</h2>
        <SignInForm />
      </section>
      <footer class="first-foot">
        <ChooseLanguage />
        <p class="quiet">
          {home.version(version)} · <a href="/docs">{home.docs}</a>
        </p>
      </footer>
    </main>
  );
}
