/** The port (docs/architecture.md, "Ports") that hides which database stores the developers. */
import type {
  Assessment,
  NamedRepository,
  RankingFeatures,
} from "../contract/people/assessment.ts";
import type { Card, WrittenCard } from "../contract/people/developer.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { ProfileAnalysis } from "../contract/people/profile-analysis.ts";
import type { AuthorshipStore } from "./authorship.ts";
import type { PoolChanges } from "./changes.ts";
import type { Decisions } from "./decisions.ts";
import type { PoolErasure } from "./erasing.ts";
import type { FindableRow, PeopleFinder } from "./finding.ts";
import type { Sought } from "./identifiers.ts";
import type { PackedDeveloper } from "./rows/pack-developer.ts";
import type { SharedIndexes } from "./shared-indexes.ts";

export * from "./authorship.ts";
export * from "./changes.ts";
export type { Decisions, IdentityDecisionRecord } from "./decisions.ts";
export * from "./erasing.ts";
export * from "./finding.ts";
export {
  type Identifier,
  listAddressIdentifiers,
  listIdentifiers,
  listNamedIdentifiers,
  listNames,
  listStoredIdentifiers,
  listSupplementIdentifiers,
  type NamedAddress,
  type Sought,
  toSoughtList,
} from "./identifiers.ts";
export { readRows } from "./rows/damage-guard.ts";
export {
  copyText,
  FeatureReader,
  readFeatureEnd,
  readFeatureHead,
  readTexts,
} from "./rows/feature-reader.ts";
export { readFromCard } from "./rows/ranking-features.ts";
export type { PoolDatabase, SharedIndexes } from "./shared-indexes.ts";

export interface Pool {
  /** Grows by one with every visible change in any process. A new, empty pool has 0. */
  revision(): Promise<number>;
  size(): Promise<number>;
  /**
   * Returns one result for each login, in order. Case is ignored. A former login (`Facts.formerLogins`) finds its developer if
   * nobody has the login now.
   */
  findCards(logins: readonly string[]): Promise<readonly (Card | undefined)[]>;
  findAnalyses(logins: readonly string[]): Promise<readonly (ProfileAnalysis | undefined)[]>;
  /** Like `findCards`, but the cards are serialized for answers. */
  findWrittenCards(logins: readonly string[]): Promise<readonly (WrittenCard | undefined)[]>;
  /** Like `findAnalyses`, but returns the stored JSON text. */
  findWrittenAnalyses(logins: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Returns the facts of developers. Former logins find nobody. */
  findFacts(logins: readonly string[]): Promise<readonly (Facts | undefined)[]>;
  findRankingFeatures(login: string): Promise<RankedRow | undefined>;
  /** Returns cards by row id. Replaced rows remain readable until the index has been updated. */
  cards(rowIds: readonly number[]): Promise<ReadonlyMap<number, Card>>;
  /** Returns cards serialized for answers: one for each row id, in order. */
  writtenCards(rowIds: readonly number[]): Promise<readonly (WrittenCard | undefined)[]>;
  /**
   * Returns the rows of all searchable developers, ascending, with the revision. A changed developer gets a new row, so comparing
   * two lists shows what an index must add and remove.
   */
  searchableRows(): Promise<SearchableRows>;
  /** Streams the ranking features of these rows, ascending; by default, of all searchable rows. Leaves out deleted rows. */
  rankingFeatures(rowIds?: Uint32Array): AsyncGenerator<readonly FeatureRow[]>;
  /**
   * Streams the names and keys of every visible developer, by login in lower case.
   * @param isKnown whether the caller already has the row and needs only its id.
   */
  findables(isKnown?: (rowId: number) => boolean): AsyncIterable<readonly FindableRow[]>;
  /** Streams the facts of every visible developer for `export`, by login. */
  facts(): AsyncIterable<readonly Facts[]>;
  /**
   * Streams the facts of visible developers who have one of these keys, in no particular order. The stream may include other
   * developers.
   */
  holders(sought: readonly Sought[]): AsyncIterable<readonly Facts[]>;
  /** Returns the next visible logins after this one, by login in lower case. */
  loginsAfter(login: string, limit: number): Promise<readonly string[]>;
  /** Returns all visible logins at once. The caller may change the pool while it uses them. */
  logins(): Promise<readonly string[]>;
  sources(): Promise<readonly Source[]>;
  /**
   * Returns the version of the model that produced the scores. An empty text means that the version is unknown; undefined means
   * that the pool is empty.
   */
  model(): Promise<string | undefined>;
  /** Returns the pool's name and the number of its changes. */
  state(): Promise<{ readonly name: string; readonly changes: number }>;
  /**
   * Begins an import, which stays invisible until `commit`. Rejects with `import_running` if another process holds the lock.
   * Rejects with `no_space` if the disk has too little room; so does `put`.
   */
  beginImport(source: string): Promise<Import>;
  /**
   * Keeps other imports out during long work that ends in an import. Rejects with `import_running`, which names the holder.
   * @param wait how to wait for another holder; default: for a second or two.
   */
  lockImports(source: string, wait?: ImportWait): Promise<ImportLock>;
  /** Publishes the progress of the import or lock that this object holds. Without an import or lock, does nothing. */
  noteProgress(progress: ProgressNote): Promise<void>;
  /** Describes the import that runs now in any process. Only for display. */
  importUnderWay(): Promise<ImportUnderWay | undefined>;
  /**
   * Returns some space of aborted imports and replaced rows to the file system, in at most about 50 ms.
   * @returns whether more space can be returned.
   */
  reclaim(): Promise<boolean>;
  /** Returns everything stored about one developer, to show it to the developer. Finds former logins too. */
  findStoredDeveloper(login: string): Promise<StoredDeveloper | undefined>;
  /** Present only if nodes share the pool. */
  readonly indexes?: SharedIndexes;
  /** Present only if nodes share the pool. */
  readonly people?: PeopleFinder;
  readonly decisions: Decisions;
  /** The history of who changed which file; see docs/who.md. */
  readonly authorship: AuthorshipStore;
  /** What copies elsewhere must do to follow the pool. */
  readonly changes: PoolChanges;
  /** Erases people for good: see docs/erasure.md. */
  readonly erasing: PoolErasure;
  close(): Promise<void>;
}

export interface RankedRow {
  readonly rowId: number;
  readonly standing: RankingFeatures;
}

/** Ranking features as they are stored, for `FeatureReader`. */
export interface FeatureRow {
  readonly rowId: number;
  readonly standing: string;
  /** Reads the repositories of a row. Ranking features of older versions lack them. Absent if the pool has no such rows. */
  readRepositories?(rowId: number): readonly NamedRepository[];
  /** The card, if the ranking features lack company and followers, as those of older versions do. */
  readonly card?: string | null;
}

export interface SearchableRows {
  readonly revision: number;
  readonly rowIds: Uint32Array;
}

export interface ImportLock {
  /** Like `Pool.beginImport`, but the lock remains held when the import ends. */
  beginImport(source: string): Promise<Import>;
  /** Aborts an import that is still open and releases the lock. Does nothing if the lock is already released. */
  release(): Promise<void>;
}

export interface ImportWait {
  readonly longestMs: number;
  /** Aborting this signal ends the wait with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called repeatedly while another import runs, with a message that names this import. */
  readonly onBusy: (message: string) => void;
}

export interface ProgressNote {
  readonly done: number;
  /** Undefined if the total is unknown. */
  readonly total: number | undefined;
  /** The unit that is counted: commits, lines, people. */
  readonly unit: string;
  /** Progress in a coarser unit, such as repositories. */
  readonly parts?: { readonly done: number; readonly total: number; readonly unit: string };
  /** The current item, such as a repository. */
  readonly label?: string;
  /** Whether the total may still grow. */
  readonly isTotalGrowing?: boolean;
  /** Recent speed, in units a second. */
  readonly rate?: number;
  /** Absent until an estimate is possible. */
  readonly secondsLeft?: number;
  /** The time of this note (ISO 8601, UTC). */
  readonly at?: string;
}

export interface ImportUnderWay {
  /** Describes the import, its process and its start, in words. */
  readonly holder: string;
  readonly progress: ProgressNote | undefined;
}

export interface Import {
  /**
   * Stages a batch in short transactions (at most about 50 ms each).
   * @param basis names the model and its inputs. Its first word is the version of the model.
   * @returns the developers left out because they are on the suppression list. Never show their names.
   */
  put(batch: readonly Assessment[], basis?: string): Promise<readonly PackedDeveloper[]>;
  /**
   * Keeps the rows of unchanged developers, so that they need not be analyzed again. A developer is unchanged if the stored facts
   * and the stored basis equal the given ones.
   * @returns for each developer whether the row was kept. The others must be `put`.
   */
  confirm(given: readonly GivenFacts[], basis: string): Promise<readonly boolean[]>;
  /** Returns the logins of developers whose scores come from another model and would stay after this import. */
  judgedOtherwise(model: string): Promise<readonly string[]>;
  /**
   * Rejects with `no_space` if the rest of the input will probably not fit.
   * @param share the share of the input that was already put, from 0 to 1.
   */
  requireRoom(share: number): Promise<void>;
  /** Makes this import also remove these developers. Unknown logins are ignored. */
  remove(logins: readonly string[]): Promise<void>;
  /** Makes this import also remove all developers of the source who are not in this import. */
  removeSource(source: string): Promise<void>;
  /** Rejects with `removals` if this import would remove more than `removalsMax` people. Call it just before `commit`. */
  limitRemovals(removalsMax: number): Promise<void>;
  commit(): Promise<ImportCounts>;
  /** Ends the import without changes. Does nothing if it has already ended. */
  abort(): Promise<void>;
}

/** Facts as JSON text, exactly as `JSON.stringify` writes them. */
export interface GivenFacts {
  readonly login: string;
  readonly text: string;
}

export interface ImportCounts {
  readonly revision: number;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly removed: number;
  /** The number of people left out because they are on the suppression list. */
  readonly suppressed: number;
}

export interface Source {
  readonly source: string;
  readonly developers: number;
  /** ISO 8601, UTC. */
  readonly lastImportAt: string;
}

/** Everything stored about one developer. */
export interface StoredDeveloper extends Assessment {
  /** Source of the import that added this version: git, import, demo. */
  readonly importedBy: string;
  /** The time when this version was first imported (ISO 8601, UTC). */
  readonly importedAt: string;
  readonly confirmedAt: string;
  /** The number of replaced rows that are not yet deleted. */
  readonly olderRows: number;
}
