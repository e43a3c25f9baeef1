/**
 * The port (docs/architecture.md, "Ports") that hides which database stores the developers. Every method is
 * asynchronous. Methods that are called for many developers take a batch.
 */

import type {
  Assessment,
  NamedRepository,
  RankingFeatures,
} from "../contract/people/assessment.ts";
import type { Card, WrittenCard } from "../contract/people/developer.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { ProfileAnalysis } from "../contract/people/profile-analysis.ts";
import type { AuthorshipStore } from "./authorship.ts";
import type { Decisions } from "./decisions.ts";
import type { PoolErasure } from "./erasing.ts";
import type { FindableRow, PeopleFinder } from "./finding.ts";
import type { Sought } from "./identifiers.ts";
import type { PackedDeveloper } from "./rows/pack-developer.ts";
import type { SharedIndexes } from "./shared-indexes.ts";

export * from "./authorship.ts";
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
export { copyText, FeatureReader, readFeatureHead, readTexts } from "./rows/feature-reader.ts";
export type { PoolDatabase, SharedIndexes } from "./shared-indexes.ts";

/** All stored developers. */
export interface Pool {
  /** Grows by one with every visible change in any process; 0 for a new, empty pool. */
  revision(): Promise<number>;
  size(): Promise<number>;
  /**
   * Returns one result for each login, in order, ignoring case, including bots and assistants. A login that no developer has now
   * finds the one developer who had it before (`Facts.formerLogins`), or none if several had it. The methods below also do so.
   */
  findCards(logins: readonly string[]): Promise<readonly (Card | undefined)[]>;
  findAnalyses(logins: readonly string[]): Promise<readonly (ProfileAnalysis | undefined)[]>;
  /** Like `findCards`, but the cards are serialized for answers. */
  findWrittenCards(logins: readonly string[]): Promise<readonly (WrittenCard | undefined)[]>;
  /** Like `findAnalyses`, but returns the stored JSON text. */
  findWrittenAnalyses(logins: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Returns the facts of developers, who are found only by their current logins. */
  findFacts(logins: readonly string[]): Promise<readonly (Facts | undefined)[]>;
  /** Returns the row and the ranking features of one developer. */
  findRankingFeatures(login: string): Promise<RankedRow | undefined>;
  /** Returns cards by row id. Rows of the previous revision remain readable until the index has been updated. */
  cards(rowIds: readonly number[]): Promise<ReadonlyMap<number, Card>>;
  /** Returns cards serialized for answers: one for each row id, in order. */
  writtenCards(rowIds: readonly number[]): Promise<readonly (WrittenCard | undefined)[]>;
  /**
   * Returns the rows of all searchable developers at one moment, ascending, and their revision. Rows never change: a
   * changed developer gets a new row. So comparing two lists shows what an index must add and remove.
   */
  searchableRows(): Promise<SearchableRows>;
  /**
   * Streams the ranking features of these rows, ascending, or of all searchable rows, and leaves out rows deleted meanwhile. If
   * the revision is the same before and after, all rows belong to it. Parse the rows through `readRows`.
   */
  rankingFeatures(rowIds?: Uint32Array): AsyncGenerator<readonly FeatureRow[]>;
  /**
   * Streams the names and keys of every visible developer, by lower-cased login in code-unit order. An import that commits
   * meanwhile shows in later batches.
   *
   * @param isKnown rows for which only the id is needed, such as all rows of an earlier stream: a row never changes.
   */
  findables(isKnown?: (rowId: number) => boolean): AsyncIterable<readonly FindableRow[]>;
  /** Streams the facts of every visible developer for `export`, by login in code-unit order. */
  facts(): AsyncIterable<readonly Facts[]>;
  /**
   * Streams, in no particular order, the facts of visible developers who have one of these identifiers or are on one of these
   * lists. The stream may include other developers.
   */
  holders(sought: readonly Sought[]): AsyncIterable<readonly Facts[]>;
  /** Returns all visible logins at once, in code-unit order, so that the caller may change the pool while it uses them. */
  logins(): Promise<readonly string[]>;
  sources(): Promise<readonly Source[]>;
  /**
   * Returns the version of the model that produced the scores. It is "" if a version of Roster that did not store it wrote the
   * newest row, and undefined for an empty pool.
   */
  model(): Promise<string | undefined>;
  /** Returns the pool's name and how often it has changed: an older copy has changed less often. */
  state(): Promise<{ readonly name: string; readonly changes: number }>;
  /**
   * Begins an import. It stays invisible until `commit`, which makes all of it visible by one change of the revision. A
   * developer who is already stored is replaced. Rejects with `import_running` while another import holds the lock, in any
   * process, and with `no_space` if the disk has too little room for an import and a server; so does `put`.
   */
  beginImport(source: string): Promise<Import>;
  /**
   * Keeps other imports out before long work that ends in an import. Reading, erasing and decisions continue meanwhile,
   * and the system releases the lock when this process dies. Rejects with `import_running`, which names the holder.
   *
   * @param wait how to wait for another holder; default: for a second or two.
   */
  lockImports(source: string, wait?: ImportWait): Promise<ImportLock>;
  /** Publishes the progress of the run that holds this object's import or lock. Does nothing if there is none. */
  noteProgress(progress: ProgressNote): Promise<void>;
  /** Describes the import that runs now in any process. For display only: nothing is decided by it. */
  importUnderWay(): Promise<ImportUnderWay | undefined>;
  /**
   * Returns to the file system a little of the space of aborted imports and replaced rows: at most about 50 ms of work.
   *
   * @returns whether more is left, so that it should be called again soon.
   */
  reclaim(): Promise<boolean>;
  /**
   * Returns everything stored about one developer, and the imports it came from, to show to the developer. Finds logins as
   * `findCards` does.
   */
  findStoredDeveloper(login: string): Promise<StoredDeveloper | undefined>;
  /** Present only if nodes share the pool. */
  readonly indexes?: SharedIndexes;
  /** Present only if nodes share the pool. Otherwise an index in memory finds people. */
  readonly people?: PeopleFinder;
  readonly decisions: Decisions;
  /** The history of who changed which file; see docs/who.md. */
  readonly authorship: AuthorshipStore;
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
  /** Reads the repositories for rows of older versions, whose ranking features lack them. */
  readRepositories(rowId: number): readonly NamedRepository[];
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
  /** Called repeatedly while another import runs, with a message that names it. */
  readonly onBusy: (message: string) => void;
}

export interface ProgressNote {
  readonly done: number;
  /** `undefined` if unknown. */
  readonly total: number | undefined;
  /** The unit that is counted: commits, lines, people. */
  readonly unit: string;
  /** Progress in a coarser unit, such as repositories. It may be known when `total` is not. */
  readonly parts?: { readonly done: number; readonly total: number; readonly unit: string };
  /** The current item, such as a repository. */
  readonly label?: string;
  /** Whether the total may still grow, because not everything has been looked at. */
  readonly isTotalGrowing?: boolean;
  /** Recent speed, in units a second. */
  readonly rate?: number;
  /** Absent until an estimate is possible. */
  readonly secondsLeft?: number;
  /** The time of this note (ISO 8601, UTC): the rate and the estimate become outdated during a long step. */
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
   *
   * @param basis names the model and its inputs; `confirm` compares it later. Its first word is the version of the model.
   * @returns the developers left out because they are on the suppression list. Never show their names.
   */
  put(batch: readonly Assessment[], basis?: string): Promise<readonly PackedDeveloper[]>;
  /**
   * Keeps the rows of unchanged developers in one short transaction, so that they need not be analyzed again. A developer is
   * unchanged if the stored facts and the stored basis equal the given ones.
   *
   * @returns for each developer whether the row was kept; the others must be `put`.
   */
  confirm(given: readonly GivenFacts[], basis: string): Promise<readonly boolean[]>;
  /** Returns the logins of developers whom another model judged and whom this import neither replaces nor removes. */
  judgedOtherwise(model: string): Promise<readonly string[]>;
  /**
   * Rejects with `no_space` if the rest of the input will not fit, assuming that it takes as much space as the input so far.
   *
   * @param share the share of the input that was already put, from 0 to 1.
   */
  requireRoom(share: number): Promise<void>;
  /** Makes this import also remove these developers; unknown logins are ignored. */
  remove(logins: readonly string[]): Promise<void>;
  /** Makes this import also remove the developers of a source whom it does not contain, such as the demo people. */
  removeSource(source: string): Promise<void>;
  /**
   * Rejects with `removals`, naming the counts and sources, if this import would remove more than `removalsMax` people. Call it
   * just before `commit`.
   */
  limitRemovals(removalsMax: number): Promise<void>;
  commit(): Promise<ImportCounts>;
  /** Ends the import without changes. Does nothing if it has already ended. */
  abort(): Promise<void>;
}

/** Facts as JSON text. They count as equal to the stored facts only if the text is byte for byte what `JSON.stringify` gives. */
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

/** Everything stored about one developer, which is shown to the developer on request. */
export interface StoredDeveloper extends Assessment {
  /** Source of the import that added this version: git, import, demo. */
  readonly importedBy: string;
  /** When this version was first imported, and when an import last confirmed it: ISO 8601, UTC. */
  readonly importedAt: string;
  readonly confirmedAt: string;
  /** The number of replaced rows that are not yet deleted. */
  readonly olderRows: number;
}
