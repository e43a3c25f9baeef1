/**
 * The port (docs/architecture.md, "Ports"): the developers held, whatever database holds them. Every method is
 * asynchronous, and what is asked once a person takes a batch.
 */

import type { Assessment, RankingFeatures } from "../contract/people/assessment.ts";
import type { Card } from "../contract/people/developer.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { ProfileAnalysis } from "../contract/people/profile-analysis.ts";

export { listIdentifiers } from "./identifiers.ts";

/** The developers we hold. */
export interface Pool {
  /** Grows by one with every visible change, by whichever process; 0 is an empty, new pool. */
  revision(): Promise<number>;
  size(): Promise<number>;
  /** For each login, in order and without regard to case; bots and assistants too. So are the two below. */
  findCards(logins: readonly string[]): Promise<readonly (Card | undefined)[]>;
  findAnalyses(logins: readonly string[]): Promise<readonly (ProfileAnalysis | undefined)[]>;
  findFacts(logins: readonly string[]): Promise<readonly (Facts | undefined)[]>;
  /** What ranks one developer, and in which row; bots and assistants too. */
  findRankingFeatures(login: string): Promise<RankedRow | undefined>;
  /** Cards by row id. Rows of the revision before stay readable until the index has moved on. */
  cards(rowIds: readonly number[]): Promise<ReadonlyMap<number, Card>>;
  /** All that the index needs, searchable people only, of the newest revision; streamed in batches. */
  rankingFeatures(): AsyncIterable<readonly RankedRow[]>;
  /** Every visible developer's facts, by login in code-unit order, in batches: what `export` writes. */
  facts(): AsyncIterable<readonly Facts[]>;
  /** Every visible login, in code-unit order, at once: what a run over the pool that writes walks along. */
  logins(): Promise<readonly string[]>;
  sources(): Promise<readonly Source[]>;
  /**
   * Stages an import: nothing of it is seen before `commit`, everything after, by one switch of the revision.
   * A login already held is replaced. Rejects while another import runs.
   */
  beginImport(source: string): Promise<Import>;
  /** Everything held of one developer, for the developer: row, place and history included. */
  findStoredDeveloper(login: string): Promise<StoredDeveloper | undefined>;
  /** What the operator has decided about who is who. */
  readonly decisions: Decisions;
  /** Forgets people for good: see docs/erasure.md. */
  readonly erasing: PoolErasure;
  close(): Promise<void>;
}

/** What ranks one developer, and the row that it stands in. */
export interface RankedRow {
  readonly rowId: number;
  readonly standing: RankingFeatures;
}

export interface Import {
  /**
   * Stages a batch in short transactions (at most about 50 ms each).
   *
   * @returns who was left out: those on the suppression list. Never to be shown by name.
   */
  put(batch: readonly Assessment[]): Promise<readonly Assessment[]>;
  /** Makes this import also remove these developers; a login that is not held is passed over. */
  remove(logins: readonly string[]): Promise<void>;
  /** Makes this import also remove every developer of another source, e.g. the demo people. */
  removeSource(source: string): Promise<void>;
  /** @returns the new revision and what changed. */
  commit(): Promise<ImportCounts>;
  /** Without effect once it has ended. */
  abort(): Promise<void>;
}

export interface ImportCounts {
  readonly revision: number;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Left out, since somebody had them forgotten. */
  readonly suppressed: number;
}

export interface Source {
  readonly source: string;
  readonly developers: number;
  /** ISO 8601, UTC. */
  readonly lastImportAt: string;
}

/** What the pool holds of one developer: what the developer is shown on asking. */
export interface StoredDeveloper extends Assessment {
  /** Kind of import that brought it: git, import, demo. */
  readonly importedBy: string;
  /** When it was brought so, and when the same was brought last: ISO 8601, UTC. */
  readonly importedAt: string;
  readonly confirmedAt: string;
  /** Rows that newer ones replaced and that are not swept yet. */
  readonly olderRows: number;
}

export interface IdentityDecisionRecord {
  /** `dec_...`; names nobody, so that the audit log may have it. */
  readonly id: string;
  /** Whether the two are one person, or never are. */
  readonly kind: "same" | "different";
  /** Marks of spellings, as `readMark` takes them. */
  readonly a: string;
  readonly b: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: string;
  readonly reason?: string;
  /** What spoke for it when it was made, in words. */
  readonly evidence: readonly string[];
}

/**
 * The operator's decisions about who is who. They lie with the people, not in what is kept of repositories: that may be
 * thrown away, and an erasure takes a person's decisions along in the very transaction that deletes the person.
 */
export interface Decisions {
  /** Oldest first. */
  list(): Promise<readonly IdentityDecisionRecord[]>;
  /**
   * Those that name a spelling of this person.
   *
   * @param names by which they are known besides: an address that several people use is theirs only under one.
   */
  about(facts: Facts, names?: readonly string[]): Promise<readonly IdentityDecisionRecord[]>;
  add(decision: Omit<IdentityDecisionRecord, "id" | "at">): Promise<IdentityDecisionRecord>;
  /** @returns undefined when there is none. */
  remove(id: string): Promise<IdentityDecisionRecord | undefined>;
}

/** Proof of an erasure, without a word on whom. */
export interface ErasureReceipt {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly reason?: string;
  /** Developers that were shown and are gone. */
  readonly developers: number;
  /** Their rows of any age, shown, replaced or staged. */
  readonly rows: number;
  /** Salted hashes that the suppression list keeps for it: logins, addresses, forge accounts. */
  readonly identifiers: number;
  /** When the old bytes had left the files; absent while they may still lie there. */
  readonly completedAt?: string;
  readonly undoneAt?: string;
}

export interface PoolErasure {
  /** Whom a login or an address means, with nothing done: their logins. Empty for nobody. */
  find(subject: ErasureSubject): Promise<readonly string[]>;
  /**
   * Deletes everything of a person and puts them on the suppression list, at one moment and in every process.
   *
   * @returns undefined for nobody. "names the person": the reason would keep what is to go.
   */
  hide(
    subject: ErasureSubject,
    order?: ErasureOrder,
  ): Promise<ErasureReceipt | "names the person" | undefined>;
  /**
   * Writes the files anew without what was deleted. Blocks this thread: for commands, not for a server.
   *
   * @param attempts how often to try when others read, at most 0.75 seconds each; default 40.
   * @returns what hindered it, in words.
   */
  clean(attempts?: number): Promise<string | undefined>;
  /** Erasures whose bytes may still lie in the files, oldest first. */
  unfinished(): Promise<readonly ErasureReceipt[]>;
  finish(receiptId: string): Promise<void>;
  /** Newest first. */
  receipts(): Promise<readonly ErasureReceipt[]>;
  findReceipt(receiptId: string): Promise<ErasureReceipt | undefined>;
  /** The receipts of erasures that hold this login or address. */
  receiptsOf(subject: ErasureSubject): Promise<readonly ErasureReceipt[]>;
  /** Takes what this erasure put on the list off it again; what was deleted stays deleted. */
  undo(receiptId: string): Promise<void>;
  /** For whoever keeps people outside of the pool; `Import.put` asks by itself. */
  suppression(): Promise<SuppressionMatcher>;
}

/** Tells who is on the suppression list, without further asking. */
export interface SuppressionMatcher {
  isSuppressed(facts: Facts): boolean;
  /** The same of one author identity. */
  holdsSpelling(spelling: { readonly name: string; readonly email: string }): boolean;
}

/** A login, or an e-mail address. */
export type ErasureSubject = string;

export interface ErasureOrder {
  readonly reason?: string | undefined;
  /** Also somebody who is not in the pool: who then never comes in. */
  readonly evenIfUnknown?: boolean;
  /** Logins that the person's rows had before they were merged. */
  readonly alsoLogins?: readonly string[];
}
