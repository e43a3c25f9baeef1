import { type Check, checkFile, checkStructure } from "../sqlite/check-database.ts";
import { type Database, readFormNumber } from "../sqlite/database.ts";
import { databaseFiles } from "./data-files.ts";
import type { DatabaseRole } from "./file-names.ts";

/** All checks of one file, in short steps. */
export function checkDataFile(role: DatabaseRole, path: string): Check {
  const { kind, checkContent } = databaseFiles[role];
  const isNewest = (store: Database) => readFormNumber(store.sqlite) === kind.migrations.length;
  // The rows of an older form may lack what the check looks at; a start brings them to the newest first.
  const checkRows = (store: Database): Check =>
    isNewest(store) ? checkContent(store) : checkNothing();
  return checkFile(path, kind, checkRows, checkStructure);
}

// biome-ignore lint/correctness/useYield: A check of no steps is a check.
function* checkNothing(): Check {
  return [];
}
