import { OBJECT_MS, within } from "../core/load.ts";
import { hubOf, type ToldView } from "../live/hub-object.ts";
import { startLedger } from "../oee/machine.ts";
import { settingsAt } from "../oee/settings.ts";
import { kindAt } from "../oee/signal.ts";
import type { Configuration } from "./configuration.ts";
import type { MachineOverview } from "./overview.ts";
import type { MachineStorage } from "./storage.ts";

// Tells the company's hub what the machine does, while somebody watches: what it does now at once, what it made at most every five seconds.
// That it is watched is stored; what it has told is not. An object that was started again tells once more.

/** Counts alone are told at most this often. */
const TELL_EVERY_MS = 5000;
/** What could not be told at once, because counts come faster than they are told, is told by an alarm. */
const ALARM_AFTER_MS = 10_000;
const RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

const WATCH_KEY = "watched";

export class HubLink {
  readonly #storage: MachineStorage;
  readonly #env: Env;
  /** Whether something may have changed since it was told. */
  #isUntold = true;
  /** What the machine did when it last told; null: it has not told since the object started. */
  #toldState: string | null = null;
  /** When it last told, or tried. */
  #triedAt = Date.now();
  #failures = 0;
  #revision = 0;
  #edits = 0;
  #isTelling = false;
  /** Whether it is about to tell: then no alarm has to. */
  #isBeginning = false;

  constructor(storage: MachineStorage, env: Env) {
    this.#storage = storage;
    this.#env = env;
  }

  get isWatched(): boolean {
    return this.#storage.value<number>(WATCH_KEY) !== null;
  }

  /** Somebody watches from now on. */
  watch(watch: number): void {
    this.#storage.saveValue(WATCH_KEY, watch);
  }

  /** Notes that something changed; `isEdit`: by a person, which is told at once. */
  note(isEdit = false): void {
    this.#isUntold = true;
    if (isEdit) this.#edits += 1;
  }

  /** When an alarm has to ring to tell what is untold; null: none has to. */
  dueAt(): number | null {
    if (!this.#isUntold || this.#isTelling || this.#isBeginning || !this.isWatched) return null;
    if (this.#failures === 0) return this.#triedAt + ALARM_AFTER_MS;
    return this.#triedAt + Math.min(RETRY_MS * 2 ** (this.#failures - 1), MAX_RETRY_MS);
  }

  /** Whether there is something to tell now. The caller must then tell it: the attempt counts from here. */
  begins(configuration: Configuration, now: number): boolean {
    if (this.#isTelling || !this.isWatched || !this.#isDue(configuration, now)) return false;
    this.#triedAt = now;
    this.#isBeginning = true;
    return true;
  }

  #isDue(configuration: Configuration, now: number): boolean {
    if (this.#failures > 0) return now >= (this.dueAt() ?? 0);
    if (stateOf(this.#storage, configuration, this.#edits, now) !== this.#toldState) return true;
    return this.#isUntold && now >= this.#triedAt + TELL_EVERY_MS;
  }

  /** What the hub gets of an overview. */
  view(configuration: Configuration, overview: MachineOverview): ToldView {
    this.#isUntold = false;
    this.#toldState = stateOf(this.#storage, configuration, this.#edits, overview.asOf);
    this.#triedAt = overview.asOf;
    // By the clock, so that it need not be stored; after the last one, so that a clock that stands still does no harm.
    this.#revision = Math.max(this.#revision + 1, overview.asOf);
    return { revision: this.#revision, overview };
  }

  /**
   * Tells the hub until it knows what the machine does now. Never fails: what could not be told is told later.
   * @param overview gives the present overview
   */
  async tell(configuration: Configuration, overview: () => Promise<MachineOverview | null>): Promise<void> {
    const { machineId, companyId } = configuration.identity;
    this.#isBeginning = false;
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      do {
        const present = await overview();
        if (!present) return;
        const told = this.view(configuration, present);
        const answer = await within(OBJECT_MS, "the hub", hubOf(this.#env, companyId).tell(machineId, told));
        if (!answer.isWatched) this.#unwatch(answer.watch);
        if (answer.newer !== null) {
          // The clock was set back so far that the hub takes the present for the past: it is told once more.
          this.#revision = answer.newer;
          this.#toldState = null;
        }
        this.#failures = 0;
      } while (this.#toldState !== stateOf(this.#storage, configuration, this.#edits, Date.now()) && this.isWatched);
    } catch {
      this.#isUntold = true;
      this.#failures += 1;
    } finally {
      this.#isTelling = false;
    }
  }

  /** Nobody watches any more, unless somebody began to after the hub said so. */
  #unwatch(watch: number): void {
    if ((this.#storage.value<number>(WATCH_KEY) ?? 0) <= watch) this.#storage.saveValue(WATCH_KEY, null);
  }
}

/** What is told at once when it changes: what the machine does, on what, with whom, in which shift and break, and what people edited. */
function stateOf(storage: MachineStorage, { history, calendar }: Configuration, edits: number, now: number): string {
  const { signal, skuId, run, signedIn } = storage.head()?.ledger ?? startLedger(history);
  const shift = calendar.at(now);
  const end = settingsAt(history, now).decommissionedAt;
  const planned = shift?.breaks.find(({ start, end }) => start <= now && now < end);
  return JSON.stringify([
    kindAt(signal, now),
    skuId,
    run?.workOrderId,
    signedIn,
    shift?.start,
    planned?.start,
    end !== null && end <= now,
    edits,
  ]);
}
