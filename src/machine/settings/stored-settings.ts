import type { PresentSettings } from "../../objects/set-up.ts";
import type { PlannedOperator, Settings, SettingsHistory } from "../../oee/settings.ts";
import type { UnreadableRows } from "../storage/unreadable-rows.ts";

/**
 * The parts of a machine's settings that change on their own: `shifts`, the standard of each SKU (`sku`), each planned operator (`plan`), and
 * `general`, which is the rest.
 */
const kinds = ["general", "shifts", "sku", "plan"] as const;
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
    const parts = this.#parts("WHERE until > ? OR kind IN ('general', 'shifts') ORDER BY since", from);
    const { general = [], shifts = [], sku = [], plan = [] } = Object.groupBy(parts, ({ kind }) => kind);
    if (general.length === 0) return null;
    const planned = plan.map(plannedOf);
    const bySku = Map.groupBy(sku, ({ key }) => key);
    const standardsAt = (at: number) => (skuId: string) => {
      const standard = bySku.get(skuId)?.findLast((part) => part.since <= at && at < part.until);
      return standard && Number(standard.body);
    };
    const instants = new Set([...general, ...shifts, ...sku].map(({ since }) => since));
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

  /**
   * Makes settings apply from an instant on. Returns whether they differ from those before.
   * @param present `plan` has to include all planned operators from `at` on that are to be known
   */
  save(present: PresentSettings, at: number): boolean {
    const wanted = new Map(partsOf(present, at).map((part) => [identityOf(part, at), part]));
    let isChanged = false;
    for (const part of this.#parts("WHERE until > ?", at)) {
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

  #isReadable({ kind, key, since, body }: Part): boolean {
    const remove = () =>
      void this.#sql.exec("DELETE FROM settings_parts WHERE kind = ? AND key = ? AND since = ?", kind, key, since);
    return this.#unreadable.parse({ table: "settings_parts", key: `${kind} ${key} ${since}` }, body, remove) !== null;
  }
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
