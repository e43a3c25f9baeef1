import { checkControlContent } from "../control/sqlite/sqlite-control-store.ts";
import { checkForgeContent, checkLedgerContent } from "../ingest/ingest.ts";
import { checkPoolContent } from "../pool/sqlite/sqlite-pool.ts";
import { type Check, checkFile, checkStructure } from "../sqlite/check-database.ts";
import { type Database, readFormNumber } from "../sqlite/database.ts";
import { checkedFiles, type DataFileName } from "./data-file.ts";

const contentChecks = {
  control: checkControlContent,
  pool: checkPoolContent,
  ledger: checkLedgerContent,
  forges: checkForgeContent,
};

/** @package All checks of one file, in short steps. */
export function checkDataFile(file: DataFileName, path: string): Check {
  const { kind } = checkedFiles[file];
  const isNewest = (store: Database) => readFormNumber(store.sqlite) === kind.migrations.length;
  // The rows of an older form may lack what the check looks at; a start brings them to the newest first.
  const checkRows = (store: Database): Check =>
    isNewest(store) ? contentChecks[file](store) : checkNothing();
  return checkFile(path, kind, checkRows, checkStructure);
}

// biome-ignore lint/correctness/useYield: A check of no steps is a check.
function* checkNothing(): Check {
  return [];
}
