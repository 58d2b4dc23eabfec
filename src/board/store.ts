// What this browser remembers of the board. A browser that refuses to (private windows, storage switched off) forgets it with the page.

const fallback = new Map<string, string>();
const keyOf = (name: string) => `andon.${name}`;

/** What was remembered under a name; null if nothing. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(keyOf(name));
  } catch {
    return fallback.get(name) ?? null;
  }
}

/** Remembers a text under a name; null forgets it. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), value);
  } catch {
    if (value === null) fallback.delete(name);
    else fallback.set(name, value);
  }
}

/** Calls back when another tab of this browser remembers something else under a name. */
export function onChange(name: string, call: (value: string | null) => void): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === keyOf(name) || key === null) call(newValue);
  });
}
