import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { AuthorshipStore, RepositoryAuthorship } from "../../authorship.ts";
import { packBlock, packColumns, packNumbers } from "../../rows/pack-authorship.ts";
import {
  developers,
  knownRepositories,
  repositoryAuthors,
  repositoryBlocks,
  repositoryOwnership,
  repositoryPackages,
} from "../tables.ts";
import { isVisible } from "../visible.ts";

/** A transaction within these bounds takes at most about 50 ms, even on a slow disk. */
const bytesPerTransaction = 2 * 2 ** 20;
const rowsPerTransaction = 500;

/** @package Each method works in short transactions. */
export function createAuthorshipWriter(
  store: Database,
): Pick<Immediate<AuthorshipStore>, "replace" | "nameAuthors" | "keepOnly"> {
  const { orm, sqlite } = store;
  const remove = (id: number): void => {
    sqlite
      .transaction(() => {
        orm.delete(knownRepositories).where(eq(knownRepositories.id, id)).run();
        orm.delete(repositoryAuthors).where(eq(repositoryAuthors.repositoryId, id)).run();
        orm.delete(repositoryPackages).where(eq(repositoryPackages.repositoryId, id)).run();
        orm.delete(repositoryOwnership).where(eq(repositoryOwnership.repositoryId, id)).run();
      })
      .immediate();
    removeBlocks(store, id);
  };
  return {
    replace(repository) {
      const id = stage(store, repository);
      const others = and(eq(knownRepositories.key, repository.key), ne(knownRepositories.id, id));
      const before = orm
        .select({ id: knownRepositories.id })
        .from(knownRepositories)
        .where(others)
        .all();
      sqlite
        .transaction(() => {
          orm.update(knownRepositories).set({ isShown: false }).where(others).run();
          orm
            .update(knownRepositories)
            .set({ isShown: true })
            .where(eq(knownRepositories.id, id))
            .run();
        })
        .immediate();
      for (const { id } of before) remove(id);
    },
    nameAuthors: (key, logins) => nameAuthors(store, key, logins),
    keepOnly(keys) {
      const rows = orm
        .select({
          id: knownRepositories.id,
          key: knownRepositories.key,
          isShown: knownRepositories.isShown,
        })
        .from(knownRepositories)
        .all();
      for (const { id, key, isShown } of rows) if (!isShown || !keys.has(key)) remove(id);
    },
  };
}

function nameAuthors(store: Database, key: string, logins: readonly (string | undefined)[]): void {
  const { orm } = store;

  const row = orm
    .select({ id: knownRepositories.id })
    .from(knownRepositories)
    .where(and(eq(knownRepositories.key, key), eq(knownRepositories.isShown, true)))
    .get();
  if (!row) return;
  const named = logins.flatMap((login, number) =>
    login === undefined ? [] : [{ number, loginKey: login.toLowerCase() }],
  );
  const own = eq(repositoryAuthors.repositoryId, row.id);
  const before = orm.select().from(repositoryAuthors).where(own).all();
  const known = new Map(before.map(({ number, loginKey }) => [number, loginKey]));
  const changed = named.filter(({ number, loginKey }) => known.get(number) !== loginKey);
  const kept = new Set(named.map(({ number }) => number));
  const gone = before.filter(({ number }) => !kept.has(number)).map(({ number }) => number);
  for (let at = 0; at < gone.length; at += rowsPerTransaction) {
    const some = gone.slice(at, at + rowsPerTransaction);
    orm
      .delete(repositoryAuthors)
      .where(and(own, inArray(repositoryAuthors.number, some)))
      .run();
  }
  for (let at = 0; at < changed.length; at += rowsPerTransaction) {
    insertAuthors(store, row.id, changed.slice(at, at + rowsPerTransaction));
  }
}

/** Only those whom the pool shows now; checked inside the transaction, beside which nobody can be erased. */
function insertAuthors(
  store: Database,
  repositoryId: number,
  authors: readonly { readonly number: number; readonly loginKey: string }[],
): void {
  const { orm, sqlite } = store;
  const keys = [...new Set(authors.map(({ loginKey }) => loginKey))];
  sqlite
    .transaction(() => {
      const rows = orm
        .select({ loginKey: developers.loginKey })
        .from(developers)
        .where(and(inArray(developers.loginKey, keys), isVisible(store)))
        .all();
      const visible = new Set(rows.map(({ loginKey }) => loginKey));
      const known = authors.filter(({ loginKey }) => visible.has(loginKey));
      if (known.length === 0) return;
      orm
        .insert(repositoryAuthors)
        .values(known.map((author) => ({ ...author, repositoryId })))
        .onConflictDoUpdate({
          target: [repositoryAuthors.repositoryId, repositoryAuthors.number],
          set: { loginKey: sql`excluded.login_key` },
        })
        .run();
    })
    .immediate();
}

/** @returns the id of the repository, which is not shown yet. */
function stage({ orm, sqlite }: Database, repository: RepositoryAuthorship): number {
  const { columns, blocks, packages, key, name, forge, ...counts } = repository;
  const { id } = orm
    .insert(knownRepositories)
    .values({
      ...{ key, name, forge: forge ?? null, isShown: false, columns: packColumns(columns) },
      ...counts,
    })
    .returning({ id: knownRepositories.id })
    .get();
  let [sequence, number] = [0, 0];
  let pending: (typeof repositoryBlocks.$inferInsert)[] = [];
  let bytes = 0;
  const flush = (): void => {
    const rows = pending;
    sqlite
      .transaction(() => {
        for (const row of rows) orm.insert(repositoryBlocks).values(row).run();
      })
      .immediate();
    pending = [];
    bytes = 0;
  };
  for (const block of blocks) {
    const content = packBlock(block);
    const first = block.paths[0] ?? "";
    pending.push({ repositoryId: id, sequence, first, number, content });
    sequence += 1;
    number += block.paths.length;
    bytes += content.length;
    if (bytes >= bytesPerTransaction) flush();
  }
  flush();
  const rows = [...packages].map(({ name, relation, paths }) => {
    const lower = name.toLowerCase();
    const short = lower.slice(lower.indexOf(":") + 1);
    return { repositoryId: id, name: lower, short, relation, paths: packNumbers(paths) };
  });
  for (let at = 0; at < rows.length; at += rowsPerTransaction) {
    orm
      .insert(repositoryPackages)
      .values(rows.slice(at, at + rowsPerTransaction))
      .onConflictDoNothing()
      .run();
  }
  return id;
}

const blocksPerTransaction = 50;

function removeBlocks({ sqlite }: Database, id: number): void {
  const some = sqlite.query(
    "DELETE FROM repository_block WHERE repository_id = ?1 AND sequence IN " +
      `(SELECT sequence FROM repository_block WHERE repository_id = ?1 LIMIT ${blocksPerTransaction})`,
  );
  while (some.run(id).changes > 0);
}
