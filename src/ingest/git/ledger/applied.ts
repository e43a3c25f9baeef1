import type { Database } from "../../../sqlite/database.ts";
import { openKnownPeople } from "./known-people.ts";
import type { AppliedRun, Ledger } from "./ledger.ts";

/** An applied run as stored in `ledger_state`. */
interface StoredRun extends AppliedRun {
  readonly edition: string;
}

/** @package The rows on the last run, whose result the pool shows. */
export function readApplied(store: Database, edition: string) {
  const { sqlite } = store;
  const people = openKnownPeople(store);
  const stored = (): StoredRun | undefined => {
    const text = sqlite.readValue<string>`SELECT applied FROM ledger_state`;
    return text ? JSON.parse(text) : undefined;
  };
  const write = (run: StoredRun): void => {
    sqlite.execute`INSERT INTO ledger_state (id, applied) VALUES (1, ${JSON.stringify(run)})
      ON CONFLICT (id) DO UPDATE SET applied = excluded.applied`;
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
      const add = sqlite.query("INSERT OR IGNORE INTO brought (login) VALUES (?)");
      sqlite.transact(() => {
        for (const login of logins) add.run(login);
      });
    },
    setApplied(applied, published) {
      const remove = sqlite.query("DELETE FROM brought WHERE login = ?");
      sqlite.transact(() => {
        for (const login of published.gone) remove.run(login);
        people.settle(published.people, published.repositories, published.departed);
        write({ ...applied, edition });
      });
    },
    amendApplied(change) {
      const run = stored();
      if (run) write({ ...run, ...change });
    },
  } satisfies Partial<Ledger>;
}
