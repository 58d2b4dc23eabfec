import type { DatedPiece } from "../../objects/dated-set-up.ts";
import type { PresentSettings } from "../../objects/set-up.ts";
import type { CalendarDay } from "../../oee/calendar-day.ts";
import type { PlannedOperator, Settings, SettingsHistory } from "../../oee/settings.ts";
import type { UnreadableRows } from "../storage/unreadable-rows.ts";
import { areSame, shiftsWithDated, withDated } from "./dated-settings.ts";

/**
 * The parts of a machine's settings that change on their own: `shifts`, the standard of each SKU (`sku`), each planned operator (`plan`), and
 * `general`, which is the rest. What somebody dated (`dated`) replaces what the others say in its time.
 */
const kinds = ["general", "shifts", "sku", "plan", "dated"] as const;
type Kind = (typeof kinds)[number];

/** A part with the time in which it applies: [since, until). That of a planned operator ends with the plan. */
interface Part {
  kind: Kind;
  key: string;
  since: number;
  until: number;
  /** JSON. */
  body: string;
}

const NO_END = Number.MAX_SAFE_INTEGER;
/** The kind of the one part with all calendar days, which hold by their date. Versions that do not know it leave it alone. */
const DAYS = "days";

/**
 * The settings of a machine over time. Each part is stored once for the time in which it applies, so that a change costs the rows of
 * what changed, however large the rest of the set-up is.
 */
export class StoredSettings {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /**
   * The settings in force from an instant on; null before any are stored. What applied only before the instant is left out, except shifts and
   * general settings: they decide when each shift of the past began.
   */
  history(from: number): SettingsHistory | null {
    const parts = this.#parts("WHERE until > ? OR kind IN ('general', 'shifts', 'dated') ORDER BY since", from);
    const { general = [], shifts = [], sku = [], plan = [], dated = [] } = Object.groupBy(parts, ({ kind }) => kind);
    if (general.length === 0) return null;
    const base = { general, shifts, sku, plan };
    const history = dated.length === 0 ? historyOf(base) : withDatedParts(base, dated);
    const calendarDays = this.calendarDays();
    if (!history || calendarDays.length === 0) return history;
    const [first, ...later] = history;
    return [{ ...first, calendarDays }, ...later];
  }

  calendarDays(): CalendarDay[] {
    const query = "SELECT kind, key, since, until, body FROM settings_parts WHERE kind = ?";
    const [part] = this.#sql.exec<PartRow>(query, DAYS).toArray();
    return part && this.#isReadable(part) ? (JSON.parse(part.body) as CalendarDay[]) : [];
  }

  saveCalendarDays(days: readonly CalendarDay[]): void {
    if (days.length === 0) this.#sql.exec("DELETE FROM settings_parts WHERE kind = ?", DAYS);
    else {
      const query = "INSERT OR REPLACE INTO settings_parts (kind, key, since, until, body) VALUES (?, '', 0, ?, ?)";
      this.#sql.exec(query, DAYS, NO_END, JSON.stringify(days));
    }
  }

  /**
   * Makes settings apply from an instant on. Returns whether they differ from those before.
   * @param present `plan` has to include all planned operators from `at` on that are to be known
   */
  save(present: PresentSettings, at: number): boolean {
    const wanted = new Map(partsOf(present, at).map((part) => [identityOf(part, at), part]));
    let isChanged = false;
    for (const part of this.#parts("WHERE until > ? AND kind <> 'dated'", at)) {
      const id = identityOf(part, at);
      if (wanted.get(id)?.body === part.body) wanted.delete(id);
      else {
        this.#end(part, at);
        isChanged = true;
      }
    }
    for (const { kind, key, since, until, body } of wanted.values()) {
      const query = "INSERT OR REPLACE INTO settings_parts (kind, key, since, until, body) VALUES (?, ?, ?, ?, ?)";
      this.#sql.exec(query, kind, key, since, until, body);
    }
    return isChanged || wanted.size > 0;
  }

  /** Moves the beginning of the machine, which is the same at all times. */
  moveCommissioning(commissionedAt: number): void {
    for (const { kind, key, since, body } of this.#parts("WHERE until > ? AND kind = 'general'", 0)) {
      const moved = JSON.stringify({ ...JSON.parse(body), commissionedAt });
      this.#sql.exec("UPDATE settings_parts SET body = ? WHERE kind = ? AND key = ? AND since = ?", moved, kind, key, since);
    }
  }

  /**
   * What has to change so that exactly these pieces are dated; null: nothing.
   * @param now what ends later has no end yet: settings say when it has ended
   */
  datedChange(pieces: readonly DatedPiece[], now: number): DatedChange | null {
    const wanted = new Map(pieces.flatMap((piece) => this.#datedPart(piece, now)).map((part) => [JSON.stringify(part), part]));
    const gone = this.#datedParts().filter((part) => !wanted.delete(JSON.stringify(part)));
    return gone.length === 0 && wanted.size === 0 ? null : { gone, added: [...wanted.values()] };
  }

  saveDated({ gone, added }: DatedChange): void {
    for (const { kind, key, since } of gone) {
      this.#sql.exec("DELETE FROM settings_parts WHERE kind = ? AND key = ? AND since = ?", kind, key, since);
    }
    for (const { kind, key, since, until, body } of added) {
      const query = "INSERT OR REPLACE INTO settings_parts (kind, key, since, until, body) VALUES (?, ?, ?, ?, ?)";
      this.#sql.exec(query, kind, key, since, until, body);
    }
  }

  #datedParts(): Part[] {
    return this.#parts("WHERE until > ? AND kind = 'dated'", 0);
  }

  /** The part of a piece; none if the settings say something else from its beginning on. */
  #datedPart({ since, until, isNext, isOver = false, of }: DatedPiece, now: number): Part[] {
    const key = "id" in of ? `${of.kind} ${of.id}` : of.kind;
    const end = until !== null && until <= now ? until : isOver ? now : NO_END;
    const next = isNext ? this.#nextChange(of, since) : end;
    if (next === null || next <= since) return [];
    return [{ kind: "dated", key, since, until: Math.min(end, next), body: JSON.stringify({ of }) }];
  }

  /** When the settings themselves say something else of a thing after an instant; null: they never do. */
  #nextChange(of: DatedPiece["of"], at: number): number | null {
    const [kind, key] = of.kind === "standard" ? ["sku", of.id] : [of.kind === "shift" ? "shifts" : "general", ""];
    const query = "SELECT min(since) AS at FROM settings_parts WHERE kind = ? AND key = ? AND since > ?";
    return this.#sql.exec<{ at: number | null }>(query, kind, key, at).one().at;
  }

  deleteAll(): void {
    this.#sql.exec("DELETE FROM settings_parts");
  }

  #end({ kind, key, since }: Part, at: number): void {
    const row = "WHERE kind = ? AND key = ? AND since = ?";
    if (since >= at) this.#sql.exec(`DELETE FROM settings_parts ${row}`, kind, key, since);
    else this.#sql.exec(`UPDATE settings_parts SET until = ? ${row}`, at, kind, key, since);
  }

  #parts(where: string, ...bindings: [number] | [number, number]): Part[] {
    const query = `SELECT kind, key, since, until, body FROM settings_parts ${where}`;
    const [first, second] = bindings;
    const rows = second === undefined ? this.#sql.exec<PartRow>(query, first) : this.#sql.exec<PartRow>(query, first, second);
    // Parts of other kinds belong to a later version, which was rolled back.
    return rows.toArray().filter((part) => kinds.includes(part.kind) && this.#isReadable(part));
  }

  #isReadable({ kind, key, since, body }: Omit<Part, "kind"> & { kind: string }): boolean {
    const remove = () =>
      void this.#sql.exec("DELETE FROM settings_parts WHERE kind = ? AND key = ? AND since = ?", kind, key, since);
    return this.#unreadable.parse({ table: "settings_parts", key: `${kind} ${key} ${since}` }, body, remove) !== null;
  }
}

/** Parts of what somebody dated that a change deletes and adds. */
export interface DatedChange {
  gone: readonly Part[];
  added: readonly Part[];
}

/** The SKUs whose standards a change is of. */
export function skusOf({ gone, added }: DatedChange): string[] {
  return [...gone, ...added].flatMap(({ body }) => {
    const { of } = JSON.parse(body) as { of: DatedPiece["of"] };
    return of.kind === "standard" ? [of.id] : [];
  });
}

type Base = Record<"general" | "shifts" | "sku" | "plan", Part[]>;

/** @param more instants at which something else changes */
function historyOf({ general, shifts, sku, plan }: Base, more: readonly number[] = []): SettingsHistory | null {
  const planned = plan.map(plannedOf);
  const bySku = Map.groupBy(sku, ({ key }) => key);
  const standardsAt = (at: number) => (skuId: string) => {
    const standard = bySku.get(skuId)?.findLast((part) => part.since <= at && at < part.until);
    return standard && Number(standard.body);
  };
  const instants = new Set([...more, ...[...general, ...shifts, ...sku].map(({ since }) => since)]);
  for (const { until } of sku) if (until < NO_END) instants.add(until);
  const generalAt = inTurn<Omit<Settings, "since" | "skuStandardsMs" | "shifts" | "plan">>(general);
  const shiftsAt = inTurn<Settings["shifts"]>(shifts);
  const [first, ...later] = [...instants]
    .sort((a, b) => a - b)
    .map((since) => ({
      ...generalAt(since),
      since,
      shifts: shiftsAt(since),
      plan: planned,
      skuStandardsMs: standardsAt(since),
    }));
  return first ? [first, ...later] : null;
}

/** The history with what somebody dated. Instants at which nothing changes are left out: parts of shifts begin anew at each. */
function withDatedParts(base: Base, parts: readonly Part[]): SettingsHistory | null {
  const dated = parts.map(({ since, until, body }) => ({ since, until, of: (JSON.parse(body) as { of: DatedPiece["of"] }).of }));
  const instants = dated.flatMap(({ since, until }) => (until < NO_END ? [since, until] : [since]));
  const standards = Map.groupBy(dated, ({ of }) => (of.kind === "standard" ? of.id : undefined));
  const whole = historyOf(base, instants)?.map((settings) => {
    const { since, shifts, plan, skuStandardsMs, ...general } = settings;
    const present = dated.filter((one) => one.since <= since && since < one.until) as never as DatedPiece[];
    const isPresent = (one: { since: number; until: number }) => one.since <= since && since < one.until;
    return {
      ...withDated(general, present),
      since,
      shifts: shiftsWithDated(shifts, present),
      plan,
      skuStandardsMs: (skuId: string) => {
        const own = standards.get(skuId)?.findLast(isPresent);
        if (own?.of.kind === "standard") return own.of.standardMs ?? undefined;
        return typeof skuStandardsMs === "function" ? skuStandardsMs(skuId) : skuStandardsMs[skuId];
      },
    };
  });
  if (!whole) return null;
  const skuIds = [...new Set([...base.sku.map(({ key }) => key), ...standards.keys()])].filter((id) => id !== undefined);
  const [first, ...later] = whole.filter((settings, i) => {
    const before = whole[i - 1];
    return !before || !areSame(before, settings, skuIds);
  });
  return first ? [first, ...later] : null;
}

type PartRow = Part & Record<string, SqlStorageValue>;

function partsOf({ skuStandardsMs, shifts, plan, ...general }: PresentSettings, at: number): Part[] {
  const lasting = (kind: Kind, key: string, body: unknown) => ({
    ...{ kind, key, since: at, until: NO_END, body: JSON.stringify(body) },
  });
  return [
    lasting("general", "", general),
    lasting("shifts", "", shifts),
    ...Object.entries(skuStandardsMs).map(([skuId, standardMs]) => lasting("sku", skuId, standardMs)),
    ...plan.filter(({ until }) => until > at).map((planned) => planPart(planned, at)),
  ];
}

function planPart({ operatorId, shiftId, since, until }: PlannedOperator, at: number): Part {
  const body = JSON.stringify({ operatorId, shiftId });
  return { kind: "plan", key: `${operatorId}:${shiftId}:${until}`, since: Math.max(since, at), until, body };
}

function plannedOf({ since, until, body }: Part): PlannedOperator {
  return { ...(JSON.parse(body) as Pick<PlannedOperator, "operatorId" | "shiftId">), since, until };
}

/** The same for parts that say the same from an instant on. */
function identityOf({ kind, key, since }: Part, at: number): string {
  return kind === "plan" ? `${kind} ${key} ${Math.max(since, at)}` : `${kind} ${key}`;
}

/** Returns a function that looks up the values of parts, in order, at instants that do not go back. Each body is parsed once. */
function inTurn<T>(parts: readonly Part[]): (at: number) => T {
  let next = 0;
  let value: T | undefined;
  return (at) => {
    for (let part = parts[next]; part && (part.since <= at || value === undefined); part = parts[++next]) {
      value = JSON.parse(part.body) as T;
    }
    return value as T;
  };
}
