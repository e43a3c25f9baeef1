import { gt } from "drizzle-orm";
import type { Facts } from "../../../contract/people/facts.ts";
import type { Database } from "../../../sqlite/database.ts";
import { type Identifier, listIdentifiers, listNames, toLoginKey } from "../../identifiers.ts";
import { unpackText } from "../pack-developer.ts";
import { streamRows } from "../reading/read-pool.ts";
import { dossiers } from "../tables.ts";

/** @package Everything that the pool's file has about one person, in visible, replaced and staged rows. */
export interface GatheredRows {
  readonly identifiers: Set<Identifier>;
  readonly rowIds: Set<number>;
  /** In lower case. They are not followed: another developer may have one now, and is then somebody else. */
  readonly formerLogins: Set<string>;
  /** Names in their rows, which a reason must not contain. */
  readonly names: Set<string>;
  /** The newest row that was examined, of any person. */
  newestRowId: number;
}

/**
 * Follows identifiers from row to row until no row adds one: two logins from two sources are one person
 * if they share an address.
 *
 * @package
 */
export function gatherRows(store: Database, seed: Iterable<Identifier>): GatheredRows {
  const gathered: GatheredRows = {
    identifiers: new Set(seed),
    rowIds: new Set(),
    formerLogins: new Set(),
    names: new Set(),
    newestRowId: 0,
  };
  for (;;) {
    const before = gathered.identifiers.size;
    for (const row of rowsAfter(store, gathered, 0)) addRow(gathered, row);
    if (gathered.rowIds.size === 0 || gathered.identifiers.size === before) return gathered;
  }
}

/**
 * Examines the rows that were added since.
 *
 * @package
 * @returns false when one of them adds an identifier: then all rows must be examined again.
 */
export function gatherNewerRows(store: Database, gathered: GatheredRows): boolean {
  const before = gathered.identifiers.size;
  for (const row of [...rowsAfter(store, gathered, gathered.newestRowId)]) addRow(gathered, row);
  return gathered.identifiers.size === before;
}

function addRow(gathered: GatheredRows, { rowId, facts }: { rowId: number; facts: Facts }): void {
  const { identifiers, rowIds, formerLogins, names } = gathered;
  const own = listIdentifiers(facts);
  if (!own.some((identifier) => identifiers.has(identifier))) return;
  rowIds.add(rowId);
  for (const identifier of own) identifiers.add(identifier);
  for (const login of facts.formerLogins ?? []) formerLogins.add(toLoginKey(login));
  for (const name of listNames(facts)) names.add(name);
}

/** Rows that may be the person's. Most others are excluded by their text alone, without parsing it. */
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
  const mention = mentionOf(gathered.identifiers);
  for (const row of streamRows<{ row_id: number; facts: Uint8Array }>(store, query.toSQL())) {
    gathered.newestRowId = Math.max(gathered.newestRowId, row.row_id);
    const text = unpackText(row.facts);
    if (mention.test(text)) yield { rowId: row.row_id, facts: JSON.parse(text) as Facts };
  }
}

/** Facts with an identifier contain its last part: the login, the address or the account's number. */
function mentionOf(identifiers: ReadonlySet<Identifier>): RegExp {
  const words = [...identifiers].map((identifier) => {
    const [, before, word = ""] = /([:#/])([^:#/]+)$/.exec(identifier) ?? [];
    // Characters that JSON escapes, or whose lower case is ambiguous, may be written differently in the text.
    if (!/^[ !#-[\]-~]+$/.test(word)) return "";
    return before === "#" ? `${RegExp.escape(word)}[+-]` : RegExp.escape(word);
  });
  return words.includes("") ? /(?:)/ : new RegExp(words.join("|"), "i");
}
