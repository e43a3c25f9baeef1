/** Checks the content of the rows as `../sqlite/check-content.ts` does. */
import { isDeepStrictEqual } from "node:util";
import type { SQL } from "bun";
import { tryParseJson } from "../../contract/foreign-json.ts";
import type { PostgresDatabase } from "../../postgres/database.ts";
import { isIntact } from "../rows/authorship/pack-authorship.ts";
import {
  isWhole,
  readAgain,
  repositoryBytes,
  type StoredRow,
  wrongRows,
} from "../rows/check-row.ts";
import { toFindableValues } from "./reading/findable-values.ts";

const rowsPerStep = 200;

interface CheckedRow extends StoredRow {
  readonly keys: string | null;
  readonly score: number | null;
  readonly names: string | null;
  readonly exact_keys: readonly string[] | null;
}

const rowsAfter = `
  SELECT row_id, login, login_key, facts_hash, whole_hash, card, standing, facts, analysis, keys,
    score, names, exact_keys
  FROM developer LEFT JOIN card USING (row_id) LEFT JOIN standing USING (row_id) LEFT JOIN dossier USING (row_id)
    LEFT JOIN findable USING (row_id)
  WHERE row_id > $1 ORDER BY row_id LIMIT ${rowsPerStep}`;

/** @returns messages about damage, without names of people. */
export async function checkPoolRows({
  sql: database,
}: PostgresDatabase): Promise<readonly string[]> {
  return database.begin("ISOLATION LEVEL REPEATABLE READ, READ ONLY", async (sql) => {
    await sql.unsafe("SET LOCAL search_path = pool");
    await sql.unsafe("SET LOCAL statement_timeout = 0");
    const faults = [...(await checkDevelopers(sql)), ...(await checkTexts(sql))];
    for (const { from, says } of wrongRows) {
      const [row] = await sql.unsafe(`SELECT count(*)::int AS n FROM ${from}`);
      if (row.n > 0) faults.push(`${row.n} ${says}`);
    }
    return faults;
  });
}

async function checkDevelopers(sql: SQL): Promise<readonly string[]> {
  let [seen, damaged, unreadable, last] = [0, 0, 0, 0];
  for (;;) {
    const rows: readonly CheckedRow[] = await sql.unsafe(rowsAfter, [last]);
    for (const row of rows) {
      if (!isWhole(row)) damaged += 1;
      if (!hasOwnKeys(row)) unreadable += 1;
      last = row.row_id;
    }
    seen += rows.length;
    if (rows.length < rowsPerStep) break;
  }
  return [
    ...(damaged > 0 ? [`${damaged} of ${seen} rows about developers are damaged`] : []),
    ...(unreadable > 0 ? [`${unreadable} search keys of developers are damaged`] : []),
  ];
}

async function checkTexts(sql: SQL): Promise<readonly string[]> {
  const damaged = new Set<number>();
  for (const columns of repositoryBytes) {
    // Fetches one row at a time, because two large repositories may not fit into memory together.
    await sql.unsafe(`DECLARE stored NO SCROLL CURSOR FOR SELECT ${columns}`);
    for (;;) {
      const [row]: readonly { id: number; stored: Uint8Array }[] =
        await sql.unsafe("FETCH 1 FROM stored");
      if (!row) break;
      if (!isIntact(row.stored)) damaged.add(row.id);
    }
    await sql.unsafe("CLOSE stored");
  }
  const decisions: readonly { evidence: string }[] = await sql.unsafe(
    "SELECT evidence FROM decision",
  );
  const undecided = decisions.filter(({ evidence }) => tryParseJson(evidence) === undefined).length;
  const records = "repositories have damaged records of who changed which file";
  return [
    ...(damaged.size > 0 ? [`${damaged.size} ${records}: ${readAgain}`] : []),
    ...(undecided > 0 ? [`${undecided} decisions are damaged`] : []),
  ];
}

/** Whether the columns computed from `keys` are right. Columns that are not computed yet are also right. */
function hasOwnKeys({ keys, score, names, exact_keys }: CheckedRow): boolean {
  if (keys === null || names === null) return keys === null || tryParseJson(keys) !== undefined;
  try {
    return isDeepStrictEqual({ keys, score, names, exactKeys: exact_keys }, toFindableValues(keys));
  } catch {
    return false;
  }
}
