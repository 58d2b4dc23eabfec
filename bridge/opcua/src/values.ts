import { DataType, type DataValue, type Variant, VariantArrayType } from "node-opcua-client";

/** What a data value says: a value for the pipeline, or why there is none. */
export type Read = { value: number | bigint | boolean | string; why: null } | { value: null; why: string };

export function readValue({ statusCode, value }: DataValue): Read {
  // Good and Uncertain values are values; of an uncertain one the server says itself that it is only old or doubtful.
  if (statusCode.isBad()) return { value: null, why: statusCode.name };
  const plain = value ? plainOf(value) : null;
  return plain === null ? { value: null, why: typeText(value) } : { value: plain, why: null };
}

/** When the value was so by the server's clock, epoch ms; null: it does not say. */
export function timeOf({ sourceTimestamp, serverTimestamp }: DataValue): number | null {
  const at = (sourceTimestamp ?? serverTimestamp)?.getTime();
  // A server without a clock says 1601, or its own start of time.
  return at === undefined || at < Date.UTC(2000, 0) ? null : at;
}

function plainOf({ dataType, arrayType, value }: Variant): number | bigint | boolean | string | null {
  if (arrayType !== VariantArrayType.Scalar || value === null || value === undefined) return null;
  if (dataType === DataType.Int64 || dataType === DataType.UInt64) return wholeOf(dataType, value as [number, number]);
  if (dataType === DataType.LocalizedText) return (value as { text: string | null }).text;
  if (dataType === DataType.Float || dataType === DataType.Double) return Number.isFinite(value) ? (value as number) : null;
  return ["number", "boolean", "string"].includes(typeof value) ? (value as number | boolean | string) : null;
}

/** The library gives 64 bits as two halves. */
function wholeOf(dataType: DataType, [high, low]: readonly [number, number]): bigint {
  const bits = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  return dataType === DataType.Int64 ? BigInt.asIntN(64, bits) : bits;
}

function typeText(value: Variant | null | undefined): string {
  if (!value || value.dataType === DataType.Null) return "has no value";
  const type = DataType[value.dataType];
  if (value.arrayType !== VariantArrayType.Scalar) return `is an array of ${type}, and no single value`;
  return `is a ${type} that is no number, truth value or text`;
}

/** A value for people. */
export function valueText(read: Read): string {
  return read.why === null ? String(read.value) : read.why;
}
