// The board's storage in this browser. If the browser refuses it (private windows, storage switched off), values last as long as the page.

const fallback = new Map<string, string>();
const keyOf = (name: string) => `andon.${name}`;

/** Returns the stored text of a name; null if there is none. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(keyOf(name));
  } catch {
    return fallback.get(name) ?? null;
  }
}

/** Stores a text under a name; null deletes it. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), value);
  } catch {
    if (value === null) fallback.delete(name);
    else fallback.set(name, value);
  }
}

/** Calls back when another tab of this browser stores another text under a name. */
export function onChange(name: string, call: (value: string | null) => void): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === keyOf(name) || key === null) call(newValue);
  });
}
