/** Conditions that the rows of a pool must fulfill, in either database. */
import { toLoginKey } from "../identifiers.ts";
import { hashPacked } from "./pack-developer.ts";
import { unpackText } from "./unpack.ts";

/** A row of `developer`, joined with the developer's rows in other tables. */
export interface StoredRow {
  readonly row_id: number;
  readonly login: string;
  readonly login_key: string;
  readonly facts_hash: string;
  readonly whole_hash: string;
  readonly card: string | null;
  readonly standing: string | null;
  readonly facts: Uint8Array | null;
  readonly analysis: Uint8Array | null;
}

/** Whether the row and the joined rows match their hashes. */
export function isWhole(row: StoredRow): boolean {
  const { login, login_key, card, standing, facts, analysis, facts_hash, whole_hash } = row;
  if (card === null || standing === null || facts === null || analysis === null) return false;
  if (login_key !== toLoginKey(login)) return false;
  try {
    const hashes = hashPacked({
      facts: unpackText(facts),
      analysis: unpackText(analysis),
      card,
      standing,
    });
    return hashes.factsHash === facts_hash && hashes.wholeHash === whole_hash;
  } catch {
    return false;
  }
}

/** What an operator can do about damaged records of repositories. */
export const readAgain = "`roster ingest git --anew` stores them again";

const missing = (column: string) =>
  `developer WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT id FROM import)`;

/** The numbers of visible developers by source that differ from the stored numbers. */
const miscounted = `(
    SELECT d.source, count(*) AS n FROM developer AS d
    WHERE EXISTS (SELECT 1 FROM import AS i WHERE i.id = d.import_id AND i.revision IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM import AS i WHERE i.id = d.superseded_by AND i.revision IS NOT NULL)
    GROUP BY d.source
  ) AS counted LEFT JOIN source_count ON source_count.source = counted.source
  WHERE counted.n IS DISTINCT FROM source_count.developers`;

/** The ends of queries (after FROM) that select wrong rows, each with the message about such rows. */
export const wrongRows: readonly { readonly from: string; readonly says: string }[] = [
  ...["card", "standing", "dossier", "former_login", "findable", "identifier", "unlisted_row"].map(
    (table) => ({
      from: `${table} WHERE row_id NOT IN (SELECT row_id FROM developer)`,
      says: `rows of ${table} belong to no developer`,
    }),
  ),
  {
    from: "developer WHERE row_id NOT IN (SELECT row_id FROM identifier) AND row_id NOT IN (SELECT row_id FROM unlisted_row)",
    says: "rows about developers would not be found by an erasure",
  },
  ...["repository_block", "repository_author", "repository_package"].map((table) => ({
    from: `${table} WHERE repository_id NOT IN (SELECT id FROM repository)`,
    says: `rows of ${table} belong to no repository: ${readAgain}`,
  })),
  {
    from: "repository_author WHERE login_key NOT IN (SELECT login_key FROM developer)",
    says: `authors of repositories are not in the pool: ${readAgain}`,
  },
  ...["import_id", "superseded_by", "confirmed_by"].map((column) => ({
    from: missing(column),
    says: `developers refer to a missing import (${column})`,
  })),
  { from: miscounted, says: "sources have a wrong stored count of developers" },
  {
    from: "suppression_salt WHERE length(salt) <> 32",
    says: "salts of the suppression list are damaged",
  },
  {
    from: "suppressed WHERE length(hash) <> 32 OR receipt_id NOT IN (SELECT receipt_id FROM erasure)",
    says: "entries of the suppression list are damaged or belong to no receipt",
  },
];

/** The ends of queries (after SELECT) that list all packed bytes, with the id of their repository. */
export const repositoryBytes = [
  "id, columns AS stored FROM repository",
  "repository_id AS id, content AS stored FROM repository_block",
  "repository_id AS id, paths AS stored FROM repository_package",
];
