import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { execute, fetchRow, fetchRows, splitInBatches, type Work } from "../../../queries/work.ts";
import type { AuthorshipStore, RepositoryAuthorship } from "../../authorship.ts";
import { fetchAdded } from "../change-rows.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";
import { findVisible } from "../visible.ts";
import { selectShown } from "./ownership-rows.ts";
import { packBlock, packColumns, packNumbers } from "./pack-authorship.ts";

/** The limits of a transaction, so that it takes at most about 50 ms. */
const bytesPerTransaction = 2 * 2 ** 20;
const rowsPerTransaction = 500;

/** Each method works in short transactions. */
export function createAuthorshipWriter(context: PoolContext) {
  const { read, change } = context;
  return {
    async replace(repository) {
      const id = await stage(context, repository);
      const before = await change(function* ({ queries, tables: { knownRepositories } }) {
        const areOthers = and(
          eq(knownRepositories.key, repository.key),
          ne(knownRepositories.id, id),
        );
        const update = queries.update(knownRepositories).set({ isShown: false }).where(areOthers);
        const hidden = yield* fetchRows(update.returning({ id: knownRepositories.id }));
        const isStaged = eq(knownRepositories.id, id);
        yield* execute(queries.update(knownRepositories).set({ isShown: true }).where(isStaged));
        return hidden;
      });
      for (const { id } of before) await removeRepository(context, id);
    },
    nameAuthors: (key, logins) => nameAuthors(context, key, logins),
    async keepOnly(keys) {
      const rows = await read(({ queries, tables: { knownRepositories } }) => {
        const { id, key, isShown } = knownRepositories;
        return fetchRows(queries.select({ id, key, isShown }).from(knownRepositories));
      });
      for (const { id, key, isShown } of rows) {
        if (!isShown || !keys.has(key)) await removeRepository(context, id);
      }
    },
  } satisfies Partial<AuthorshipStore>;
}

const blocksPerTransaction = 50;

/** Removes a repository. Hides it first, so that after a crash the next run removes the rest. */
async function removeRepository({ change }: PoolContext, id: number): Promise<void> {
  await change(({ queries, tables: { knownRepositories } }) => {
    const isIt = eq(knownRepositories.id, id);
    return execute(queries.update(knownRepositories).set({ isShown: false }).where(isIt));
  });
  while ((await change((rows) => removeBlocks(rows, id))) > 0);
  await change(function* ({ queries, tables }) {
    const { repositoryAuthors, repositoryPackages, repositoryOwnership } = tables;
    for (const part of [repositoryAuthors, repositoryPackages, repositoryOwnership]) {
      yield* execute(queries.delete(part).where(eq(part.repositoryId, id)));
    }
    const { knownRepositories } = tables;
    yield* execute(queries.delete(knownRepositories).where(eq(knownRepositories.id, id)));
  });
}

/** @returns the number of removed blocks. */
function* removeBlocks(
  { queries, tables: { repositoryBlocks } }: PoolQueries,
  id: number,
): Work<number> {
  const { repositoryId, sequence } = repositoryBlocks;
  const isOfIt = eq(repositoryId, id);
  const all = queries.select({ sequence }).from(repositoryBlocks).where(isOfIt);
  const areSome = and(isOfIt, inArray(sequence, all.limit(blocksPerTransaction)));
  const deletion = queries.delete(repositoryBlocks).where(areSome);
  const removed = yield* fetchRows(deletion.returning({ sequence }));
  return removed.length;
}

async function nameAuthors(
  { read, change }: PoolContext,
  key: string,
  logins: readonly (string | undefined)[],
): Promise<void> {
  const known = await read((rows) => readAuthors(rows, key));
  if (!known) return;
  const { repositoryId, before } = known;
  const named = logins.flatMap((login, number) =>
    login === undefined ? [] : [{ number, loginKey: login.toLowerCase() }],
  );
  const changed = named.filter(({ number, loginKey }) => before.get(number) !== loginKey);
  const remaining = new Set(named.map(({ number }) => number));
  const gone = [...before.keys()].filter((number) => !remaining.has(number));
  for (const some of splitInBatches(gone, rowsPerTransaction)) {
    await change(({ queries, tables: { repositoryAuthors } }) => {
      const isOfIt = eq(repositoryAuthors.repositoryId, repositoryId);
      const isGone = and(isOfIt, inArray(repositoryAuthors.number, some));
      return execute(queries.delete(repositoryAuthors).where(isGone));
    });
  }
  for (const some of splitInBatches(changed, rowsPerTransaction)) {
    await change((rows) => insertAuthors(rows, repositoryId, some));
  }
}

/** Returns the logins of a repository's authors by number. Undefined if the repository is not visible. */
function* readAuthors(rows: PoolQueries, key: string) {
  const { queries, tables } = rows;
  const { repositoryAuthors } = tables;
  const { id, key: column } = tables.knownRepositories;
  const row = yield* fetchRow(selectShown(rows, { id }, eq(column, key)));
  if (!row) return undefined;
  const authors = yield* fetchRows(
    queries.select().from(repositoryAuthors).where(eq(repositoryAuthors.repositoryId, row.id)),
  );
  const before = new Map(authors.map(({ number, loginKey }) => [number, loginKey]));
  return { repositoryId: row.id, before };
}

/** Adds only authors that the pool shows now. No erasure can run between the check and the insertion. */
function* insertAuthors(
  rows: PoolQueries,
  repositoryId: number,
  authors: readonly { readonly number: number; readonly loginKey: string }[],
): Work<void> {
  const { queries, tables } = rows;
  const { repositoryAuthors } = tables;
  const visible = yield* findVisible(rows, [...new Set(authors.map(({ loginKey }) => loginKey))]);
  const known = authors.filter(({ loginKey }) => visible.has(loginKey));
  if (known.length === 0) return;
  yield* execute(
    queries
      .insert(repositoryAuthors)
      .values(known.map((author) => ({ ...author, repositoryId })))
      .onConflictDoUpdate({
        target: [repositoryAuthors.repositoryId, repositoryAuthors.number],
        set: { loginKey: sql`excluded.login_key` },
      }),
  );
}

/** Stores the repository invisibly. @returns its id. */
async function stage(context: PoolContext, repository: RepositoryAuthorship): Promise<number> {
  const { change } = context;
  const { columns, blocks, packages, key, name, forge, ...counts } = repository;
  const row = { key, name, forge: forge ?? null, isShown: false, columns: packColumns(columns) };
  const { id } = await change(({ queries, tables: { knownRepositories } }) => {
    const insertion = queries.insert(knownRepositories).values({ ...row, ...counts });
    return fetchAdded(insertion.returning({ id: knownRepositories.id }));
  });
  let [sequence, number] = [0, 0];
  let pending: PoolQueries["tables"]["repositoryBlocks"]["$inferInsert"][] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const rows = pending;
    pending = [];
    bytes = 0;
    if (rows.length === 0) return;
    await change(({ queries, tables }) =>
      execute(queries.insert(tables.repositoryBlocks).values(rows)),
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
  await stagePackages(context, id, packages);
  return id;
}

async function stagePackages(
  { change }: PoolContext,
  repositoryId: number,
  packages: RepositoryAuthorship["packages"],
): Promise<void> {
  const rows = [...packages].map(({ name, relation, paths }) => {
    const lower = name.toLowerCase();
    const short = lower.slice(lower.indexOf(":") + 1);
    return { repositoryId, name: lower, short, relation, paths: packNumbers(paths) };
  });
  for (const some of splitInBatches(rows, rowsPerTransaction)) {
    await change(({ queries, tables: { repositoryPackages } }) =>
      execute(queries.insert(repositoryPackages).values(some).onConflictDoNothing()),
    );
  }
}
