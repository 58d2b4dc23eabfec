/**
 * Repeats a check until it passes, and returns its result. After ten seconds it throws the error of the last try.
 * `vi.waitFor` gives up after one second, and moves a faked `Date` while it waits.
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await check();
    } catch (error) {
      if (tries === 200) throw error;
      await scheduler.wait(50);
    }
  }
}
