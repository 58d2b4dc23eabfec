/** An object without its undefined members; `{}` for undefined. */
export function defined<T extends object>(members: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members ?? {}).filter(([, value]) => value !== undefined)) as never;
}
