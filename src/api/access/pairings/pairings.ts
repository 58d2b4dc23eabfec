import { createHmac, randomBytes } from "node:crypto";
import { refuseAbove } from "../../../core/actor.ts";
import { beginnings, tokenHashOf } from "../../../core/bearer-token.ts";
import type { Caller, Visitor } from "../../../core/caller.ts";
import { invalid, notFound, type Problem } from "../../../core/problem.ts";
import { codeFrom, newCode, shownCode } from "../../../core/short-code.ts";
import type { CompanyDb, DirectoryDb } from "../../../db/client.ts";
import { violatedUnique } from "../../../db/errors.ts";
import { uncount } from "../../../directory/attempts.ts";
import {
  findPairing,
  findTakenPairing,
  giveBackPairing,
  insertPairing,
  type PairingRow,
  takePairing,
  takePairingAgain,
} from "../../../directory/pairings.ts";
import { isoOf } from "../../../oee/time.ts";
import { createItem } from "../../../resource/items.ts";
import { areOwned, type SetUpTable, selectOwned } from "../../../resource/queries.ts";
import type { Item } from "../../../resource/resource.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../../resource/rules.ts";
import { lineTable } from "../../plant/lines/queries.ts";
import { machineTable } from "../../plant/machines/queries.ts";
import type { ApiTokenRow } from "../api-tokens/queries.ts";
import { apiTokens } from "../api-tokens/resource.ts";
import { countAttempt } from "../count-attempt.ts";
import { findDisplayToken } from "./queries.ts";

// How a display without a keyboard gets its token: it shows a code, an admin enters it on another device, and the display fetches the token. The
// token is derived from the secret that only the display has, so it is the same each time it is fetched, and is never stored.

/** How long a code can be confirmed, and how long after that the display can fetch its token. */
export const pairingMs = 10 * 60_000;

/** Limits per 15 minutes: pairings of a kind that displays behind one address may begin, and wrong codes that a user may enter. */
const maxDisplays = 100;
const maxCodes = 20;

/** How the tokens of displays begin, by kind, and what they may do. */
const tokens = {
  wall: { beginning: beginnings.program, rights: { role: "readonly", isReadOnly: true } },
  terminal: { beginning: beginnings.bound, rights: { role: "user", isReadOnly: false } },
} as const;

/** The displays that are paired. */
type DisplayKind = keyof typeof tokens;

/** The status of a pairing as its display sees it. */
type PairingStatus = "pending" | "confirmed" | "expired";

/** What a pairing gives its display. */
type Given = NonNullable<Awaited<ReturnType<typeof findDisplayToken>>> & Pick<PairingRow, "lineIds" | "distance">;

/** The members that an admin enters for every display. */
interface DisplaySetting {
  code: string;
  name: string;
  companyId?: number | undefined;
}

/** The members that an admin enters for a wall. */
export interface WallSetting extends DisplaySetting {
  lineIds: readonly number[] | null;
  distance: number;
}

/** The members that an admin enters for a terminal. */
export interface TerminalSetting extends DisplaySetting {
  machineIds: readonly number[];
}

/** Begins a pairing for a client of a network ("": none, as in tests; not counted). Throws 429 if too many were begun from there. */
export async function beginPairing({ directory }: Visitor, kind: DisplayKind, network: string) {
  const now = Date.now();
  const detail = `Too many ${kind}s asked to be paired from this address.`;
  if (network !== "") await countAttempt(directory, `${kind}s|${network}`, maxDisplays, `${detail} Try again later.`);
  const id = crypto.randomUUID();
  const secret = `andon_pair_${randomBytes(32).toString("base64url")}`;
  const code = newCode();
  const expiresAt = now + pairingMs;
  const tokenHash = tokenHashOf(tokenOf(kind, secret));
  await insertPairing(directory, { id, kind, code, tokenHash, expiresAt, createdAt: now });
  return { id, code: shownCode(code), secret, expiresAt: isoOf(expiresAt) };
}

/** A pairing of a wall, for the wall that has its secret. Throws 404 for everyone else. */
export async function getWallPairing(visitor: Visitor, id: string, secret: string) {
  const { given, ...pairing } = await getPairing(visitor, "wall", id, secret);
  const nothing = { companyId: null, name: null, lineIds: null, distance: null };
  if (!given) return { ...pairing, ...nothing };
  const { companyId, name, lineIds, distance } = given;
  return { ...pairing, companyId, name, lineIds: lineIds && [...lineIds], distance };
}

/** A pairing of a terminal, for the terminal that has its secret. Throws 404 for everyone else. */
export async function getTerminalPairing(visitor: Visitor, id: string, secret: string) {
  const { given, ...pairing } = await getPairing(visitor, "terminal", id, secret);
  if (!given) return { ...pairing, companyId: null, name: null, machineIds: null };
  const { companyId, name, machineIds } = given;
  return { ...pairing, companyId, name, machineIds: machineIds && [...machineIds] };
}

/** A pairing, and what it gives its display: undefined unless it is confirmed. Throws 404 without its secret. */
async function getPairing({ db, directory }: Visitor, kind: DisplayKind, id: string, secret: string) {
  const token = tokenOf(kind, secret);
  const found = await findPairing(directory, id);
  if (found?.tokenHash !== tokenHashOf(token))
    throw notFound("There is no such pairing, it has expired, or the secret is wrong.");
  const { expiresAt, confirmedAt, lineIds, distance } = found;
  const stored = confirmedAt === null ? undefined : await findDisplayToken(db, found.tokenHash);
  const isOver = expiresAt <= Date.now() || (confirmedAt !== null && !stored);
  const waiting = confirmedAt === null ? "pending" : "confirmed";
  const status: PairingStatus = isOver ? "expired" : waiting;
  const given: Given | undefined = status === "confirmed" && stored ? { ...stored, lineIds, distance } : undefined;
  return { id, status, expiresAt: isoOf(expiresAt), token: given ? token : null, given };
}

/** Gives the wall that shows a code a read-only API token. Returns the token's item. Throws 429 if the caller entered too many codes. */
export function confirmWall(caller: Caller, { lineIds, distance, ...setting }: WallSetting): Promise<Item> {
  const named = { member: "lineIds", ids: lineIds ?? [], table: lineTable, noun: "line" };
  return confirmPairing(caller, "wall", setting, { named, shown: { lineIds, distance }, values: { machineIds: null } });
}

/**
 * Gives the terminal that shows a code an API token that is bound to machines. Returns the token's item. Throws 429 if the caller entered too many
 * codes.
 */
export function confirmTerminal(caller: Caller, { machineIds, ...setting }: TerminalSetting): Promise<Item> {
  const named = { member: "machineIds", ids: machineIds, table: machineTable, noun: "machine" };
  return confirmPairing(caller, "terminal", setting, { named, shown: {}, values: { machineIds } });
}

/** What confirming a display depends on, and stores. */
interface Confirmation {
  /** The things of the company that the display is for. */
  named: { member: string; ids: readonly number[]; table: SetUpTable; noun: string };
  /** Values of the pairing. */
  shown: Pick<Partial<PairingRow>, "lineIds" | "distance">;
  /** Values of the token. */
  values: Pick<Partial<ApiTokenRow>, "machineIds">;
}

/**
 * Gives the display that shows a code its API token. Returns the token's item. Throws 429 if the caller entered too many codes.
 *
 * The code is in the directory, the token in the database of its company. So the code is taken first, and given back if the token was not stored.
 * If the service ends in between, the same company can enter the code again.
 */
async function confirmPairing(
  caller: Caller,
  kind: DisplayKind,
  { companyId, name, code }: DisplaySetting,
  confirmation: Confirmation,
): Promise<Item> {
  const { directory } = caller;
  const now = Date.now();
  const key = `codes|${caller.actor.userId}`;
  await countAttempt(directory, key, maxCodes, "Too many codes were entered. Try again later.");
  const taken = new ShownCode(directory, kind, code, confirmation.shown, now);
  const program = { name, ...tokens[kind].rights, isOfCompany: true, expiresAt: null };
  try {
    const item = await createItem(caller, apiTokens, { ...program, companyId }, { rule: confirming(confirmation, taken) });
    await uncount(directory, key);
    return item;
  } catch (error) {
    await taken.giveBackUnlessUsed(caller.db);
    // Somebody else of the company entered the code at the same time.
    throw violatedUnique(error) === "api_tokens.token_hash" ? notShown(kind) : error;
  }
}

/** The code that a display shows, which can be taken once. */
class ShownCode {
  readonly #directory: DirectoryDb;
  readonly #kind: DisplayKind;
  readonly #code: string;
  readonly #shown: Confirmation["shown"];
  readonly #now: number;
  #taken: Awaited<ReturnType<typeof takePairing>>;

  constructor(directory: DirectoryDb, kind: DisplayKind, code: string, shown: Confirmation["shown"], now: number) {
    this.#directory = directory;
    this.#kind = kind;
    this.#code = codeFrom(code);
    this.#shown = shown;
    this.#now = now;
  }

  /** Takes it for a company. Returns the hash of the display's token; throws 400 if no display of the kind shows it. */
  async take(db: CompanyDb, companyId: number): Promise<string> {
    const shown = { kind: this.#kind, code: this.#code };
    const values = { companyId, ...this.#shown, expiresAt: this.#now + pairingMs };
    // A write may be decided several times.
    this.#taken ??= await takePairing(this.#directory, shown, this.#now, values);
    if (!this.#taken) {
      const left = await findTakenPairing(this.#directory, shown, companyId, this.#now);
      const isUsed = left === undefined || (await findDisplayToken(db, left.tokenHash)) !== undefined;
      this.#taken = isUsed ? undefined : await takePairingAgain(this.#directory, left, this.#now, values);
    }
    if (this.#taken) return this.#taken.tokenHash;
    throw notShown(this.#kind);
  }

  /** Releases the code, unless the display's token was stored: an error does not say whether it was. */
  async giveBackUnlessUsed(db: CompanyDb): Promise<void> {
    if (!this.#taken) return;
    const { id, tokenHash, createdAt } = this.#taken;
    if (await findDisplayToken(db, tokenHash)) return;
    await giveBackPairing(this.#directory, id, createdAt + pairingMs);
  }
}

function notShown(kind: DisplayKind): Problem {
  return invalid([{ pointer: "/code", code: "not_found", message: `is not a code that a ${kind} shows now` }]);
}

/** The rule for creating a display's token. */
function confirming({ named: { member, ids, table, noun }, values }: Confirmation, code: ShownCode) {
  return rule(
    (db, { owner }: RuleContext<object>) => [selectOwned(db, table, owner, ids)],
    async ({ db, actor, next }: RuleInput<ApiTokenRow>, owned) => {
      refuseAbove(actor, next.role);
      refuse(unknownIds(ids, owned, (i) => `/${member}/${i}`, `is not a ${noun} of this company`));
      const tokenHash = await code.take(db, next.companyId);
      return {
        // The hash is a column of the table, but is never read into its rows.
        values: { createdBy: actor.userId, lastUsedAt: null, ...values, ...{ tokenHash } },
        expect: ids.length > 0 ? [areOwned(table, next.companyId, ids)] : [],
      };
    },
  );
}

/** The API token of the display that has this secret. */
function tokenOf(kind: DisplayKind, secret: string): string {
  return `${tokens[kind].beginning}${createHmac("sha256", secret).update(`API token of a ${kind}`).digest("base64url")}`;
}
