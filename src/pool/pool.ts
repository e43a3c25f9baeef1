import type { Assessment, RankingFeatures } from "../contract/people/assessment.ts";
import type { Card } from "../contract/people/developer.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { ProfileAnalysis } from "../contract/people/profile-analysis.ts";
import { type DatabaseKind, openDatabase } from "../sqlite/database.ts";
import { createDecisions, type Decisions } from "./decisions.ts";
import { createPoolErasure, type PoolErasure } from "./erasure/pool-erasure.ts";
import type { SaltSource } from "./erasure/suppression.ts";
import { createImporting } from "./importing/importing.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import erasure from "./migrations/0001_erasure.sql" with { type: "text" };
import decision from "./migrations/0002_decision.sql" with { type: "text" };
import { readPool } from "./read-pool.ts";
import { findStoredDeveloper, type StoredDeveloper } from "./stored-developer.ts";

export type { Decisions, IdentityDecisionRecord } from "./decisions.ts";
export type { ErasureReceipt, PoolErasure } from "./erasure/pool-erasure.ts";
export type { StoredDeveloper } from "./stored-developer.ts";

/** The developers we hold. */
export interface Pool {
  /** Grows by one with every visible change, by whichever process; 0 is an empty, new pool. */
  revision(): number;
  size(): number;
  /** Without regard to case; bots and assistants too. */
  findCard(login: string): Card | undefined;
  findAnalysis(login: string): ProfileAnalysis | undefined;
  findFacts(login: string): Facts | undefined;
  /** What ranks one developer, and in which row; bots and assistants too. */
  findRankingFeatures(
    login: string,
  ): { readonly rowId: number; readonly standing: RankingFeatures } | undefined;
  /** Cards by row id. Rows of the revision before stay readable until the index has moved on. */
  cards(rowIds: readonly number[]): ReadonlyMap<number, Card>;
  /** All that the index needs, searchable people only, of the newest revision; streamed. */
  rankingFeatures(): Iterable<{ readonly rowId: number; readonly standing: RankingFeatures }>;
  /** Every visible developer's facts, by login in code-unit order: what `export` writes. */
  facts(): Iterable<Facts>;
  /** Every visible login, in code-unit order, at once: what a run over the pool that writes walks along. */
  logins(): readonly string[];
  sources(): readonly Source[];
  /**
   * Stages an import: nothing of it is seen before `commit`, everything after, by one switch of the revision.
   * A login already held is replaced.
   */
  beginImport(source: string): Import;
  /** Everything held of one developer, for the developer: row, place and history included. */
  findStoredDeveloper(login: string): StoredDeveloper | undefined;
  /** What the operator has decided about who is who. */
  readonly decisions: Decisions;
  /** Forgets people for good: see docs/erasure.md. */
  readonly erasing: PoolErasure;
}

export interface Import {
  /**
   * Stages a batch in short transactions (at most about 50 ms each).
   *
   * @returns who was left out: those on the suppression list. Never to be shown by name.
   */
  put(batch: readonly Assessment[]): readonly Assessment[];
  /** Makes this import also remove these developers; a login that is not held is passed over. */
  remove(logins: readonly string[]): void;
  /** Makes this import also remove every developer of another source, e.g. the demo people. */
  removeSource(source: string): void;
  /** @returns the new revision and what changed. */
  commit(): {
    readonly revision: number;
    readonly added: number;
    readonly replaced: number;
    readonly unchanged: number;
    readonly removed: number;
    /** Left out, since somebody had them forgotten. */
    readonly suppressed: number;
  };
  abort(): void;
}

export interface Source {
  readonly source: string;
  readonly developers: number;
  /** ISO 8601, UTC. */
  readonly lastImportAt: string;
}

/** For `openStore`, backup and doctor: what the pool's file is. */
export const poolFile: DatabaseKind = {
  name: "pool",
  // "RPOL" in ASCII.
  applicationId: 0x52504f4c,
  migrations: [first, erasure, decision],
};

/**
 * Opens the pool, or makes an empty one. Any number of processes may read while one imports.
 *
 * @param path a file, or ":memory:".
 * @throws Fault when the file cannot be served; `beginImport` throws it while another import runs.
 */
export function openPool(path: string, { now, random = systemRandom }: PoolOptions): OpenPool {
  const store = openDatabase(path, poolFile);
  const erasing = createPoolErasure(store, { now, random });
  const importing = createImporting({ store, path, now, isSuppressed: erasing.isSuppressed });
  return {
    ...readPool(store),
    beginImport: importing.begin,
    findStoredDeveloper: (login) => findStoredDeveloper(store, login),
    decisions: createDecisions(store, { now, random }),
    erasing,
    close() {
      importing.close();
      store.close();
    },
  };
}

export type OpenPool = Pool & { close(): void };

export interface PoolOptions {
  readonly now: () => Date;
  /** Makes the salt of the suppression list, and names of receipts; default: the system's. */
  readonly random?: SaltSource;
}

const systemRandom: SaltSource = (count) => crypto.getRandomValues(new Uint8Array(count));
