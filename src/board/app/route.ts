import { type ReadonlySignal, signal } from "@preact/signals";
import { leave } from "./unsaved.ts";
import { type ViewName, viewAt, views } from "./views.ts";

// Each view has its own page, which loads only that view. A link to another view loads a page; a link within a view only changes the route.

/** The parts of an address. `/desk/shift/7?tab=losses` is view "desk", path ["shift", "7"]. */
export interface Route {
  view: ViewName;
  /** The permission that the view takes; null: none. */
  permission: (typeof views)[ViewName]["permission"];
  path: readonly string[];
  query: URLSearchParams;
}

const current = signal(routeOf(new URL(location.href)));
/** The route of the present address. */
export const route: ReadonlySignal<Route> = current;

/** The address whose route is shown. */
let shown = location.href;

addEventListener("popstate", () => {
  const { href } = location;
  const isLeft = leave(() => show(href));
  // The browser already has the new address. It gets the old one back until the user has decided.
  if (!isLeft) history.pushState(null, "", shown);
});

/** Shows the route of an address of the present view. */
function show(href: string): void {
  if (location.href !== href) history.pushState(null, "", href);
  shown = href;
  current.value = routeOf(new URL(href));
}

/** Goes to an address of the board. `replace`: without a new entry in the browser's history. */
export function navigate(href: string, { replace = false }: { replace?: boolean } = {}): void {
  const url = new URL(href, location.href);
  const next = routeOf(url);
  if (url.origin !== location.origin || next.view !== current.value.view) {
    if (replace) location.replace(url.href);
    else location.assign(url.href);
    return;
  }
  if (!replace) {
    leave(() => show(url.href));
    return;
  }
  history.replaceState(null, "", url.href);
  show(url.href);
}

/** Changes parameters of the present address; null removes one. */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  navigate(url.href, { replace: true });
}

/** Makes clicks on links within a view change the route instead of loading the page again. */
export function followLinks(): void {
  addEventListener("click", (event) => {
    const { target, button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event;
    if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    const link = target instanceof Element ? target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (viewAt(link.pathname) !== current.value.view) return;
    event.preventDefault();
    leave(() => {
      show(link.href);
      scrollTo(0, 0);
    });
  });
}

function routeOf({ pathname, searchParams }: URL): Route {
  const [, ...path] = pathname.split("/").filter(Boolean).map(decoded);
  const view = viewAt(pathname) ?? "home";
  return { view, permission: views[view].permission, path, query: searchParams };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
