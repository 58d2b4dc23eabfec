import type { StoredEvent } from "../inputs/stored-event.ts";

/** What a machine knows of an import whose events it has. Times are epoch ms, both included. */
export interface StoredImport {
  from: number;
  until: number;
  /** Whether its events count for nothing any more. */
  isWithdrawn: boolean;
}

/** The piece of an import that a machine took last, and how far: so that a piece that is sent again is continued, and has the same results. */
export interface TakenPiece {
  importId: number;
  /** Where the piece begins in the file. */
  offset: number;
  /** The result of each of its events, in their order; 0: not taken yet. */
  results: Uint8Array;
  /** What the results from `FIRST_REFUSAL` on mean. */
  refusals: { code: string; message: string }[];
}

const IMPORTS = "imports";
const PIECE = "piece of import";

/** The imports of a machine: two values of their own, which only imports change. */
export class StoredImports {
  readonly #kv: SyncKvStorage;
  #all: Readonly<Record<number, StoredImport>> | null = null;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** Drops what is in memory, because it was not stored. */
  reload(): void {
    this.#all = null;
  }

  get(importId: number): StoredImport | null {
    return this.#known()[importId] ?? null;
  }

  save(importId: number, stored: StoredImport): void {
    this.#all = { ...this.#known(), [importId]: stored };
    this.#kv.put(IMPORTS, this.#all);
  }

  piece(): TakenPiece | null {
    return this.#kv.get<TakenPiece>(PIECE) ?? null;
  }

  savePiece(piece: TakenPiece | null): void {
    if (piece) this.#kv.put(PIECE, piece);
    else this.#kv.delete(PIECE);
  }

  /** Whether a stored event counts for nothing, because its import was withdrawn. */
  isWithdrawn({ importId }: Pick<StoredEvent, "importId">): boolean {
    return importId !== undefined && (this.#known()[importId]?.isWithdrawn ?? false);
  }

  #known(): Readonly<Record<number, StoredImport>> {
    this.#all ??= this.#kv.get<Record<number, StoredImport>>(IMPORTS) ?? {};
    return this.#all;
  }
}
