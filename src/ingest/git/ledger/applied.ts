import { eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import { emptyLog } from "../../../sqlite/empty-log.ts";
import { rewriteFile } from "../../../sqlite/rewrite-file.ts";
import { splitBatches } from "../../split-batches.ts";
import type { KeptSignature, PathMetadata } from "../commits/history.ts";
import { eraseOwners, listOwnerLogins } from "../ownership/erase-owners.ts";
import type { AppliedRun, Ledger } from "./ledger.ts";
import type { Histories } from "./rows.ts";
import { brought, ledgerState, places } from "./tables.ts";

/** An applied run as stored in `ledger_state`. */
interface StoredRun extends AppliedRun {
  readonly revision: number;
  readonly edition: string;
}

/** @package The rows on the last run: whether the pool shows the content of the ledger. */
export function readApplied(store: Database, edition: string) {
  const { orm, sqlite } = store;
  const state = () => orm.select().from(ledgerState).get();
  const ledger: Pick<Ledger, "applied" | "countedBy" | "brought" | "willBring" | "setApplied"> = {
    applied() {
      const current = state();
      const run = current?.applied as StoredRun | null | undefined;
      if (!current || run?.edition !== edition) return undefined;
      // Not current when something was read, renamed or forgotten since.
      return { ...run, isCurrent: run.revision === current.revision };
    },
    countedBy() {
      const run = state()?.applied as StoredRun | null | undefined;
      if (!run) return undefined;
      const { edition, identity, publishCommitEmails = false } = run;
      return { edition, identity, publishCommitEmails };
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
          for (const batch of splitBatches(gone, rowsAtOnce)) {
            orm.delete(brought).where(inArray(brought.login, batch)).run();
          }
          for (const [id, summary] of summaries) {
            orm.update(places).set({ summary }).where(sql`${places.id} = ${id}`).run();
          }
          const revision = state()?.revision ?? 0;
          const run: StoredRun = { ...applied, revision, edition };
          orm
            .insert(ledgerState)
            .values({ id: 1, revision, applied: run })
            .onConflictDoUpdate({ target: ledgerState.id, set: { applied: run } })
            .run();
        })
        .immediate();
    },
  };
  return { ...ledger, change: (act: () => void) => changeAndOutdate(store, act) };
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

/** Runs a change in one transaction, after which the pool is out of date. */
function changeAndOutdate({ orm, sqlite }: Database, act: () => void): void {
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

/** @package */
export function createLedgerErasure(
  store: Database,
  histories: Histories,
): Pick<Ledger, "erase" | "readAnew"> {
  const { orm, sqlite } = store;
  const erase: Ledger["erase"] = (people) => {
    const { isTheirLogin, isTheirs } = people;
    const transact = (): number => {
      let erased = 0;
      const known = orm.select({ id: places.id, forge: places.forge }).from(places).all();
      for (const { id, forge } of known) {
        const { rest, count } = eraseSignatures(histories.metadata(id), isTheirs);
        const { ownership, owners } = eraseFromRules(rest.ownership, people, forge ?? undefined);
        if (count + owners > 0) histories.writeMetadata(id, { ...rest, ownership });
        erased += count;
      }
      for (const { login } of orm.select().from(brought).all()) {
        if (isTheirLogin(login)) orm.delete(brought).where(eq(brought.login, login)).run();
      }
      // The stored outcome names people too; without it, the next run recounts.
      orm.update(ledgerState).set({ applied: null }).run();
      return erased;
    };
    const erased = sqlite.transaction(transact).immediate();
    // Freed pages and the log may still hold the bytes.
    rewriteFile(store);
    emptyLog(sqlite);
    return erased;
  };
  return {
    erase,
    readAnew: () => {
      orm.update(places).set({ edition: "" }).run();
    },
  };
}

function eraseSignatures(
  metadata: PathMetadata,
  isTheirs: Parameters<Ledger["erase"]>[0]["isTheirs"],
) {
  let count = 0;
  const signatures = metadata.signatures.map((signature): KeptSignature => {
    if (signature.isErased || !isTheirs(signature)) return signature;
    count += 1;
    const { commits } = signature;
    return { name: "", email: "", rawEmail: "", line: "", commits, isErased: true };
  });
  const coAuthors = metadata.coAuthors.map((signature) => {
    if (!signature || !isTheirs(signature)) return signature;
    count += 1;
    return null;
  });
  return { rest: { ...metadata, signatures, coAuthors }, count };
}

function eraseFromRules(
  ownership: PathMetadata["ownership"],
  { isTheirLogin, isTheirs }: Parameters<Ledger["erase"]>[0],
  forge: string | undefined,
) {
  if (!ownership) return { ownership, owners: 0 };
  const { rest, count } = eraseOwners(ownership, (owner, rule) => {
    if ("login" in owner) return listOwnerLogins(owner.login, rule, forge).some(isTheirLogin);
    if ("team" in owner) return false;
    return isTheirs({ name: "", email: owner.email, rawEmail: owner.email });
  });
  return { ownership: rest, owners: count };
}
