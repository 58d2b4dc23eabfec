import type { Reading } from "../sources/source.ts";

/** A number as a source gave it: whole ones as bigint, since counters of 64 bits do not fit into a number. Null: it is no number. */
export function numberOf(value: Reading["value"]): bigint | number | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return whole(value);
  const text = value.trim();
  if (/^[+-]?\d{1,30}$/.test(text)) return BigInt(text.replace("+", ""));
  return /^[+-]?\d{0,30}\.?\d{1,30}(?:e[+-]?\d{1,3})?$/i.test(text) ? whole(Number(text)) : null;
}

function whole(value: number): bigint | number | null {
  if (!Number.isFinite(value)) return null;
  return Number.isInteger(value) ? BigInt(value) : value;
}

/** `to - from`, without loss if both are whole. */
export function difference(to: bigint | number, from: bigint | number): bigint | number {
  return typeof to === "bigint" && typeof from === "bigint" ? to - from : Number(to) - Number(from);
}

/** The level of a contact; null: the value is none. */
export function levelOf(value: Reading["value"]): 0 | 1 | null {
  if (typeof value === "string" && /^(?:true|on|closed)$/i.test(value.trim())) return 1;
  if (typeof value === "string" && /^(?:false|off|open)$/i.test(value.trim())) return 0;
  const number = numberOf(value);
  if (number === null) return null;
  return Number(number) === 0 ? 0 : 1;
}
