import { OBJECT_MS, within } from "../../limits/load.ts";
import { hubOf } from "../../objects/hubs.ts";
import type { HubReport, MachineOverview } from "../../objects/machine-protocol.ts";
import { startLedger } from "../../oee/machine.ts";
import { settingsAt } from "../../oee/settings.ts";
import { kindAt } from "../../oee/signal.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";

// Reports the machine's view to the company's hub while somebody watches: changes of its state at once, counts at most every five seconds.
// Whether the machine is watched is stored; what was reported is not, so a restarted object reports once more.

/** Counts alone are reported at most this often. */
const REPORT_EVERY_MS = 5000;
/** Counts that come faster than they may be reported are left to an alarm, this long after the last report. */
const ALARM_AFTER_MS = 10_000;
const RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

const WATCH_KEY = "watched";

export class HubLink {
  readonly #storage: MachineStorage;
  readonly #env: Env;
  /** Whether something may have changed since the last report. */
  #isUnsent = true;
  /** The machine's state in the last report; null: none since the object started. */
  #sentState: string | null = null;
  /** Time of the last report or attempt. */
  #triedAt = Date.now();
  #failures = 0;
  #revision = 0;
  #edits = 0;
  #isSending = false;
  /** Whether a report is about to begin, so that no alarm is needed for it. */
  #isBeginning = false;

  constructor(storage: MachineStorage, env: Env) {
    this.#storage = storage;
    this.#env = env;
  }

  get isWatched(): boolean {
    return this.#storage.value<number>(WATCH_KEY) !== null;
  }

  /** Records that somebody watches from now on. */
  watch(watch: number): void {
    this.#storage.saveValue(WATCH_KEY, watch);
  }

  /** Records that something changed; `isEdit`: by a person, which is reported at once. */
  note(isEdit = false): void {
    this.#isUnsent = true;
    if (isEdit) this.#edits += 1;
  }

  /** When an alarm has to report what is unreported; null: no alarm is needed. */
  dueAt(): number | null {
    if (!this.#isUnsent || this.#isSending || this.#isBeginning || !this.isWatched) return null;
    if (this.#failures === 0) return this.#triedAt + ALARM_AFTER_MS;
    return this.#triedAt + Math.min(RETRY_MS * 2 ** (this.#failures - 1), MAX_RETRY_MS);
  }

  /** Whether a report is due now. If it is, the caller must call `report`, because this already counts as an attempt. */
  begins(configuration: Configuration, now: number): boolean {
    if (this.#isSending || !this.isWatched || !this.#isDue(configuration, now)) return false;
    this.#triedAt = now;
    this.#isBeginning = true;
    return true;
  }

  #isDue(configuration: Configuration, now: number): boolean {
    if (this.#failures > 0) return now >= (this.dueAt() ?? 0);
    if (stateOf(this.#storage, configuration, this.#edits, now) !== this.#sentState) return true;
    return this.#isUnsent && now >= this.#triedAt + REPORT_EVERY_MS;
  }

  /** Makes the view for the hub from an overview. It counts as reported from here. */
  view(configuration: Configuration, overview: MachineOverview): HubReport {
    this.#isUnsent = false;
    this.#sentState = stateOf(this.#storage, configuration, this.#edits, overview.asOf);
    this.#triedAt = overview.asOf;
    // Taken from the clock, so that it need not be stored, but always greater than the last one, in case the clock stands still.
    this.#revision = Math.max(this.#revision + 1, overview.asOf);
    return { revision: this.#revision, overview };
  }

  /**
   * Reports to the hub until it has the machine's present state. Never fails: a report that fails is sent later.
   * @param overview returns the present overview
   */
  async report(configuration: Configuration, overview: () => Promise<MachineOverview | null>): Promise<void> {
    const { machineId, companyId } = configuration.identity;
    this.#isBeginning = false;
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      do {
        const present = await overview();
        if (!present) return;
        const report = this.view(configuration, present);
        const answer = await within(OBJECT_MS, "the hub", hubOf(this.#env, companyId).tell(machineId, report));
        if (!answer.isWatched) this.#unwatch(answer.watch);
        if (answer.newer !== null) {
          // The clock was set back so far that the hub takes the present for the past: report once more.
          this.#revision = answer.newer;
          this.#sentState = null;
        }
        this.#failures = 0;
      } while (this.#sentState !== stateOf(this.#storage, configuration, this.#edits, Date.now()) && this.isWatched);
    } catch {
      this.#isUnsent = true;
      this.#failures += 1;
    } finally {
      this.#isSending = false;
    }
  }

  /** Records that nobody watches any more, unless somebody began to after the hub answered. */
  #unwatch(watch: number): void {
    if ((this.#storage.value<number>(WATCH_KEY) ?? 0) <= watch) this.#storage.saveValue(WATCH_KEY, null);
  }
}

/**
 * The state whose changes are reported at once: whether the machine was ever heard, its status, SKU, order, operators, shift, break and service, and
 * edits by people.
 */
function stateOf(storage: MachineStorage, { history, calendar }: Configuration, edits: number, now: number): string {
  const head = storage.head();
  const { signal, skuId, run, signedIn } = head?.ledger ?? startLedger(history);
  const shift = calendar.at(now);
  const end = settingsAt(history, now).decommissionedAt;
  const planned = shift?.breaks.find(({ start, end }) => start <= now && now < end);
  return JSON.stringify([
    // Whoever connects a machine waits for its first count.
    head !== null,
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
