// Loads a page again if its other scripts did not come, because nobody stands beside a wall: a page from before a deployment names scripts that
// the service no longer has. It is a file of its own without imports, so that its name stays the same in almost every version.

const WAIT_MS = 30_000;

function look(): void {
  if (document.getElementById("app")?.firstChild) return;
  // Only once the service answers: the browser's own page about a failed load would stay.
  fetch(location.pathname, { cache: "no-store" }).then(({ ok }) => (ok ? location.reload() : waitAndLook()), waitAndLook);
}

function waitAndLook(): void {
  setTimeout(look, WAIT_MS);
}
waitAndLook();
