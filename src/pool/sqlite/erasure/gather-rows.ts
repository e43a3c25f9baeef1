import { gt } from "drizzle-orm";
import type { Facts } from "../../../contract/people/facts.ts";
import type { Database } from "../../../sqlite/database.ts";
import { type Identifier, listIdentifiers } from "../../identifiers.ts";
import { unpackText } from "../pack-developer.ts";
import { streamRows } from "../read-pool.ts";
import { dossiers } from "../tables.ts";

/** @package Everything that the pool's file holds of one person: rows shown, replaced and staged alike. */
export interface GatheredRows {
  readonly identifiers: Set<Identifier>;
  readonly rowIds: Set<number>;
  /** Names as their rows spell them: what a reason must not contain. */
  readonly names: Set<string>;
  /** The newest row that was looked at, of anybody. */
  newestRowId: number;
}

/**
 * Follows the identifiers from row to row until no row adds one: a person who came from two sources
 * under two logins is one person by the address they share.
 *
 * @package
 */
export function gatherRows(store: Database, seed: Iterable<Identifier>): GatheredRows {
  const gathered: GatheredRows = {
    identifiers: new Set(seed),
    rowIds: new Set(),
    names: new Set(),
    newestRowId: 0,
  };
  for (;;) {
    const before = gathered.identifiers.size;
    for (const row of rowsAfter(store, gathered, 0)) take(gathered, row);
    if (gathered.rowIds.size === 0 || gathered.identifiers.size === before) return gathered;
  }
}

/**
 * Looks at the rows that have come since.
 *
 * @package
 * @returns false when they tell something new of the person: then everybody must be looked at again.
 */
export function gatherNewerRows(store: Database, gathered: GatheredRows): boolean {
  const before = gathered.identifiers.size;
  for (const row of [...rowsAfter(store, gathered, gathered.newestRowId)]) take(gathered, row);
  return gathered.identifiers.size === before;
}

function take(gathered: GatheredRows, { rowId, facts }: { rowId: number; facts: Facts }): void {
  const { identifiers, rowIds, names } = gathered;
  const own = listIdentifiers(facts);
  if (!own.some((identifier) => identifiers.has(identifier))) return;
  rowIds.add(rowId);
  for (const identifier of own) identifiers.add(identifier);
  for (const name of [facts.login, facts.profile.name]) if (name) names.add(name);
}

/** Rows that may be the person's. Most are told apart by their text alone, which is not even parsed. */
function* rowsAfter(
  store: Database,
  gathered: GatheredRows,
  rowId: number,
): Generator<{ rowId: number; facts: Facts }> {
  const query = store.orm
    .select({ rowId: dossiers.rowId, facts: dossiers.facts })
    .from(dossiers)
    .where(gt(dossiers.rowId, rowId))
    .orderBy(dossiers.rowId);
  const mentions = mentioning(gathered.identifiers);
  for (const row of streamRows<{ row_id: number; facts: Uint8Array }>(store, query.toSQL())) {
    gathered.newestRowId = Math.max(gathered.newestRowId, row.row_id);
    const text = unpackText(row.facts);
    if (mentions.test(text)) yield { rowId: row.row_id, facts: JSON.parse(text) as Facts };
  }
}

/** Each identifier ends in words that facts must hold to have it: the login, the address, the account's number. */
function mentioning(identifiers: ReadonlySet<Identifier>): RegExp {
  const words = [...identifiers].map((identifier) => {
    const [, before, word = ""] = /([:#/])([^:#/]+)$/.exec(identifier) ?? [];
    // What JSON escapes, or letters whose lower case is a matter of opinion, stand otherwise in the text.
    if (!/^[ !#-[\]-~]+$/.test(word)) return "";
    return before === "#" ? `${RegExp.escape(word)}[+-]` : RegExp.escape(word);
  });
  return words.includes("") ? /(?:)/ : new RegExp(words.join("|"), "i");
}
