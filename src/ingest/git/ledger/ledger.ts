/**
 * What was read of each repository, kept in a file of its own beside the pool: so that only new commits
 * are read the next time, a run that was cut off goes on where it ended, and people are always counted
 * over every repository that is known. A file of its own, because it is written while git is read and must
 * never hold the lock that the pool's readers and importers need, and because it can be thrown away:
 * without it the next run reads everything again and comes to the same people.
 */
import type { History, KeptSignature } from "../commits/history.ts";

/** A repository as it was read at one place. */
export interface KnownClone {
  readonly id: number;
  /** Real path of the repository or bundle; null when something else stands there now. */
  readonly directory: string | null;
  /** As the caller named it. */
  readonly path: string;
  readonly name: string;
  readonly forge: string | undefined;
  readonly owner: string | undefined;
  /** The commit that was HEAD when it was read. */
  readonly head: string;
  /** Fingerprint of what maps its authors: another one, and old commits may have other authors. */
  readonly mailmap: string;
  /** Which Roster read it: another one may read differently. */
  readonly edition: string;
  /** ISO 8601, UTC. */
  readonly readAt: string;
  readonly commits: number;
  /** Commits without parents, sorted. */
  readonly roots: readonly string[];
  /** Latest author date in seconds. */
  readonly latest: number;
  /** What the last counting said of it; undefined before the first. */
  readonly summary: unknown;
}

type NewClone = Omit<
  KnownClone,
  "id" | "edition" | "readAt" | "commits" | "roots" | "latest" | "summary"
>;

/** How the people that the pool shows were counted. */
export interface AppliedRun {
  readonly asOf: string;
  readonly modelVersion: string;
  /** Fingerprint of what people have said about who is who. */
  readonly identity: string;
  /** What the pool says of its last import of git: another one, and the pool is not as it was left. */
  readonly poolMark: string;
  /** What was found, for a run that finds nothing new. */
  readonly outcome: unknown;
}

export interface Ledger {
  readonly edition: string;
  /** By name, then path. */
  places(): readonly KnownClone[];
  history(placeId: number): Omit<History, "commits" | "roots" | "latest">;
  /** Parts of `history`, for counting. */
  metadata(placeId: number): History["metadata"];
  segments(placeId: number): readonly Uint8Array[];
  /**
   * Keeps what was read, in one transaction: this is the checkpoint.
   *
   * @param before what it takes the place of; with `isExtended` its segments stay and the new ones follow.
   * @throws Fault when another run has read the same place meanwhile.
   */
  save(
    place: NewClone,
    history: History,
    before: { readonly place: KnownClone; readonly isExtended: boolean } | undefined,
  ): void;
  /** Another path, or none, and nothing new. */
  move(placeId: number, to: Pick<KnownClone, "directory" | "path">): void;
  /** Another name: people are told by it where they worked, so they are counted anew. */
  rename(placeId: number, to: Pick<KnownClone, "name" | "forge" | "owner">): void;
  forget(placeIds: readonly number[]): void;
  /**
   * Erases people from every kept history, and cleans the file of their bytes: their commits stay as
   * nobody's. Whether they come back when their repository is read again is for the pool to refuse.
   *
   * @returns signatures erased. While another process reads the file, old bytes stay in its log until it ends.
   */
  erase(people: {
    readonly isTheirLogin: (login: string) => boolean;
    readonly isTheirs: (signature: Pick<KeptSignature, "name" | "email" | "rawEmail">) => boolean;
  }): number;
  /** An erasure was taken back: what was erased can only be had from the repositories themselves. */
  readAnew(): void;
  /** The last counting; undefined when there was none, or by another Roster. */
  applied(): (AppliedRun & { readonly isCurrent: boolean }) | undefined;
  /** Lower-cased logins that the pool may have from here. */
  brought(): ReadonlySet<string>;
  /** Before these people are shown: a crash between the two files must leave nobody behind. */
  willBring(logins: readonly string[]): void;
  /** After they are shown. @param gone logins that were taken out of the pool. */
  setApplied(
    applied: AppliedRun,
    gone: readonly string[],
    summaries: ReadonlyMap<number, unknown>,
  ): void;
}
