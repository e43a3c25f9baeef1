/** The part of the pool's port that exists only when nodes share the pool. */

export interface PoolDatabase {
  /** The connection URL. It may contain a password, so never show it. */
  readonly url: string;
  readonly urlFile?: string | undefined;
  readonly connectionsMax: number;
}

/** The search index that one node has built, stored for the other nodes. */
export interface SharedIndexes {
  /**
   * Waits until this process may read or build the index. Only one process may do so at a time.
   * @param isStopped ends the wait.
   * @returns a function that ends the turn. Undefined if the wait was stopped.
   */
  takeTurn(isStopped: () => boolean): Promise<(() => Promise<void>) | undefined>;
  /** Streams the parts of the index that a program of this edition stored, in order. */
  read(edition: string): AsyncIterable<Uint8Array>;
  /**
   * Replaces the stored index, unless the pool has a newer revision.
   * @param revision the pool's revision when the index was built.
   */
  store(edition: string, index: Uint8Array, revision: number): Promise<void>;
}
