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
 * The alarm of a Durable Object. The platform drops an alarm after six failures, and the object would then never run by itself again. Here, a
 * failed alarm is logged, counted, and retried until it succeeds.
 *
 * The count is a value of its own, stored only while the alarm fails: what else the object stores may be what makes it fail.
 */
export class RetriedAlarm {
  readonly #storage: DurableObjectStorage;
  readonly #object: Readonly<Record<string, unknown>>;
  /** When the alarm is set to run (epoch ms); null: it is not set. */
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

  /** Whether `set` would make the alarm run earlier than it does now. */
  isEarlier(at: number): boolean {
    return this.#at === null || this.#notBeforeRetry(at) < this.#at;
  }

  /** Sets the alarm to run at an instant (epoch ms), unless it runs earlier anyway. While it fails, it runs no earlier than its retry. */
  async set(at: number): Promise<void> {
    if (!this.isEarlier(at)) return;
    this.#at = this.#notBeforeRetry(at);
    await this.#storage.setAlarm(this.#at);
  }

  /**
   * Does the work of an alarm. If it throws, the alarm is retried later.
   * @param notify reports that the alarm fails, after each failure, or that it succeeded after failures. Until the latter is reported, the
   *   alarm still counts as failing
   */
  async run(work: () => Promise<void>, notify: (isFailing: boolean) => Promise<void> = async () => undefined): Promise<void> {
    this.#at = null;
    const before = this.#failing;
    try {
      await work();
      if (!before) return;
      this.#failing = null;
      await notify(false);
      this.#storage.kv.delete(KEY);
    } catch (error) {
      this.#failing = before;
      await this.fail(error);
      // The next failure reports it again.
      await notify(true).catch(() => undefined);
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
