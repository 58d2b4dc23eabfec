import "./signed-out.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { version } from "../../app/version.ts";
import { api } from "../../data/api.ts";
import { demo } from "../../data/demo.ts";
import { common } from "../../texts/common.ts";
import { home } from "../../texts/home.ts";
import { ChooseLanguage } from "../../ui/choose-language.tsx";
import { later } from "../../ui/later.tsx";
import { SignInForm } from "../../ui/sign-in-form.tsx";

// Loaded later: a real plant has nothing of it.
const DemoWall = later(async () => (await import("./demo-plant.tsx")).DemoWall);
const DemoPeople = later(async () => (await import("./demo-plant.tsx")).DemoPeople);

// Loaded later: a service is claimed once.
const Claim = later(async () => {
  const { load } = await import("../../texts/claim.ts");
  await load();
  return (await import("./claim.tsx")).Claim;
});

/**
 * The first page until somebody has signed in: what this is, and the sign-in. In the demo also its wall, and its accounts to click. If nobody has an
 * account, the form for the first one.
 */
export function SignedOut() {
  const isUnclaimed = useSignal(false);
  useEffect(() => {
    // Without an answer, the sign-in says what is wrong.
    const read = async () => {
      isUnclaimed.value = !(await api("get", "/v1/claim")).isClaimed;
    };
    if (!demo) read().catch(() => undefined);
  }, []);
  return (
    <main class={demo ? "first first-demo" : "first"}>
      <p class="first-brand">{common.andon}</p>
      <h1>{home.sentence}</h1>
      {demo && <DemoWall />}
      <section class="first-in">
        {isUnclaimed.value ? (
          <Claim startCode={null} />
        ) : (
          <>
            {demo && <DemoPeople demo={demo} />}
            <h2>{demo ? home.ownAccount : common.signIn}</h2>
            <SignInForm />
          </>
        )}
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
