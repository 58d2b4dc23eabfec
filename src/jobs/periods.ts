import { DAY_MS } from "../oee/time.ts";

type Period = Extract<keyof Env, `${string}_KEPT_DAYS`>;

/**
 * The retention period of a variable in whole days, converted to ms; null (0 days): for ever.
 * @throws an error that names the variable if it has any other value, or fewer days than `atLeast`
 */
export function keptMs(env: Env, name: Period, atLeast = 1): number | null {
  const value: string = env[name];
  const days = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (days === 0) return null;
  if (!(days >= atLeast)) throw new Error(`${name} is "${value}": give 0 to keep for good, or whole days from ${atLeast} on.`);
  return days * DAY_MS;
}
