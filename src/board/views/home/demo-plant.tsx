import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { DemoPlant } from "../../data/demo.ts";
import { signIn } from "../../data/sign-in.ts";
import { reasonOf } from "../../texts/common.ts";
import { home } from "../../texts/home.ts";
import { later } from "../../ui/later.tsx";

// Loaded later: most look around first, and elsewhere than on the computer of the service there is no code for it.
const StartEmpty = later(async () => {
  const { load } = await import("../../texts/claim.ts");
  await load();
  return (await import("./start-empty.tsx")).StartEmpty;
});

/** The television whose wall is shown, in px. */
const SCREEN = { width: 1920, height: 1080 };
/** Where there is room for it. As in signed-out.css. */
const wide = matchMedia("(min-width: 700px)");

type Person = keyof DemoPlant["people"];

/** The page on which each of them begins. */
const pages: Record<Person, string> = {
  manager: "/desk/brief",
  operator: "/floor",
  lead: "/desk/shift",
  admin: "/desk/setup",
};

/** The demo plant's wall as it is now, scaled down. */
export function DemoWall() {
  const isWide = useSignal(wide.matches);
  const screen = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const follow = () => {
      isWide.value = wide.matches;
    };
    wide.addEventListener("change", follow);
    return () => wide.removeEventListener("change", follow);
  }, []);
  useLayoutEffect(() => {
    const box = screen.current;
    if (!box) return;
    const sizes = new ResizeObserver(() => box.style.setProperty("--scale", String(box.clientWidth / SCREEN.width)));
    sizes.observe(box);
    return () => sizes.disconnect();
  }, [isWide.value]);
  return (
    <section class="first-wall" aria-label={home.demoWall}>
      {isWide.value && (
        // The wall is for looking: its own controls are on the page that the link opens.
        <div class="first-screen" ref={screen} inert>
          <iframe src="/wall?distance=5" title={home.demoWall} {...SCREEN} />
        </div>
      )}
      <p>
        <span class="quiet">{home.demoWall}</span> <a href="/wall">{home.openWall}</a>
      </p>
    </section>
  );
}

/** The people of the demo plant, each of whom one can be with one click. */
export function DemoPeople({ demo }: { demo: DemoPlant }) {
  const error = useSignal<unknown>(null);
  const isWaiting = useSignal(false);

  async function enter(person: Person): Promise<void> {
    isWaiting.value = true;
    try {
      await signIn(demo.people[person], demo.password);
      location.assign(pages[person]);
    } catch (failure) {
      error.value = failure;
      isWaiting.value = false;
    }
  }

  return (
    <>
      <h2>{home.lookAround}</h2>
      <ul class="first-people">
        {(Object.keys(pages) as Person[]).map((person) => (
          <li key={person}>
            <button type="button" disabled={isWaiting.value} onClick={() => void enter(person)}>
              <strong>{home.people[person]}</strong>
              <span class="quiet">{home.peopleHints[person]}</span>
            </button>
          </li>
        ))}
      </ul>
      <div role="alert">{error.value !== null && <p class="refusal">{reasonOf(error.value)}</p>}</div>
      <p class="quiet first-note">{home.demoOnly}</p>
      {demo.startCode !== undefined && (
        <div class="first-note">
          <StartEmpty startCode={demo.startCode} />
        </div>
      )}
    </>
  );
}
