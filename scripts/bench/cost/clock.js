// Replaces the clock of the isolate, before anything else is loaded: the Worker and its objects then run in the simulated day.

const RealDate = Date;
const realWait = scheduler.wait.bind(scheduler);

/** `now` (epoch ms) is the present for all code; null: the real one. */
export const clock = { now: null, real: () => RealDate.now() };

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [clock.now ?? RealDate.now()] : given));
  }

  static now() {
    return clock.now ?? RealDate.now();
  }
};

/** Lets other tasks run for a moment. */
export const pause = () => realWait(0);

// A pause between two steps, such as the one in which a hub gathers changes, takes no simulated time.
const LONGEST_PAUSE_MS = 1000;
scheduler.wait = (ms, options) => realWait(ms <= LONGEST_PAUSE_MS ? 0 : ms, options);
