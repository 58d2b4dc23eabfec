import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { codesOf, eventCodes } from "../../../core/fault-codes.ts";
import { namedRef } from "../../../core/refs.ts";
import { importFormats, importStates } from "../../../db/values.ts";
import { DAY_MS, isoOf } from "../../../oee/time.ts";
import type { ImportRow } from "./queries.ts";

/** How long the file and the errors of an import are kept. */
export const FILE_KEPT_MS = 30 * DAY_MS;
/** The most errors that are named. */
export const MOST_ERRORS = 1000;

const timestamp = z.iso.datetime();

export const importItem = z
  .object({
    id: z.int(),
    companyId: z.int(),
    format: z.enum(importFormats),
    state: z.enum(importStates).openapi({
      description: `\`receiving\`: its file is arriving. \`waiting\`: for another import. \`running\`: its lines are being taken. \`done\`: all were; the numbers of past shifts follow. \`failed\`: it ended early,
see \`reason\`. \`undoing\`, \`undone\`: its events count for nothing any more`,
    }),
    progress: z.number().openapi({ description: "The part of the file that is done, from 0 to 1" }),
    bytes: z.int().openapi({ description: "The size of the file, decompressed" }),
    sha256: answerText.nullable().openapi({ description: "Of the file, hexadecimal; null: it is arriving" }),
    accepted: z.int().openapi({ description: "Lines whose events were stored" }),
    duplicates: z.int().openapi({ description: "Lines whose events were stored before, by this import or otherwise" }),
    held: z.int().openapi({
      description: "Of the accepted ones, counts that are more than the machine can have made: see `GET /v1/held-events`",
    }),
    failed: z
      .int()
      .openapi({ description: `Lines that were refused. The first ${MOST_ERRORS} are in \`GET /v1/imports/{id}/errors\`` }),
    reason: answerText.nullable().openapi({ description: "Of `failed`: why" }),
    createdBy: namedRef.nullable(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable().openapi({ description: "When the last line was done" }),
    undoneAt: timestamp.nullable(),
    fileKeptUntil: timestamp.nullable().openapi({ description: "When the file and the errors are deleted; null: they were" }),
  })
  .openapi("Import");
export type ImportItem = z.infer<typeof importItem>;

/** Why a line is refused besides what refuses an event. */
const lineCodes = ["malformed_json", "malformed_utf8", "invalid_line"] as const;

export const importError = z
  .object({
    line: z.int().openapi({ description: "Its number in the file, from 1. The header of a CSV file is line 1" }),
    offset: z.int().openapi({ description: "Where it begins: the byte of the file, from 0" }),
    member: answerText.nullable().openapi({ description: "The member that is wrong; null: the line as a whole" }),
    code: z.enum([...codesOf(eventCodes), ...lineCodes]),
    message: answerText,
  })
  .openapi("ImportError");
export type ImportError = z.infer<typeof importError>;

export function importOf({ row, userName }: { row: ImportRow; userName: string | null }): ImportItem {
  const { id, companyId, format, state, bytes, sha256, offset, accepted, duplicates, held, failed, reason } = row;
  return {
    ...{ id, companyId, format, state },
    progress: bytes === 0 ? 0 : Math.floor((offset / bytes) * 1000) / 1000,
    ...{ bytes, sha256, accepted, duplicates, held, failed, reason },
    createdBy: userName === null ? null : { id: row.userId, name: userName },
    createdAt: isoOf(row.createdAt),
    finishedAt: isoOf(row.finishedAt),
    undoneAt: isoOf(row.undoneAt),
    fileKeptUntil: row.fileDeletedAt === null ? isoOf(row.createdAt + FILE_KEPT_MS) : null,
  };
}

/** The key of an import's file in the bucket ARCHIVE. */
export function keyOf({ companyId, id }: { companyId: number; id: number }): string {
  return `imports/${companyId}/${id}`;
}
