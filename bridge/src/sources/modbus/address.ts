import { z } from "zod";

/** The four tables of a Modbus device. */
const tables = ["coil", "discrete", "holding", "input"] as const;
export type Table = (typeof tables)[number];

const place = z.int().min(0).max(65_535).optional();

/**
 * Where a value is. Addresses begin at 0, as they are in the protocol: the register that a manual calls 40001 or 4x0001 is `holding = 0`, 30001 is
 * `input = 0`, and 10001 is `discrete = 0`.
 */
export const addressSchema = z
  .strictObject({
    coil: place,
    discrete: place,
    holding: place,
    input: place,
    words: z
      .union([z.literal(1), z.literal(2), z.literal(4)])
      .default(1)
      .meta({ description: "Registers of the value: 1, 2 or 4 for 16, 32 or 64 bits" }),
    order: z.enum(["ABCD", "CDAB", "BADC", "DCBA"]).default("ABCD").meta({
      description:
        "The order of the bytes. ABCD: as the protocol has them. CDAB: the low word first. BADC: the bytes of each word the other way round. DCBA: both",
    }),
    signed: z.boolean().default(false),
    unit: z.int().min(0).max(255).optional().meta({ description: "The unit id, if it is another than the source's" }),
  })
  .refine((address) => tables.filter((table) => address[table] !== undefined).length === 1, {
    message: "must name exactly one of coil, discrete, holding and input",
  })
  .refine((address) => isRegister(tableOf(address)) || (address.words === 1 && address.order === "ABCD" && !address.signed), {
    message: "words, order and signed are of registers, and a coil or a discrete input is a single bit",
  })
  .refine((address) => (address[tableOf(address)] ?? 0) + address.words <= 65_536, {
    message: "the value must end at register 65535",
  });
export type Address = z.infer<typeof addressSchema>;

export function tableOf(address: Partial<Record<Table, number | undefined>>): Table {
  return tables.find((table) => address[table] !== undefined) ?? "holding";
}

export function isRegister(table: Table): boolean {
  return table === "holding" || table === "input";
}

/** As it stands in the configuration, for messages. */
export function addressText(address: Address): string {
  const table = tableOf(address);
  return `${table} ${address[table]}`;
}

/** What a manual may have meant, if an address is one of its numbers: 40101 is the holding register 100. */
export function numberingHint(table: Table, start: number): string {
  const first = { coil: 1, discrete: 10_001, input: 30_001, holding: 40_001 }[table];
  return start >= first && table !== "coil"
    ? `. Addresses begin at 0 here: the register ${start} of a manual is ${table} = ${start - first}`
    : "";
}

/** The value of one, two or four registers; of four as a bigint, because it may have more than 53 bits. */
export function valueOfWords(words: readonly number[], order: Address["order"], isSigned: boolean): number | bigint {
  const highFirst = order === "CDAB" || order === "DCBA" ? words.toReversed() : words;
  const areSwapped = order === "BADC" || order === "DCBA";
  const unsigned = highFirst.reduce(
    (value, word) => (value << 16n) | BigInt(areSwapped ? ((word & 0xff) << 8) | (word >> 8) : word),
    0n,
  );
  const value = isSigned ? BigInt.asIntN(16 * words.length, unsigned) : unsigned;
  return words.length === 4 ? value : Number(value);
}
