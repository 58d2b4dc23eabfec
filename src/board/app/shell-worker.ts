// The service worker of terminals: it keeps their page, scripts and styles, so that a terminal opens without a network. It keeps no answers of the API.
// The page is requested from the service first, so whatever version is deployed is shown, also an earlier one. Each version has a cache of its own, which
// is complete or does not exist. So a page that is open still finds its parts after a newer version was cached.

// scripts/build-board.ts puts these here.
/** Names the version: a hash of its files. */
declare const SHELL_VERSION: string;
/** The scripts and styles of the page, and whatever it may load later: paths without the first slash. */
declare const SHELL_FILES: readonly string[];
/** What the page of this version names. */
declare const SHELL_ENTRY: string;

const PAGE = "/floor";
const PREFIX = "floor ";
const NAME = PREFIX + SHELL_VERSION;
/** With a poor network, people should not wait for longer than this for a page that is here. */
const PAGE_WITHIN_MS = 4000;

/** The used members of a service worker. The board is compiled with the types of pages. */
interface WorkerScope {
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", act: (event: Lasting) => void): void;
  addEventListener(type: "fetch", act: (event: FetchEvent) => void): void;
}
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

// Otherwise its names would be those of the other service worker.
export {};

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener("install", (event) => event.waitUntil(keep()));
scope.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(pageFor(request));
  // Their names have a hash: what is kept is never old.
  else if (pathname.startsWith("/board/")) event.respondWith(fileFor(request));
});

/** Keeps all files, and the page last: without it, the version is not there. @throws if one is missing, and the browser tries again later */
async function keep(): Promise<void> {
  const page = await fetch(PAGE, { cache: "no-store" });
  // During a deployment, this script and the page may be of different versions.
  if (!page.ok || !(await page.clone().text()).includes(SHELL_ENTRY)) throw new Error("The page is of another version.");
  const kept = await caches.open(NAME);
  await kept.addAll(SHELL_FILES.map((path) => `/${path}`));
  await kept.put(PAGE, page);
  await scope.skipWaiting();
}

/** Deletes what was kept, but for this version and the one before: a page may still be open that loads its parts. */
async function forgetOthers(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  // Pages that are open already are left alone: the browser would load the scripts of one that is being loaded a second time.
}

async function pageFor(request: Request): Promise<Response> {
  const answer = await Promise.race([
    fetch(request).catch(() => null),
    new Promise<null>((done) => setTimeout(() => done(null), PAGE_WITHIN_MS)),
  ]);
  if (answer && answer.status < 500) return answer;
  return (await (await caches.open(NAME)).match(PAGE)) ?? (await caches.match(PAGE)) ?? answer ?? (await fetch(request));
}

async function fileFor(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? (await fetch(request));
}
