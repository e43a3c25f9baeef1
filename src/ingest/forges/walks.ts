/** The walks in forges.db: which lists of a source are still to be read. */
import { and, asc, eq } from "drizzle-orm";
import type { ForgeStep } from "./forge.ts";
import { type ForgeLedger, writeForges } from "./forge-ledger.ts";
import { sources, steps } from "./tables.ts";

/** A walk that has begun: all its lists are read when no step is left. */
export interface Walk {
  readonly ledger: ForgeLedger;
  readonly source: string;
  readonly forge: string;
  /** Counts the walks of the source. */
  readonly number: number;
  /** Whether the source selects everybody. */
  readonly isEverybody: boolean;
}

/** Goes on with the source's walk while it has open steps; begins one with these otherwise. */
export function openWalk(ledger: ForgeLedger, source: string, first: readonly ForgeStep[]): Walk {
  const { orm } = ledger;
  return writeForges(ledger, () => {
    const known = orm.select().from(sources).where(eq(sources.id, source)).get();
    if (!known) throw new Error(`No source is called ${source}.`);
    const { forge, selections } = known;
    const isEverybody = selections.some(({ kind }) => kind === "all");
    const hasBegun = orm.select().from(steps).where(eq(steps.source, source)).get() !== undefined;
    const number = hasBegun ? known.walk : known.walk + 1;
    const walk = { ledger, source, forge, number, isEverybody };
    if (hasBegun) return walk;
    orm.update(sources).set({ walk: number }).where(eq(sources.id, source)).run();
    addSteps(walk, first);
    return walk;
  });
}

/** The first step that is open; undefined when none is left. */
export function findStep({ ledger: { orm }, source }: Walk): ForgeStep | undefined {
  const open = orm
    .select()
    .from(steps)
    .where(and(eq(steps.source, source), eq(steps.isDone, false)))
    .orderBy(asc(steps.id))
    .get();
  return open && { name: open.name, ask: open.ask, cursor: open.cursor ?? undefined };
}

/** @package */
export function addSteps({ ledger: { orm }, source }: Walk, found: readonly ForgeStep[]): void {
  for (const { name, ask, cursor = null } of found) {
    orm
      .insert(steps)
      .values({ source, name, ask, cursor, isDone: false })
      // A person may be in two lists.
      .onConflictDoNothing()
      .run();
  }
}

/**
 * Notes where a step goes on.
 *
 * @param next undefined ends it, also when the token may not read its list or the list is not there.
 */
export function noteStep({ ledger, source }: Walk, { ask }: ForgeStep, next?: string): void {
  const set = next === undefined ? { isDone: true } : { cursor: next };
  const isThis = and(eq(steps.source, source), eq(steps.ask, ask));
  writeForges(ledger, () => ledger.orm.update(steps).set(set).where(isThis).run());
}

/** Ends a walk once the pool shows what it brought: until then, a run that was stopped goes on with it. */
export function endWalk({ ledger, source }: Walk, at: string): void {
  const { orm } = ledger;
  writeForges(ledger, () => {
    orm.delete(steps).where(eq(steps.source, source)).run();
    const set = { completedAt: at, pausedUntil: null };
    orm.update(sources).set(set).where(eq(sources.id, source)).run();
  });
}
