/** Reads a value of D1: the `mapWith` of an expression, or a column. */
interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

/** A member of a row. Without a decoder its value stays as D1 has it. */
export interface Member {
  name: string;
  decoder: Decoder | null;
}

/** Returns a function that builds a row from its values, which are in the order of the members. */
export function rowMaker(members: readonly Member[]): (values: readonly unknown[]) => Record<string, unknown> {
  return (values) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < members.length; i++) {
      const { name, decoder } = members[i] as Member;
      const value = values[i];
      row[name] = value === null || decoder === null ? value : decoder.mapFromDriverValue(value);
    }
    return row;
  };
}
