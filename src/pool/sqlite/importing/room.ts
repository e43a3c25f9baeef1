import type { Database } from "../../../sqlite/database.ts";
import { requireRoom } from "../../../sqlite/folder/disk-space.ts";
import { readPages } from "../../../sqlite/pages.ts";
import type { Room } from "../../rows/importing/importing.ts";

/** The size of a search index relative to the pool. */
const indexShare = 0.05;
/** The size of the rest is estimated only after this share of the input. */
const shareMin = 0.02;

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
