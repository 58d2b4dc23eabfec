import type { Reporter, TestModule } from "vitest/node";

// Fails for an index that no plan of a statement of the tests names: it costs space and time with each write, and serves nobody. `npm run indexes` runs
// the tests of the Worker with it (test/support/index-readers.ts watches the statements). Unique indexes are left out, because they are rules.

/** What a file of tests says: the indexes of the databases, and those that the statements of its process have used so far. */
interface Seen {
  indexes?: { all: string[]; used: string[] };
}

export class IndexReaders implements Reporter {
  readonly #all = new Set<string>();
  readonly #used = new Set<string>();

  onTestModuleEnd(file: TestModule): void {
    const { all, used } = (file.meta() as Seen).indexes ?? { all: [], used: [] };
    for (const name of all) this.#all.add(name);
    for (const name of used) this.#used.add(name);
  }

  onTestRunEnd(): void {
    const unused = [...this.#all].filter((name) => !this.#used.has(name)).sort();
    console.log(
      `${this.#all.size} indexes, ${unused.length} without a reader${unused.length > 0 ? `: ${unused.join(", ")}` : ""}`,
    );
    if (this.#all.size === 0 || unused.length > 0) process.exitCode = 1;
  }
}
