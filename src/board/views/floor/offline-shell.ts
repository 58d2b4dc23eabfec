import { trustedScript } from "../../app/trusted-script.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";

// A terminal's page is kept in the browser (app/shell-worker.ts), so that it opens without a network, and takes a newer version by itself.

/** A terminal is never closed, so the browser would not look for a newer version. */
const ASK_EVERY_MS = HOUR_MS;
/** Nobody is interrupted by a newer version. */
const IDLE_MS = 5 * MINUTE_MS;
const LOOK_EVERY_MS = 10_000;

/** Has the page kept. Returns a function that ends its looking for newer versions. */
export function keepShell(): () => void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  // Without https there is none.
  if (!serviceWorker) return () => undefined;
  let usedAt = Date.now();
  let isNewer = false;
  const use = () => {
    usedAt = Date.now();
  };
  const follow = ({ installing, active }: ServiceWorkerRegistration) => {
    // The first one keeps the page that is shown.
    if (!installing || !active) return;
    installing.addEventListener("statechange", () => {
      isNewer ||= installing.state === "activated";
    });
  };
  const look = () => {
    const isIdle = Date.now() - usedAt > IDLE_MS && !document.querySelector("dialog[open]");
    // What waits to be sent is in the browser's storage.
    if (isNewer && isIdle) location.reload();
  };
  let registration: ServiceWorkerRegistration | undefined;
  const ask = () => void registration?.update().catch(() => undefined);
  serviceWorker
    .register(trustedScript("/terminal/worker.js"), { scope: "/floor" })
    .then((made) => {
      registration = made;
      made.addEventListener("updatefound", () => follow(made));
      follow(made);
    })
    // The terminal works without it. An earlier version of the service has none.
    .catch(() => undefined);
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, use);
  const timers = [setInterval(look, LOOK_EVERY_MS), setInterval(ask, ASK_EVERY_MS)];
  return () => {
    for (const event of ["pointerdown", "keydown"]) removeEventListener(event, use);
    for (const timer of timers) clearInterval(timer);
  };
}
