/**
 * How a call to a binding fails: before it is executed; after it (the work is done, the caller gets an error); or it never answers, with
 * its work not begun or done.
 */
export const faultKinds = ["before", "after", "silent", "silentAfter"] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The calls of a request that fail, by their number from 1. */
export type Faults = ReadonlyMap<number, FaultKind>;

/** The bindings of a Worker and of its objects, with calls that fail according to a plan. */
export class FaultyBindings {
  readonly env: Env;
  /** The calls since `begin`, in order. */
  calls: string[] = [];
  #faults: Faults = new Map();
  #isSilent = false;
  #running = 0;
  #activeAt = 0;

  constructor(env: Env) {
    this.env = {
      ...env,
      DB_0: this.#database(env.DB_0),
      DIRECTORY: this.#database(env.DIRECTORY),
      THUMBNAILS: this.#calling("R2", env.THUMBNAILS, ["head", "get", "put", "delete", "list"]),
      ARCHIVE: this.#calling("R2", env.ARCHIVE, ["head", "get", "put", "delete", "list"]),
      IMAGES: wrapped(env.IMAGES, { input: (transformer) => this.#pictures(transformer as ImageTransformer) }),
      EVENTS: this.#queue(env.EVENTS),
      WEBHOOKS: this.#queue(env.WEBHOOKS),
      MESSAGES: this.#queue(env.MESSAGES),
      REPORTS: this.#queue(env.REPORTS),
      JOBS: this.#queue(env.JOBS),
      MACHINES: wrapped(env.MACHINES as DurableObjectNamespace, { getByName: (stub) => this.#object(stub as object) }) as never,
    };
  }

  /** Restarts the count at one, with these calls failing. */
  begin(faults: Faults): void {
    this.calls = [];
    this.#faults = faults;
    this.#isSilent = false;
    this.#activeAt = performance.now();
  }

  /** The time (ms) in which nothing happened except calls that do not answer. */
  silentForMs(): number {
    return this.#isSilent && this.#running === 0 ? performance.now() - this.#activeAt : 0;
  }

  /** Records that something happened. */
  touch(): void {
    this.#activeAt = performance.now();
  }

  async #call<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    this.calls.push(name);
    this.touch();
    const number = this.calls.length;
    const kind = this.#faults.get(number);
    if (kind === "before") throw lost(name, number);
    const result = kind === "silent" ? undefined : await this.#run(name, work);
    if (kind === undefined) return result as T;
    if (kind === "after") throw lost(name, number);
    this.#isSilent = true;
    return await new Promise(() => {});
  }

  async #run<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    // An object's own calls are counted separately: a call that it waits for may be silent.
    const weight = name.startsWith("object.") ? 0 : 1;
    this.#running += weight;
    try {
      return await work();
    } finally {
      this.#running -= weight;
      this.touch();
    }
  }

  #database(database: D1Database): D1Database {
    return wrapped(database, { withSession: (session) => this.#session(session as D1DatabaseSession) });
  }

  #session(session: D1DatabaseSession): D1DatabaseSession {
    const inner = new WeakMap<object, D1PreparedStatement>();
    const statement = (real: D1PreparedStatement): D1PreparedStatement => {
      const faulty = this.#calling("D1", wrapped(real, { bind: (bound) => statement(bound as D1PreparedStatement) }), [
        ...["all", "run", "raw", "first"],
      ]);
      inner.set(faulty, real);
      return faulty;
    };
    const batch = (statements: D1PreparedStatement[]) =>
      this.#call("D1.batch", () => session.batch(statements.map((one) => inner.get(one) ?? one)));
    return {
      prepare: (query) => statement(session.prepare(query)),
      batch,
      getBookmark: () => session.getBookmark(),
    } as D1DatabaseSession;
  }

  #queue(queue: Queue): Queue {
    return this.#calling("queue", queue as object, ["sendBatch"]) as Queue;
  }

  #pictures(transformer: ImageTransformer): ImageTransformer {
    const again = (next: unknown) => this.#pictures(next as ImageTransformer);
    return this.#calling("IMAGES", wrapped(transformer, { transform: again, draw: again }), ["output"]);
  }

  /** Makes every method of an object's stub a call to it. */
  #object(stub: object): object {
    return new Proxy(stub, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => this.#call(`object.${String(name)}`, () => Reflect.apply(member, target, args));
      },
    });
  }

  #calling<T extends object>(binding: string, target: T, methods: readonly string[]): T {
    return new Proxy(target, {
      get: (real, name) => {
        const member = Reflect.get(real, name) as unknown;
        if (typeof member !== "function") return member;
        const call = (...args: unknown[]) => Reflect.apply(member, real, args);
        return methods.includes(String(name))
          ? (...args: unknown[]) => this.#call(`${binding}.${String(name)}`, () => call(...args))
          : call;
      },
    });
  }
}

/** The same object, with the results of some of its methods transformed. */
function wrapped<T extends object>(target: T, methods: Record<string, (result: unknown) => unknown>): T {
  return new Proxy(target, {
    get: (real, name) => {
      const member = Reflect.get(real, name) as unknown;
      if (typeof member !== "function") return member;
      const wrap = methods[String(name)] ?? ((result) => result);
      return (...args: unknown[]) => wrap(Reflect.apply(member, real, args));
    },
  });
}

/** An error with one of the platform's messages. */
function lost(name: string, number: number): Error {
  const words = ["Network connection lost.", "internal error", "storage caused object to be reset."];
  const prefix = name.startsWith("D1") ? "D1_ERROR: " : "";
  return new Error(`${prefix}${words[number % words.length]}`);
}
