import { z } from "zod";
import { duration } from "../../config/duration.ts";
import { signalMembers, sourceMembers } from "../../config/signal.ts";
import { isZone } from "./times.ts";

/** A folder into which machines or programs write CSV files. */
export const filesConfig = z.strictObject({
  ...sourceMembers,
  type: z.literal("files"),
  folder: z
    .string()
    .min(1)
    .max(1000)
    .meta({ description: "It is looked into; read files go to done/ in it, faulty ones to faulty/" }),
  suffix: z.string().min(1).max(50).default(".csv").meta({ description: "Only files whose names end so are read" }),
  every: duration
    .refine((ms) => ms >= 50, "must be at least 50ms")
    .default(5000)
    .meta({ description: "How often the folder is looked into" }),
  settle: duration.default(10_000).meta({ description: "A file is complete when it has not grown for so long" }),
  delimiter: z.enum([";", ",", "\t"]).optional().meta({ description: "Without it: the one of which the first line has most" }),
  decimal: z.enum([".", ","]).default(".").meta({ description: "What stands before the decimal places" }),
  encoding: z.enum(["utf-8", "windows-1252", "utf-16le"]).default("utf-8"),
  time: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "The column with the time. Without it: when the file was written" }),
  zone: z
    .string()
    .refine(isZone, 'must be an IANA time zone or an offset, such as "Europe/Madrid" or "+01:00"')
    .optional()
    .meta({ description: "Of times that say no offset" }),
  date_order: z.enum(["ymd", "dmy", "mdy"]).default("ymd").meta({ description: 'Of dates such as "05.01.2026"' }),
  signal: z
    .array(
      z.strictObject({
        ...signalMembers,
        column: z.string().min(1).max(200).meta({ description: "The name of the column in the first line" }),
        when: z
          .record(z.string(), z.string())
          .optional()
          .meta({ description: 'Only of rows with these values: { Machine = "P1" }' }),
      }),
    )
    .min(1)
    .max(500),
});
export type FilesConfig = z.infer<typeof filesConfig>;
