/**
 * The demo people as `scripts/build` judged them: placing them takes a tenth of the time that judging them takes.
 * test/ingest/demo-pool.slow.test.ts holds the pool against what judging gives.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { placeReadyPool } from "../src/pool/sqlite/sqlite-pool.ts";

const root = join(import.meta.dir, "..");

/** The pool in dist/ while it is newer than the sources, by which `scripts/build` decides as well. */
function findReadyPool(): string | undefined {
  const ready = join(root, "dist/demo-pool.zst");
  if (!existsSync(ready)) return undefined;
  const newer = ["find", "src", "seed", "bun.lock", "-newer", ready, "-print", "-quit"];
  return Bun.spawnSync(newer, { cwd: root }).stdout.length === 0 ? ready : undefined;
}

/** Puts the demo people into this new file; nothing where no pool was built, and they are judged at the start. */
export function placeReadyDemo(path: string, now: Date): void {
  const ready = findReadyPool();
  if (ready) placeReadyPool(path, Bun.zstdDecompressSync(readFileSync(ready)), now);
}
