import { inArray } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import { splitBatches } from "../../split-batches.ts";
import { openKnownPeople } from "./known-people.ts";
import type { AppliedRun, Ledger } from "./ledger.ts";
import { brought, ledgerState } from "./tables.ts";

/** An applied run as stored in `ledger_state`. */
interface StoredRun extends AppliedRun {
  readonly edition: string;
}

/** @package The rows on the last run, whose result the pool shows. */
export function readApplied(
  store: Database,
  edition: string,
): Pick<Ledger, "applied" | "countedBy" | "brought" | "willBring" | "setApplied" | "amendApplied"> {
  const { orm, sqlite } = store;
  const people = openKnownPeople(store);
  const stored = () =>
    orm.select().from(ledgerState).get()?.applied as StoredRun | null | undefined;
  const write = (run: StoredRun): void => {
    orm
      .insert(ledgerState)
      .values({ id: 1, applied: run })
      .onConflictDoUpdate({ target: ledgerState.id, set: { applied: run } })
      .run();
  };
  return {
    applied() {
      const run = stored();
      return run?.edition === edition ? run : undefined;
    },
    countedBy() {
      const run = stored();
      if (!run) return undefined;
      const { identity, publishCommitEmails = false } = run;
      return { edition: run.edition, identity, publishCommitEmails };
    },
    brought: () => new Set(sqlite.readColumn<string>`SELECT login FROM brought`),
    willBring(logins) {
      sqlite.transact(() => insertAll(store, logins));
    },
    setApplied(applied, published) {
      sqlite.transact(() => {
        for (const batch of splitBatches(published.gone, rowsAtOnce)) {
          orm.delete(brought).where(inArray(brought.login, batch)).run();
        }
        people.settle(published.people, published.repositories, published.departed);
        write({ ...applied, edition });
      });
    },
    amendApplied(change) {
      const run = stored();
      if (run) write({ ...run, ...change });
    },
  };
}

const rowsAtOnce = 500;

function insertAll({ orm }: Database, logins: readonly string[]): void {
  const rows = logins.map((login) => ({ login }));
  for (const batch of splitBatches(rows, rowsAtOnce)) {
    orm
      .insert(brought)
      .values([...batch])
      .onConflictDoNothing()
      .run();
  }
}
