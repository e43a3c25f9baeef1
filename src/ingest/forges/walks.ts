/** Reads and writes the walks in forges.db: which lists of a source are still to be read. */
import type { ForgeSelection, ForgeStep } from "./forge.ts";
import { type ForgeLedger, writeForges } from "./forge-ledger.ts";

/** A walk in progress. All its lists are read when no step is left. */
export interface Walk {
  readonly ledger: ForgeLedger;
  readonly source: string;
  readonly forge: string;
  /** Number of the walk among the walks of its source. */
  readonly number: number;
  readonly isEverybody: boolean;
}

/** Continues the source's walk if it has not ended; otherwise begins a walk with these steps. */
export function openWalk(ledger: ForgeLedger, source: string, first: readonly ForgeStep[]): Walk {
  return writeForges(ledger, (sqlite) => {
    const known = sqlite.readRow<{ walk: number; forge: string; selections: string }>`
      SELECT walk, forge, selections FROM source WHERE id = ${source}`;
    if (!known) throw new Error(`No source is called ${source}.`);
    const selections = JSON.parse(known.selections) as ForgeSelection[];
    const isEverybody = selections.some(({ kind }) => kind === "all");
    const hasBegun = sqlite.readValue`SELECT 1 FROM step WHERE source = ${source}` !== undefined;
    const number = hasBegun ? known.walk : known.walk + 1;
    const walk = { ledger, source, forge: known.forge, number, isEverybody };
    if (hasBegun) return walk;
    sqlite.execute`UPDATE source SET walk = ${number} WHERE id = ${source}`;
    addSteps(walk, first);
    return walk;
  });
}

/** Returns the first unread step; undefined when none is left. */
export function findStep({ ledger: { sqlite }, source }: Walk): ForgeStep | undefined {
  const open = sqlite.readRow<{ name: string; ask: string; cursor: string | null }>`
    SELECT name, ask, cursor FROM step WHERE source = ${source} AND NOT is_done ORDER BY id LIMIT 1`;
  return open && { ...open, cursor: open.cursor ?? undefined };
}

/** @package Adds steps. A known step is left unchanged. */
export function addSteps({ ledger: { sqlite }, source }: Walk, found: readonly ForgeStep[]): void {
  for (const { name, ask, cursor = null } of found) {
    sqlite.execute`
      INSERT INTO step (source, name, ask, cursor, is_done)
      VALUES (${source}, ${name}, ${ask}, ${cursor}, 0) ON CONFLICT DO NOTHING`;
  }
}

/** Stores the next cursor of a step. @param next the cursor; undefined when nothing of the list is left to read. */
export function noteStep({ ledger, source }: Walk, { ask }: ForgeStep, next?: string): void {
  writeForges(
    ledger,
    (sqlite) => sqlite.execute`
      UPDATE step SET is_done = ${next === undefined}, cursor = ${next ?? null}
      WHERE source = ${source} AND ask = ${ask}`,
  );
}

export function endWalk({ ledger, source }: Walk, at: string): void {
  writeForges(ledger, (sqlite) => {
    sqlite.execute`DELETE FROM step WHERE source = ${source}`;
    sqlite.execute`
      UPDATE source SET completed_at = ${at}, paused_until = NULL WHERE id = ${source}`;
  });
}
