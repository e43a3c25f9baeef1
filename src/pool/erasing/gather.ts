import { gt } from "drizzle-orm";
import type { Facts } from "../../contract/facts/facts.ts";
import type { Store } from "../../store/store.ts";
import { unpackJson } from "../packed.ts";
import { stream } from "../reading.ts";
import { dossiers } from "../tables.ts";
import { type Identifier, identifiersOf } from "./identifiers.ts";

/** @package Everything that the pool's file holds of one person: rows shown, replaced and staged alike. */
export interface Gathered {
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
export function gather(store: Store, seed: Iterable<Identifier>): Gathered {
  const gathered: Gathered = {
    identifiers: new Set(seed),
    rowIds: new Set(),
    names: new Set(),
    newestRowId: 0,
  };
  for (;;) {
    const before = gathered.identifiers.size;
    for (const row of rowsAfter(store, 0)) take(gathered, row);
    if (gathered.rowIds.size === 0 || gathered.identifiers.size === before) return gathered;
  }
}

/**
 * Looks at the rows that have come since.
 *
 * @package
 * @returns false when they tell something new of the person: then everybody must be looked at again.
 */
export function gatherNewer(store: Store, gathered: Gathered): boolean {
  const before = gathered.identifiers.size;
  for (const row of [...rowsAfter(store, gathered.newestRowId)]) take(gathered, row);
  return gathered.identifiers.size === before;
}

function take(gathered: Gathered, { rowId, facts }: { rowId: number; facts: Facts }): void {
  const { identifiers, rowIds, names } = gathered;
  gathered.newestRowId = Math.max(gathered.newestRowId, rowId);
  const own = identifiersOf(facts);
  if (!own.some((identifier) => identifiers.has(identifier))) return;
  rowIds.add(rowId);
  for (const identifier of own) identifiers.add(identifier);
  for (const name of [facts.login, facts.profile.name]) if (name) names.add(name);
}

function* rowsAfter(store: Store, rowId: number): Generator<{ rowId: number; facts: Facts }> {
  const query = store.orm
    .select({ rowId: dossiers.rowId, facts: dossiers.facts })
    .from(dossiers)
    .where(gt(dossiers.rowId, rowId))
    .orderBy(dossiers.rowId);
  for (const row of stream<{ row_id: number; facts: Uint8Array }>(store, query.toSQL())) {
    yield { rowId: row.row_id, facts: unpackJson(row.facts) as Facts };
  }
}
