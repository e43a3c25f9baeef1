import { type Check, describeFinding } from "../../sqlite/check-database.ts";
import type { Database } from "../../sqlite/database.ts";
import { runInSteps } from "../../sqlite/run-at-once.ts";
import { checkContent } from "../rows/check-content.ts";
import { getQueries } from "./get-queries.ts";

/** Checks the content of the pool's rows. Each step is one short query. */
export function checkPoolContent(store: Database): Check {
  const rows = { ...getQueries(store), toFindableValues: (keys: string) => ({ keys }) };
  return runInSteps(store.orm, () => checkContent(rows, describeFinding));
}
