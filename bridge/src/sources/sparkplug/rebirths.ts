/** The time between two requests to a node for its births: twice as long each time, as long as there is a reason for one each time. */
const REBIRTH_MS = { first: 1000, most: 60_000 };
/** After so long without a reason, all is well again. */
const WELL_MS = 10_000;

interface Asked {
  at: number;
  /** The time until the next request. */
  wait: number;
  timer: NodeJS.Timeout | null;
}

/** Asks nodes for their births: at once, and then not more often than they can answer. */
export function rebirthRequests(send: (name: string, reason: string) => void) {
  const asked = new Map<string, Asked>();
  const ask = (name: string, reason: string) => {
    const before = asked.get(name);
    if (before?.timer) return;
    const now = performance.now();
    const passed = before ? now - before.at : Number.POSITIVE_INFINITY;
    if (before && passed < before.wait) {
      before.timer = setTimeout(() => {
        before.timer = null;
        ask(name, reason);
      }, before.wait - passed);
      return;
    }
    const wait = before && passed < before.wait + WELL_MS ? Math.min(2 * before.wait, REBIRTH_MS.most) : REBIRTH_MS.first;
    asked.set(name, { at: now, wait, timer: null });
    send(name, reason);
  };
  return {
    ask,
    /** Its births have come: what was to be asked for is there. */
    born(name: string) {
      const before = asked.get(name);
      if (before?.timer) clearTimeout(before.timer);
      if (before) before.timer = null;
    },
    end() {
      for (const { timer } of asked.values()) if (timer) clearTimeout(timer);
      asked.clear();
    },
  };
}
