/**
 * The port (docs/architecture.md, "Ports") that hides which database stores the developers. Every method is
 * asynchronous, and methods that are needed once per developer take a batch.
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
  listKeptIdentifiers,
  listNamedIdentifiers,
  listNames,
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
  /** Grows by one with every visible change by any process; 0 for a new, empty pool. */
  revision(): Promise<number>;
  size(): Promise<number>;
  /**
   * One result for each login, in order, ignoring case; bots and assistants too. A login that no developer has now
   * finds the one developer who had it before (`Facts.formerLogins`); none when several had it. The next method does the same.
   */
  findCards(logins: readonly string[]): Promise<readonly (Card | undefined)[]>;
  findAnalyses(logins: readonly string[]): Promise<readonly (ProfileAnalysis | undefined)[]>;
  /** Like `findCards`, for answers that pass the card on. */
  findWrittenCards(logins: readonly string[]): Promise<readonly (WrittenCard | undefined)[]>;
  /** Like `findAnalyses`, as the JSON that is stored. */
  findWrittenAnalyses(logins: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Like `findCards`, by current logins only. */
  findFacts(logins: readonly string[]): Promise<readonly (Facts | undefined)[]>;
  /** The ranking features of one developer and their row, by login as in `findCards`. */
  findRankingFeatures(login: string): Promise<RankedRow | undefined>;
  /** Cards by row id. Rows of the previous revision stay readable until the index has moved on. */
  cards(rowIds: readonly number[]): Promise<ReadonlyMap<number, Card>>;
  /** The same for answers that pass the cards on: one for each row id, in order. */
  writtenCards(rowIds: readonly number[]): Promise<readonly (WrittenCard | undefined)[]>;
  /**
   * The rows of all searchable developers at one moment, ascending, and the revision they are of. A row never changes:
   * a developer who changes gets a new one. So comparing two lists shows what an index must add and drop.
   */
  searchableRows(): Promise<SearchableRows>;
  /**
   * What the index needs of these rows, ascending, or of all searchable ones, in batches. Rows that are deleted meanwhile
   * are left out; all are those of one revision only if it is the same before and after. `readRows` reads them.
   */
  rankingFeatures(rowIds?: Uint32Array): AsyncGenerator<readonly FeatureRow[]>;
  /**
   * By what every visible developer is found, by lower-cased login in code-unit order, in batches. Not of one moment: an
   * import that commits meanwhile shows in later batches.
   *
   * @param isKnown rows of which only the place is asked, such as all of an earlier stream: a row never changes.
   */
  findables(isKnown?: (rowId: number) => boolean): AsyncIterable<readonly FindableRow[]>;
  /** The facts of every visible developer, by login in code-unit order, in batches: what `export` writes. */
  facts(): AsyncIterable<readonly Facts[]>;
  /**
   * The facts of visible developers who have one of these identifiers or a supplement of one of these lists, and perhaps of
   * others, in no order, in batches.
   */
  holders(sought: readonly Sought[]): AsyncIterable<readonly Facts[]>;
  /** Every visible login, in code-unit order, at once: for runs that write to the pool while they walk over it. */
  logins(): Promise<readonly string[]>;
  sources(): Promise<readonly Source[]>;
  /**
   * The model by which everybody was judged, by the basis of the newest row; "" for rows of versions that did not write it down.
   * undefined for an empty pool.
   */
  model(): Promise<string | undefined>;
  /** Which pool this is, and how often it has changed: an older copy has changed less often. */
  state(): Promise<{ readonly name: string; readonly changes: number }>;
  /**
   * Begins an import. It stays invisible until `commit`, which shows all of it by one switch of the revision.
   * A login that is already stored is replaced. Rejects with `import_running` while another process or import holds
   * the lock, and with `no_space` when the disk has too little room for an import and a server beside it; so does `put`.
   */
  beginImport(source: string): Promise<Import>;
  /**
   * Keeps other imports out before the long work that ends in one. Reading, erasing and decisions go on beside it, and
   * the system frees it when this process dies. Rejects with `import_running`, which names the holder.
   *
   * @param wait waits for the holder; default: about two seconds.
   */
  lockImports(source: string, wait?: ImportWait): Promise<ImportLock>;
  /** Tells other processes how far the import is that this one makes or is locked for; does nothing without one. */
  noteProgress(progress: ProgressNote): Promise<void>;
  /** What imports into this pool now, in any process. For people: it decides nothing. */
  importUnderWay(): Promise<ImportUnderWay | undefined>;
  /**
   * Gives back to the file system a little of the space of imports that were aborted or died, and of what others replaced: at
   * most about 50 ms of work.
   *
   * @returns whether more is left, so that it is worth calling again soon.
   */
  reclaim(): Promise<boolean>;
  /**
   * Everything stored about one developer, to show to the developer, with the imports it came from; by login as in
   * `findCards`.
   */
  findStoredDeveloper(login: string): Promise<StoredDeveloper | undefined>;
  /** Only where nodes share the pool. */
  readonly indexes?: SharedIndexes;
  /** Only where nodes share the pool; elsewhere an index in memory finds people. */
  readonly people?: PeopleFinder;
  readonly decisions: Decisions;
  /** Who changed which file when; see docs/who.md. */
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
  /** For rows of older versions, whose features have no repositories. */
  readRepositories(rowId: number): readonly NamedRepository[];
}

export interface SearchableRows {
  readonly revision: number;
  readonly rowIds: Uint32Array;
}

export interface ImportLock {
  /** Like the pool's; the lock stays held when the import ends. */
  beginImport(source: string): Promise<Import>;
  /** Aborts an import that is still open. Does nothing once it is released. */
  release(): Promise<void>;
}

export interface ImportWait {
  readonly longestMs: number;
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called again and again while another import runs, which it names. */
  readonly onBusy: (message: string) => void;
}

export interface ProgressNote {
  readonly done: number;
  /** `undefined` when it is unknown. */
  readonly total: number | undefined;
  /** What is counted: commits, lines, people. */
  readonly unit: string;
  /** What the work consists of, where that is known before the total is. */
  readonly parts?: { readonly done: number; readonly total: number; readonly unit: string };
  /** The current item, such as a repository. */
  readonly label?: string;
  /** Whether the total is that of what was looked at so far. */
  readonly isTotalGrowing?: boolean;
  /** Of the unit in a second, lately. */
  readonly rate?: number;
  /** Absent while too little is known. */
  readonly secondsLeft?: number;
  /** When it was said: rate and rest are old while a step takes long. ISO 8601, UTC. */
  readonly at?: string;
}

export interface ImportUnderWay {
  /** What it is, by which process and since when, in words. */
  readonly holder: string;
  readonly progress: ProgressNote | undefined;
}

export interface Import {
  /**
   * Stages a batch in short transactions (at most about 50 ms each).
   *
   * @param basis what they were judged by, for `confirm`; its first word is the version of the model.
   * @returns those left out because they are on the suppression list. Never show them by name.
   */
  put(batch: readonly Assessment[], basis?: string): Promise<readonly PackedDeveloper[]>;
  /**
   * Does what `put` does for developers that have not changed, so that they need not be analysed again: their stored facts
   * are the given ones, and they were judged by the same basis. One short transaction.
   *
   * @param basis equal facts judged by an equal basis give equal figures.
   * @returns for each whether it was done; the others must be put.
   */
  confirm(given: readonly GivenFacts[], basis: string): Promise<readonly boolean[]>;
  /** The logins of those whom this import leaves as they are, and whom another model judged. */
  judgedOtherwise(model: string): Promise<readonly string[]>;
  /**
   * Rejects with `no_space` when the rest of the input will not fit, if it takes as much as what was put so far.
   *
   * @param share of the input that was put, from 0 to 1.
   */
  requireRoom(share: number): Promise<void>;
  /** Makes this import also remove these developers; unknown logins are ignored. */
  remove(logins: readonly string[]): Promise<void>;
  /** Makes this import also remove every developer of another source, e.g. the demo people. */
  removeSource(source: string): Promise<void>;
  /**
   * Rejects with `removals`, naming the counts and sources, when this import would remove more people than that. Call
   * it last before `commit`.
   */
  limitRemovals(removalsMax: number): Promise<void>;
  /** @returns the new revision and what changed. */
  commit(): Promise<ImportCounts>;
  /** Does nothing once the import has ended. */
  abort(): Promise<void>;
}

/** Facts as JSON text, which are taken for the stored ones if the text is, byte for byte, the one that `JSON.stringify` gives. */
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
  /** Left out because they are on the suppression list. */
  readonly suppressed: number;
}

export interface Source {
  readonly source: string;
  readonly developers: number;
  /** ISO 8601, UTC. */
  readonly lastImportAt: string;
}

/** Everything stored about one developer, which the developer is shown on request. */
export interface StoredDeveloper extends Assessment {
  /** Source of the import that added it: git, import, demo. */
  readonly importedBy: string;
  /** When this version was imported, and when the same was last imported again: ISO 8601, UTC. */
  readonly importedAt: string;
  readonly confirmedAt: string;
  /** Replaced rows that are not swept yet. */
  readonly olderRows: number;
}
