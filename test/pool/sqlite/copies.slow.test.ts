import { expect, test } from "bun:test";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { copyDatabase } from "../../../src/sqlite/copy-database.ts";
import { isLong } from "../../long.ts";
import { drawSeed } from "../../random.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { type PoolFiles, playHistory } from "../followed-pool.ts";

const newFolder = temporaryFolders();
const ends = ["", "-wal"];

function filesOf(path: string): PoolFiles {
  const [frozen, backup] = [`${path}.frozen`, `${path}.backup`];
  const put = (from: string) => {
    for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
    for (const end of ends) if (existsSync(from + end)) copyFileSync(from + end, path + end);
  };
  return {
    freeze() {
      for (const end of ends) {
        rmSync(frozen + end, { force: true });
        if (existsSync(path + end)) copyFileSync(path + end, frozen + end);
      }
      return { settle: () => put(frozen) };
    },
    backUp() {
      rmSync(backup, { force: true });
      copyDatabase(path, backup);
    },
    restore() {
      if (!existsSync(backup)) return false;
      put(backup);
      return true;
    },
  };
}

test("copies kept by changes alone equal a fresh export after each step", async () => {
  const first = drawSeed("copies kept by changes");
  const histories = isLong ? 200 : 20;
  let starts = 0;
  for (let seed = first; seed < first + histories; seed++) {
    const place = join(newFolder(), "pool.db");
    const history = { open: openSqlitePool, place, files: filesOf(place), steps: 25 };
    starts += (await playHistory(seed, history)).starts;
  }
  expect(starts).toBeGreaterThan(0);
}, 600_000);
