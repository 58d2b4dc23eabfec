import { afterEach, describe, expect, it, vi } from "vitest";
import { FairQueue, QueueFull } from "../../src/limits/fair-queue.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const rules = { what: "things", slots: 4, alone: 3, share: 1, waiting: 2, waitMs: 1000, leaseMs: 60_000 };

/** A queue, and requests for slots in it: `inside` lists those that got one, in order. */
function newQueue(changes: Partial<typeof rules> = {}) {
  vi.useFakeTimers();
  const queue = new FairQueue({ ...rules, ...changes });
  const inside: string[] = [];
  const leaves = new Map<string, () => void>();
  const ask = (owner: string, name = owner) => {
    const entered = queue.enter(owner).then((leave) => {
      inside.push(name);
      leaves.set(name, leave);
    });
    // Refusals are checked where they matter.
    entered.catch(() => {});
    return entered;
  };
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const leave = (name: string) => leaves.get(name)?.();
  return { queue, inside, ask, pass, leave };
}

describe("a fair queue", () => {
  it("keeps a slot free for new owners, and gives each owner its share while others ask", async () => {
    const { inside, ask, pass, leave } = newQueue();
    for (const name of ["a1", "a2", "a3", "a4"]) ask("a", name);
    await pass(0);
    expect(inside).toEqual(["a1", "a2", "a3"]);
    ask("b");
    await pass(0);
    expect(inside).toEqual(["a1", "a2", "a3", "b"]);
    for (const name of ["a1", "a2"]) leave(name);
    await pass(100);
    expect(inside).toEqual(["a1", "a2", "a3", "b"]);
    leave("a3");
    await pass(100);
    expect(inside).toEqual(["a1", "a2", "a3", "b", "a4"]);
  });

  it("gives free slots to the lines in turn, however long one of them is", async () => {
    const { inside, ask, pass, leave } = newQueue({ slots: 1, waiting: 10 });
    ask("a", "a0");
    for (let i = 1; i <= 4; i++) ask("a", `a${i}`);
    for (const name of ["b1", "b2"]) ask("b", name);
    ask("c", "c1");
    for (let i = 0; i < 8; i++) {
      await pass(50);
      leave(inside.at(-1) ?? "");
    }
    expect(inside).toEqual(["a0", "a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
  });

  it("refuses at once if a line is full, and after too long a wait", async () => {
    const { queue, inside, ask, pass } = newQueue({ slots: 1 });
    for (const name of ["a1", "a2", "a3"]) ask("a", name);
    expect([queue.left("a"), queue.left("b")]).toEqual([0, 2]);
    await expect(ask("a", "a4")).rejects.toBeInstanceOf(QueueFull);
    const late = expect(ask("b")).rejects.toBeInstanceOf(QueueFull);
    await pass(1100);
    await late;
    expect(inside).toEqual(["a1"]);
    expect(queue.left("a")).toBe(2);
  });

  it("is available to a single owner again after the others have not asked for a while", async () => {
    const { inside, ask, pass } = newQueue();
    ask("b");
    for (const name of ["a1", "a2"]) ask("a", name);
    await pass(900);
    expect(inside).toEqual(["b", "a1"]);
    await pass(200);
    ask("a", "a3");
    await pass(50);
    expect(inside).toEqual(["b", "a1", "a3"]);
  });

  it("recovers slots that were not given back", async () => {
    const { inside, ask, pass, leave } = newQueue({ slots: 1 });
    ask("a", "a1");
    await pass(60_000);
    ask("a", "a2");
    await pass(50);
    expect(inside).toEqual(["a1", "a2"]);
    leave("a1");
    ask("a", "a3");
    await pass(50);
    expect(inside).toEqual(["a1", "a2"]);
  });

  it("gives no slot to a request that no longer looks for one", async () => {
    const { queue, inside, ask, pass, leave } = newQueue({ slots: 1 });
    ask("a", "a1");
    await pass(0);
    vi.spyOn(globalThis, "setTimeout").mockImplementation((() => 0) as never);
    queue.enter("a").catch(() => {});
    vi.restoreAllMocks();
    ask("a", "a3");
    vi.setSystemTime(Date.now() + 1500);
    leave("a1");
    ask("a", "a4");
    await pass(50);
    expect(inside).toEqual(["a1", "a4"]);
  });

  it("gives a slot to a request that could not look for it because the isolate was busy", async () => {
    const { inside, ask, pass, leave } = newQueue({ slots: 1, waitMs: 5000 });
    for (const name of ["a1", "a2", "a3"]) ask("a", name);
    await pass(0);
    vi.setSystemTime(Date.now() + 1500);
    leave("a1");
    await pass(50);
    expect(inside).toEqual(["a1", "a2"]);
    leave("a2");
    await pass(50);
    expect(inside).toEqual(["a1", "a2", "a3"]);
  });

  it("refuses in time even if the clock does not move", async () => {
    const { inside, ask, pass } = newQueue({ slots: 1 });
    vi.spyOn(Date, "now").mockReturnValue(0);
    ask("a");
    const refused = expect(ask("b")).rejects.toBeInstanceOf(QueueFull);
    await pass(rules.waitMs + 10);
    await refused;
    expect(inside).toEqual(["a"]);
  });
});
