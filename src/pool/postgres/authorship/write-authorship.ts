import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { PostgresDatabase, Statements } from "../../../postgres/database.ts";
import type { AuthorshipStore, RepositoryAuthorship } from "../../authorship.ts";
import { packBlock, packColumns, packNumbers } from "../../rows/pack-authorship.ts";
import { applyChange } from "../changing.ts";
import {
  knownRepositories,
  repositoryAuthors,
  repositoryBlocks,
  repositoryOwnership,
  repositoryPackages,
} from "../tables.ts";
import { findVisible } from "./ownership-rows.ts";

/** A transaction within these bounds is short. */
const bytesPerTransaction = 2 * 2 ** 20;
const rowsPerTransaction = 500;

/** @package Each method works in short transactions. */
export function createAuthorshipWriter(
  database: PostgresDatabase,
): Pick<AuthorshipStore, "replace" | "nameAuthors" | "keepOnly"> {
  const remove = (id: number) => applyChange(database, (orm) => removeRepository(orm, id));
  return {
    async replace(repository) {
      const id = await stage(database, repository);
      const others = and(eq(knownRepositories.key, repository.key), ne(knownRepositories.id, id));
      const before = await applyChange(database, async (orm) => {
        const hidden = await orm
          .update(knownRepositories)
          .set({ isShown: false })
          .where(others)
          .returning({ id: knownRepositories.id });
        await show(orm, eq(knownRepositories.id, id));
        return hidden;
      });
      for (const { id } of before) await remove(id);
    },
    nameAuthors: (key, logins) => nameAuthors(database, key, logins),
    async keepOnly(keys) {
      const { id, key, isShown } = knownRepositories;
      const rows = await database.orm.select({ id, key, isShown }).from(knownRepositories);
      for (const row of rows) if (!row.isShown || !keys.has(row.key)) await remove(row.id);
    },
  };
}

async function show(orm: Statements, condition: SQL): Promise<void> {
  await orm.update(knownRepositories).set({ isShown: true }).where(condition);
}

async function removeRepository(orm: Statements, id: number): Promise<void> {
  await orm.delete(knownRepositories).where(eq(knownRepositories.id, id));
  for (const part of [
    repositoryAuthors,
    repositoryPackages,
    repositoryOwnership,
    repositoryBlocks,
  ]) {
    await orm.delete(part).where(eq(part.repositoryId, id));
  }
}

async function nameAuthors(
  database: PostgresDatabase,
  key: string,
  logins: readonly (string | undefined)[],
): Promise<void> {
  const { orm } = database;
  const [row] = await orm
    .select({ id: knownRepositories.id })
    .from(knownRepositories)
    .where(and(eq(knownRepositories.key, key), eq(knownRepositories.isShown, true)));
  if (!row) return;
  const named = logins.flatMap((login, number) =>
    login === undefined ? [] : [{ number, loginKey: login.toLowerCase() }],
  );
  const own = eq(repositoryAuthors.repositoryId, row.id);
  const before = await orm.select().from(repositoryAuthors).where(own);
  const known = new Map(before.map(({ number, loginKey }) => [number, loginKey]));
  const changed = named.filter(({ number, loginKey }) => known.get(number) !== loginKey);
  const kept = new Set(named.map(({ number }) => number));
  const gone = before.filter(({ number }) => !kept.has(number)).map(({ number }) => number);
  for (let at = 0; at < gone.length; at += rowsPerTransaction) {
    const some = gone.slice(at, at + rowsPerTransaction);
    await applyChange(database, async (transaction) => {
      await transaction
        .delete(repositoryAuthors)
        .where(and(own, inArray(repositoryAuthors.number, some)));
    });
  }
  for (let at = 0; at < changed.length; at += rowsPerTransaction) {
    const some = changed.slice(at, at + rowsPerTransaction);
    await applyChange(database, (transaction) => insertAuthors(transaction, row.id, some));
  }
}

/** Only those whom the pool shows now; checked inside the change, beside which nobody can be erased. */
async function insertAuthors(
  orm: Statements,
  repositoryId: number,
  authors: readonly { readonly number: number; readonly loginKey: string }[],
): Promise<void> {
  const visible = await findVisible(orm, [...new Set(authors.map(({ loginKey }) => loginKey))]);
  const known = authors.filter(({ loginKey }) => visible.has(loginKey));
  if (known.length === 0) return;
  await orm
    .insert(repositoryAuthors)
    .values(known.map((author) => ({ ...author, repositoryId })))
    .onConflictDoUpdate({
      target: [repositoryAuthors.repositoryId, repositoryAuthors.number],
      set: { loginKey: sql`excluded.login_key` },
    });
}

/** @returns the id of the repository, which is not shown yet. */
async function stage(
  database: PostgresDatabase,
  repository: RepositoryAuthorship,
): Promise<number> {
  const { columns, blocks, packages, key, name, forge, ...counts } = repository;
  const row = { key, name, forge: forge ?? null, isShown: false, columns: packColumns(columns) };
  const id = await applyChange(database, async (orm) => {
    const [added] = await orm
      .insert(knownRepositories)
      .values({ ...row, ...counts })
      .returning({ id: knownRepositories.id });
    if (!added) throw new Error("An inserted row is returned.");
    return added.id;
  });
  let [sequence, number] = [0, 0];
  let pending: (typeof repositoryBlocks.$inferInsert)[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const rows = pending;
    pending = [];
    bytes = 0;
    if (rows.length === 0) return;
    await applyChange(
      database,
      async (orm) => void (await orm.insert(repositoryBlocks).values(rows)),
    );
  };
  for (const block of blocks) {
    const content = packBlock(block);
    const first = block.paths[0] ?? "";
    pending.push({ repositoryId: id, sequence, first, number, content });
    sequence += 1;
    number += block.paths.length;
    bytes += content.length;
    if (bytes >= bytesPerTransaction || pending.length >= rowsPerTransaction) await flush();
  }
  await flush();
  await stagePackages(database, id, packages);
  return id;
}

async function stagePackages(
  database: PostgresDatabase,
  repositoryId: number,
  packages: RepositoryAuthorship["packages"],
): Promise<void> {
  const rows = [...packages].map(({ name, relation, paths }) => {
    const lower = name.toLowerCase();
    const short = lower.slice(lower.indexOf(":") + 1);
    return { repositoryId, name: lower, short, relation, paths: packNumbers(paths) };
  });
  for (let at = 0; at < rows.length; at += rowsPerTransaction) {
    const some = rows.slice(at, at + rowsPerTransaction);
    await applyChange(database, async (orm) => {
      await orm.insert(repositoryPackages).values(some).onConflictDoNothing();
    });
  }
}
