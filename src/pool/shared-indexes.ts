/** The part of the port that exists only when nodes share the pool. */

/** Where nodes share the pool. */
export interface PoolDatabase {
  /** With the password, if there is one: never shown. */
  readonly url: string;
  /** Where it was read, and is read again. */
  readonly urlFile?: string | undefined;
  readonly connectionsMax: number;
}

/**
 * The search index that one node has built, for the others: reading it is less work than building it. An erasure
 * deletes it.
 */
export interface SharedIndexes {
  /**
   * Waits for the turn to read or build it.
   *
   * @param isStopped ends the waiting.
   * @returns what ends the turn; undefined when stopped. The turn ends with the process too.
   */
  takeTurn(isStopped: () => boolean): Promise<(() => Promise<void>) | undefined>;
  /** The parts of the one that a program of this edition has stored, in order; nothing when there is none. */
  read(edition: string): AsyncIterable<Uint8Array>;
  /**
   * Replaces whatever is stored, unless the pool has moved on: an index of an older revision may have somebody who was
   * erased since.
   *
   * @param revision the one that the index is of.
   */
  store(edition: string, index: Uint8Array, revision: number): Promise<void>;
}
