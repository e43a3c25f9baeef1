/**
 * The port of the ledger, which stores what was read of each repository. With it, the next run reads only new
 * commits, an interrupted run continues where it ended, and people are always counted over every known repository.
 * It has a file of its own because it is written while git is read, and must never hold the lock that the pool's
 * readers and importers need; and because it can be deleted: the next run then reads everything again, with the
 * same result.
 */
import type { ReadRepository, Unread } from "../../../contract/people/history-end.ts";
import type { History, KeptSignature } from "../read/history.ts";
import type { CommitIndex } from "./commit-index.ts";
import type { CountedRepositories } from "./counted-repositories.ts";
import type { IdentityRows } from "./identity-state.ts";
import type { KnownPeople } from "./known-people.ts";
import type { NoteRows } from "./note-rows.ts";
import type { SpellingRows } from "./spelling-rows.ts";

/** One place where a repository was read. */
export interface KnownClone extends ReadRepository {
  readonly id: number;
  /** Real path of the repository or bundle; null when another repository is there now. */
  readonly directory: string | null;
  /** As given by the caller. */
  readonly path: string;
  readonly name: string;
  readonly forge: string | undefined;
  readonly owner: string | undefined;
  /** The commit that was HEAD when it was read. */
  readonly head: string;
  /** Fingerprint of its mailmap; a change may give old commits other authors. */
  readonly mailmap: string;
  /** The commit of its notes that was read; empty where it had none, null until its notes are read. */
  readonly notes: string | null;
  /** The version of Roster and of its stored form that read it; another edition may read differently. */
  readonly edition: string;
  /** ISO 8601, UTC. */
  readonly readAt: string;
  readonly commits: number;
  /** Commits without parents, sorted. */
  readonly roots: readonly string[];
  /** Latest author date in seconds. */
  readonly latest: number;
  /** Whether its commits, and which of them others hold, are as they were when it was counted. */
  readonly isCounted: boolean;
  /** Whether it is about to be forgotten, and counts no more. */
  readonly isLeaving: boolean;
}

/** An author whom some history names. */
export interface KnownMention {
  readonly name: string;
  readonly email: string;
  readonly rawEmail: string;
  /** Number of the spelling. */
  readonly spelling: number;
  /** Among the authors of the repository; equal for one spelling in all of its places. */
  readonly number: number;
  /** Id of a commit, by which a forge tells the author's account. */
  readonly sample: string | undefined;
}

type NewClone = Omit<
  KnownClone,
  | "id"
  | "notes"
  | "edition"
  | "readAt"
  | "commits"
  | "roots"
  | "latest"
  | "isCounted"
  | "isLeaving"
  | "leftOut"
>;

/** The run whose result the pool shows. */
export interface AppliedRun {
  readonly asOf: string;
  readonly modelVersion: string;
  /** Whether addresses of commits were published; absent in older runs, which published none. */
  readonly publishCommitEmails?: boolean;
  /** Fingerprint of the rules by which people were identified, and of what forges say. */
  readonly identity: string;
  /** The pool's last git import; when it differs, the pool has changed since. */
  readonly poolMark: string;
  /** The erasures that the histories are free of. */
  readonly erasures: string;
}

export interface Ledger {
  readonly edition: string;
  /** Whether a place was stored in a form that this version no longer counts. */
  isOfOlderForm(place: Pick<KnownClone, "edition">): boolean;
  /** Which ledger this is, and how often its histories have changed: an older copy has changed less often. */
  state(): { readonly name: string; readonly changes: number };
  /** @throws Fault when something stored is damaged; takes seconds for a large ledger. */
  requireIntact(): void;
  /** By name, then path. */
  places(): readonly KnownClone[];
  /** The summary of a place in the last run; undefined before the first. */
  summary(placeId: number): unknown;
  history(placeId: number): Omit<History, "commits" | "roots" | "latest">;
  /** Parts of `history`, for counting. */
  metadata(placeId: number): History["metadata"];
  segments(placeId: number): readonly Uint8Array[];
  /**
   * Stores what was read in one transaction: the checkpoint of one repository, whose notes are then to be read.
   *
   * @param before the place that it replaces; with `isExtended` its segments stay, and new ones follow.
   * @returns the id of the place.
   * @throws Fault when another run has read the same place in the meantime, or the disk has too little room.
   */
  save(
    place: NewClone,
    history: History,
    before: { readonly place: KnownClone; readonly isExtended: boolean } | undefined,
  ): number;
  /** Notes why places could not be read; undefined for those that were. */
  noteReading(places: ReadonlyMap<number, Omit<Unread, "since"> | undefined>): void;
  /** Changes the path of a place; nothing is recounted. */
  move(placeId: number, to: Pick<KnownClone, "directory" | "path">): void;
  /** Changes the name of a repository, which facts contain, so people are recounted. */
  rename(placeId: number, to: Pick<KnownClone, "name" | "forge" | "owner">): void;
  forget(placeIds: readonly number[]): void;
  /**
   * Erases people from every stored history, its rules of ownership and what was concluded from them, and removes their bytes
   * from the file. Their commits stay without an author. When a repository is read again, the pool keeps forgotten people out.
   *
   * @returns the number of erased signatures. Old bytes stay in the file's log while another process reads it.
   */
  erase(people: {
    readonly isTheirLogin: (login: string) => boolean;
    readonly isTheirs: (signature: Pick<KeptSignature, "name" | "email" | "rawEmail">) => boolean;
    /** Where to look, if that is known: default everywhere. */
    readonly among?:
      | {
          readonly spellings: readonly number[];
          /** Normalised. */
          readonly addresses: readonly string[];
          /** `forge/login`, in lower case. */
          readonly accounts: readonly string[];
          readonly logins: readonly string[];
        }
      | undefined;
  }): number;
  /**
   * Marks every repository to be read again, after an erasure was undone: only the repositories still have the erased names.
   */
  readAnew(): void;
  /** The last applied run; undefined when there was none, or another edition of Roster made it. */
  applied(): AppliedRun | undefined;
  /** The edition and rules of the last count; undefined when there was none. */
  countedBy():
    | {
        readonly edition: string;
        readonly identity: string;
        readonly publishCommitEmails: boolean;
      }
    | undefined;
  /** Lower-cased logins that the pool may have from git. */
  brought(): ReadonlySet<string>;
  /** Called before the pool stages these logins, so that a crash in between leaves none untracked. */
  willBring(logins: readonly string[]): void;
  /**
   * Called after the pool shows the result: what was published is due no more.
   *
   * @param published.gone logins that were removed from the pool.
   */
  setApplied(applied: AppliedRun, published: PublishedParts): void;
  /** Changes what the last applied run says, where there was one. */
  amendApplied(change: Partial<AppliedRun>): void;
  /** Whom the histories of some places name, by place in the order of their names and addresses. */
  mentions(placeIds: readonly number[]): readonly KnownMention[];
  /** Sets which places are about to be forgotten; no others are. */
  setLeaving(placeIds: readonly number[]): void;
  setSummaries(summaries: ReadonlyMap<number, unknown>): void;
  readonly commits: CommitIndex;
  readonly notes: NoteRows;
  readonly repositories: CountedRepositories;
  readonly spellings: SpellingRows;
  readonly people: KnownPeople;
  readonly identity: IdentityRows;
}

export interface PublishedParts {
  readonly gone: readonly string[];
  /** Ids of people and repositories. */
  readonly people: readonly number[];
  readonly repositories: readonly number[];
  readonly departed: readonly string[];
}
