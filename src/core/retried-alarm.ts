/** The pause after the first failure. It is doubled with each further one, up to the longest. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 30 * 60_000;

const KEY = "failing alarm";

/** Stored while the alarm fails. */
interface Failing {
  /** The number of failures since the last success. */
  failures: number;
  /** When it is tried again (epoch ms). */
  retryAt: number;
}

/**
 * The alarm of a Durable Object. The platform gives an alarm up after six failures, and the object would then do nothing by itself any more.
 * Here a failed alarm is logged and counted, and tried again until it succeeds.
 *
 * The count is a value of its own, stored only while the alarm fails: what else the object stores may be what makes it fail.
 */
export class RetriedAlarm {
  readonly #storage: DurableObjectStorage;
  readonly #object: Readonly<Record<string, unknown>>;
  /** When the alarm rings; null: it is not set. */
  #at: number | null = null;
  /** Null: the last alarm succeeded. */
  #failing: Failing | null = null;

  /** @param object members of log lines that say whose alarm it is */
  constructor(storage: DurableObjectStorage, object: Readonly<Record<string, unknown>>) {
    this.#storage = storage;
    this.#object = object;
  }

  /** Reads what is stored. Call this before anything else. */
  async load(): Promise<void> {
    this.#failing = this.#storage.kv.get<Failing>(KEY) ?? null;
    this.#at = await this.#storage.getAlarm();
  }

  get isFailing(): boolean {
    return this.#failing !== null;
  }

  /** Whether `set` would make the alarm ring earlier than it does now. */
  isEarlier(at: number): boolean {
    return this.#at === null || this.#notBeforeRetry(at) < this.#at;
  }

  /** Makes the alarm ring at an instant, unless it rings earlier anyway. While it fails, it does not ring before it is tried again. */
  async set(at: number): Promise<void> {
    if (!this.isEarlier(at)) return;
    this.#at = this.#notBeforeRetry(at);
    await this.#storage.setAlarm(this.#at);
  }

  /**
   * Does the work of an alarm. If it throws, the alarm is tried again later.
   * @param tell tells others that the alarm fails, after each failure, or that it succeeded after failures. Until it has done the latter, the
   *   alarm still counts as failed
   */
  async run(work: () => Promise<void>, tell: (isFailing: boolean) => Promise<void> = async () => undefined): Promise<void> {
    this.#at = null;
    const before = this.#failing;
    try {
      await work();
      if (!before) return;
      this.#failing = null;
      await tell(false);
      this.#storage.kv.delete(KEY);
    } catch (error) {
      this.#failing = before;
      await this.fail(error);
      // The next failure tells it again.
      await tell(true).catch(() => undefined);
    }
  }

  /** Counts a failure, and sets the alarm for the next try. */
  async fail(error: unknown): Promise<void> {
    const before = this.#failing?.failures ?? 0;
    const failures = before + 1;
    const retryAt = Date.now() + Math.min(FIRST_PAUSE_MS * 2 ** before, LONGEST_PAUSE_MS);
    console.error(JSON.stringify({ event: "alarm_failed", ...this.#object, failures, error: String(error) }));
    this.#failing = { failures, retryAt };
    this.#at = retryAt;
    // In one turn, so that both are stored or neither is.
    this.#storage.kv.put(KEY, this.#failing);
    await this.#storage.setAlarm(retryAt);
  }

  /** If the clock was set back meanwhile, the wait is no longer than the longest pause. */
  #notBeforeRetry(at: number): number {
    if (!this.#failing) return at;
    return Math.max(at, Math.min(this.#failing.retryAt, Date.now() + LONGEST_PAUSE_MS));
  }
}
