import { inArray, sql } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import type { AppliedRun, Ledger } from "./ledger.ts";
import { brought, ledgerState, places } from "./tables.ts";

interface Kept extends AppliedRun {
  readonly revision: number;
  readonly edition: string;
}

/** @package Whether the pool shows what is known. */
export function readApplied(store: Database, edition: string) {
  const { orm, sqlite } = store;
  const state = () => orm.select().from(ledgerState).get();
  const ledger: Pick<Ledger, "applied" | "brought" | "willBring" | "setApplied"> = {
    applied() {
      const held = state();
      const kept = held?.applied as Kept | null | undefined;
      if (!held || !kept) return undefined;
      if (kept.edition !== edition) return undefined;
      // Not current: something was read, renamed or forgotten since.
      return { ...kept, isCurrent: kept.revision === held.revision };
    },
    brought: () =>
      new Set(
        orm
          .select()
          .from(brought)
          .all()
          .map(({ login }) => login),
      ),
    willBring(logins) {
      sqlite.transaction(() => insertAll(store, logins)).immediate();
    },
    setApplied(applied, gone, summaries) {
      sqlite
        .transaction(() => {
          for (let at = 0; at < gone.length; at += rowsAtOnce) {
            const some = gone.slice(at, at + rowsAtOnce);
            orm.delete(brought).where(inArray(brought.login, some)).run();
          }
          for (const [id, summary] of summaries) {
            orm.update(places).set({ summary }).where(sql`${places.id} = ${id}`).run();
          }
          const revision = state()?.revision ?? 0;
          const kept: Kept = { ...applied, revision, edition };
          orm
            .insert(ledgerState)
            .values({ id: 1, revision, applied: kept })
            .onConflictDoUpdate({ target: ledgerState.id, set: { applied: kept } })
            .run();
        })
        .immediate();
    },
  };
  return { ...ledger, begin: (act: () => void) => changing(store, act) };
}

const rowsAtOnce = 500;

function insertAll({ orm }: Database, logins: readonly string[]): void {
  for (let at = 0; at < logins.length; at += rowsAtOnce) {
    const rows = logins.slice(at, at + rowsAtOnce).map((login) => ({ login }));
    orm.insert(brought).values(rows).onConflictDoNothing().run();
  }
}

/** One transaction, after which the pool is behind. */
function changing({ orm, sqlite }: Database, act: () => void): void {
  sqlite
    .transaction(() => {
      act();
      orm
        .insert(ledgerState)
        .values({ id: 1, revision: 1 })
        .onConflictDoUpdate({
          target: ledgerState.id,
          set: { revision: sql`${ledgerState.revision} + 1` },
        })
        .run();
    })
    .immediate();
}
