/** The part of the port that exists only when nodes share the pool. */

/** The database of a pool that nodes share. */
export interface PoolDatabase {
  /** Includes the password, if there is one. Never show it. */
  readonly url: string;
  /** The file that the URL was read from, and is read from again. */
  readonly urlFile?: string | undefined;
  readonly connectionsMax: number;
}

/**
 * The search index that one node has built, stored for the others: reading it takes less work than building it. An
 * erasure deletes it.
 */
export interface SharedIndexes {
  /**
   * Waits for the turn to read or build the index.
   *
   * @param isStopped ends the wait.
   * @returns a function that ends the turn; undefined if stopped. The turn also ends with the process.
   */
  takeTurn(isStopped: () => boolean): Promise<(() => Promise<void>) | undefined>;
  /** Returns the parts of the index stored by a program of this edition, in order; nothing if there is none. */
  read(edition: string): AsyncIterable<Uint8Array>;
  /**
   * Replaces the stored index, unless the pool has a newer revision: an older index may contain a person erased since.
   *
   * @param revision the pool revision of the index.
   */
  store(edition: string, index: Uint8Array, revision: number): Promise<void>;
}
