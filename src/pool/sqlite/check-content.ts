/**
 * Checks the content of the pool's rows. Rows of developers are compared with their hashes. Other rows have no hash, so only
 * their form and references are checked.
 */
import { type Check, collectFindings } from "../../sqlite/check-database.ts";
import type { Database } from "../../sqlite/database.ts";
import { isIntact } from "../rows/authorship/pack-authorship.ts";
import {
  isWhole,
  readAgain,
  repositoryBytes,
  type StoredRow,
  wrongRows,
} from "../rows/check-row.ts";

/** The number of rows in one step, which takes about 10 ms. */
const rowsPerStep = 100;

const rowsAfter = `
  SELECT row_id, login, login_key, facts_hash, whole_hash, card, standing, facts, analysis
  FROM developer LEFT JOIN card USING (row_id) LEFT JOIN standing USING (row_id) LEFT JOIN dossier USING (row_id)
  WHERE row_id > ?1 ORDER BY row_id LIMIT ${rowsPerStep}`;

/** Returns messages about damage. */
export function* checkPoolContent(store: Database): Check {
  const faults: string[] = [];
  const developersSeen = yield* checkDevelopers(store);
  faults.push(...developersSeen);
  for (const { query, says } of countsOfWrong(store)) {
    yield;
    faults.push(
      ...collectFindings(() => {
        const count = query();
        return count > 0 ? [`${count} ${says}`] : [];
      }),
    );
  }
  return faults;
}

function* checkDevelopers({ sqlite }: Database): Check {
  let [rows, damaged] = [0, 0];
  let unreadable: string | undefined;
  let last = 0;
  const statement = sqlite.prepare<StoredRow, [number]>(rowsAfter);
  try {
    let end = 0;
    unreadable = collectFindings(() => {
      end = sqlite.readValue`SELECT max(row_id) FROM developer` ?? 0;
      return [];
    })[0];
    while (last < end) {
      const [fault] = collectFindings(() => {
        const batch = statement.all(last);
        rows += batch.length;
        damaged += batch.filter((row) => !isWhole(row)).length;
        last = batch.at(-1)?.row_id ?? end;
        return [];
      });
      if (fault !== undefined) {
        unreadable = fault;
        last += rowsPerStep;
      }
      yield;
    }
  } finally {
    statement.finalize();
  }
  return [
    ...(damaged > 0 ? [`${damaged} of ${rows} rows about developers are damaged`] : []),
    ...(unreadable === undefined ? [] : [`rows about developers cannot be read: ${unreadable}`]),
  ];
}

/** Counts wrong rows. Each count is one short query. */
function countsOfWrong(store: Database) {
  const count = (from: string) => () =>
    store.sqlite.readValue<number>(`SELECT count(*) FROM ${from}`) ?? 0;
  return [
    ...wrongRows.map(({ from, says }) => ({ query: count(from), says })),
    {
      query: () => findDamaged(store).size,
      says: `repositories have damaged records of who changed which file: ${readAgain}`,
    },
    { query: count("decision WHERE NOT json_valid(evidence)"), says: "decisions are damaged" },
    // Only the form of the keys is checked, because an earlier version may have derived other keys from the same facts.
    {
      query: count("findable WHERE NOT json_valid(keys)"),
      says: "search keys of developers are damaged",
    },
  ];
}

/** @returns the ids of repositories with damaged data. */
function findDamaged({ sqlite }: Database): ReadonlySet<number> {
  const damaged = new Set<number>();
  for (const columns of repositoryBytes) {
    const rows = sqlite.prepare<{ id: number; stored: Uint8Array }, []>(`SELECT ${columns}`);
    for (const { id, stored } of rows.iterate()) if (!isIntact(stored)) damaged.add(id);
    rows.finalize();
  }
  return damaged;
}
