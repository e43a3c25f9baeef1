import type { Database } from "../../../sqlite/database.ts";
import { requireRoom } from "../../../sqlite/folder/disk-space.ts";
import { readPages } from "../../../sqlite/pages.ts";

/** The index grows with the pool, and a server writes the next one beside the present one. */
const indexShare = 0.05;
/** Before this much was put, what is left to come cannot be told from it. */
const shareMin = 0.02;

/** Looks at the disk before and during an import, so that it ends before the disk is full. @package */
export interface Room {
  /** @throws Fault (`no_space`) when a server beside the import would be left too little. */
  require(): void;
  /**
   * The same for all that is still to come, if it takes as much as what was put so far.
   *
   * @param share of the input that was put, from 0 to 1.
   */
  requireRest(share: number): void;
}

/** @package */
export function createRoom(store: Database): Room {
  const before = readPages(store);
  const require = (bytes: number) => requireRoom(store.path, bytes);
  const indexBytes = () => indexShare * readPages(store).usedBytes;
  return {
    require: () => require(indexBytes()),
    requireRest(share) {
      if (share < shareMin || share >= 1) return;
      const { usedBytes, freeBytes } = readPages(store);
      const rest = (Math.max(0, usedBytes - before.usedBytes) * (1 - share)) / share;
      require(indexBytes() + (1 + indexShare) * Math.max(0, rest - freeBytes));
    },
  };
}
