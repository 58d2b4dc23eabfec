import { z } from "zod";

const unitsMs = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration as people write it in the configuration: "500ms", "30s", "5min", "72h", "14d". Read as milliseconds. */
export const duration = z
  .string()
  .regex(/^\d{1,9}(?:ms|s|min|h|d)$/, 'must be a duration, such as "500ms", "30s", "5min", "72h" or "14d"')
  .transform((text) => {
    const unit = text.replace(/^\d+/, "") as keyof typeof unitsMs;
    return Number.parseInt(text, 10) * unitsMs[unit];
  });

/** A number of bytes: "500MB", "2GB". Read as bytes; a MB has 1,000,000. */
export const byteSize = z
  .string()
  .regex(/^\d{1,6}(?:MB|GB)$/, 'must be a size, such as "500MB" or "2GB"')
  .transform((text) => Number.parseInt(text, 10) * (text.endsWith("GB") ? 1e9 : 1e6));
