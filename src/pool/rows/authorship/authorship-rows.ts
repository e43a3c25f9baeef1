import { and, asc, eq, gt, gte, lte, or } from "drizzle-orm";
import { fetchRow, fetchRows, type Work } from "../../../queries/work.ts";
import type { AuthorshipStore } from "../../authorship.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";
import { createOwnershipRows, selectShown } from "./ownership-rows.ts";
import { isIntact, unpackBlock, unpackColumns, unpackNumbers } from "./pack-authorship.ts";
import { createAuthorshipWriter } from "./write-authorship.ts";

/** Implements `AuthorshipStore` for both databases, except `edition`. */
export function createAuthorshipRows(context: PoolContext): Omit<AuthorshipStore, "edition"> {
  return {
    ...createReader(context),
    ...createFinder(context),
    ...createAuthorshipWriter(context),
    ...createOwnershipRows(context),
  };
}

function createReader({ read }: PoolContext) {
  return {
    repositories: () => read(listRepositories),
    head: (id) =>
      read(function* (rows) {
        const columns = yield* readColumns(rows, id);
        if (!columns) return undefined;
        const { repositoryBlocks } = rows.tables;
        const { first, number, repositoryId, sequence } = repositoryBlocks;
        const all = rows.queries.select({ first, number }).from(repositoryBlocks);
        const blocks = yield* fetchRows(all.where(eq(repositoryId, id)).orderBy(asc(sequence)));
        return { columns: unpackColumns(columns), logins: yield* readLogins(rows, id), blocks };
      }),
    logins: (id) =>
      read(function* (rows) {
        const { id: column } = rows.tables.knownRepositories;
        const isThere = yield* fetchRow(selectShown(rows, { column }, eq(column, id)));
        return isThere && (yield* readLogins(rows, id));
      }),
    blocks: (id, from, to) =>
      read(function* ({ queries, tables: { repositoryBlocks } }) {
        const { repositoryId, sequence, content } = repositoryBlocks;
        const areSought = and(eq(repositoryId, id), gte(sequence, from), lte(sequence, to));
        const some = queries.select({ content }).from(repositoryBlocks).where(areSought);
        const rows = yield* fetchRows(some.orderBy(asc(sequence)));
        return rows.map((row) => unpackBlock(row.content));
      }),
  } satisfies Partial<AuthorshipStore>;
}

function createFinder({ read }: PoolContext) {
  return {
    packageFiles: (name) =>
      read(function* ({ queries, tables: { repositoryPackages, knownRepositories } }) {
        const key = name.toLowerCase();
        const isOfShown = and(
          eq(knownRepositories.id, repositoryPackages.repositoryId),
          eq(knownRepositories.isShown, true),
        );
        const rows = yield* fetchRows(
          queries
            .select({ of: repositoryPackages })
            .from(repositoryPackages)
            .innerJoin(knownRepositories, isOfShown)
            .where(or(eq(repositoryPackages.name, key), eq(repositoryPackages.short, key)))
            .orderBy(asc(knownRepositories.name), asc(repositoryPackages.name)),
        );
        return rows.map(({ of: { repositoryId, name, relation, paths } }) => ({
          ...{ repository: repositoryId, name, relation, paths: unpackNumbers(paths) },
        }));
      }),
    async fingerprints({ whole } = { whole: false }) {
      const stored = await read((rows) => {
        const { id, key, fingerprint } = rows.tables.knownRepositories;
        return fetchRows(selectShown(rows, { id, key, fingerprint }));
      });
      const fingerprints = new Map<string, string>();
      for (const { id, key, fingerprint } of stored) {
        if (whole && (await read((rows) => isDamaged(rows, id)))) continue;
        fingerprints.set(key, fingerprint);
      }
      return fingerprints;
    },
  } satisfies Partial<AuthorshipStore>;
}

function* listRepositories(rows: PoolQueries) {
  const { id, key, name, forge, commits, files, lastDay } = rows.tables.knownRepositories;
  const all = selectShown(rows, { id, name, forge, commits, files, lastDay });
  const found = yield* fetchRows(all.orderBy(asc(name), asc(key)));
  return found.map((row) => ({ ...row, forge: row.forge ?? undefined }));
}

function* readColumns(rows: PoolQueries, id: number): Work<Buffer | undefined> {
  const { columns, id: column } = rows.tables.knownRepositories;
  return (yield* fetchRow(selectShown(rows, { columns }, eq(column, id))))?.columns;
}

/** The number of blocks read at once, which limits the memory. */
const blocksAtOnce = 50;

/** Counts the repositories whose data is damaged. */
export function* countDamagedRepositories(rows: PoolQueries): Work<number> {
  const { id } = rows.tables.knownRepositories;
  let damaged = 0;
  for (const repository of yield* fetchRows(selectShown(rows, { id }))) {
    if (yield* isDamaged(rows, repository.id)) damaged++;
  }
  return damaged;
}

/** Whether any data of a repository is damaged. False if the repository was removed meanwhile. */
function* isDamaged(rows: PoolQueries, id: number): Work<boolean> {
  const columns = yield* readColumns(rows, id);
  if (!columns) return false;
  if (!isIntact(columns)) return true;
  const { queries, tables } = rows;
  const { repositoryId, sequence, content } = tables.repositoryBlocks;
  for (let last: number | undefined = -1; last !== undefined; ) {
    const areNext = and(eq(repositoryId, id), gt(sequence, last));
    const next = queries.select({ sequence, content }).from(tables.repositoryBlocks).where(areNext);
    const blocks: { sequence: number; content: Buffer }[] = yield* fetchRows(
      next.orderBy(asc(sequence)).limit(blocksAtOnce),
    );
    if (!blocks.every((block) => isIntact(block.content))) return true;
    last = blocks.at(-1)?.sequence;
  }
  const { repositoryPackages } = tables;
  const { paths } = repositoryPackages;
  const areOfIt = eq(repositoryPackages.repositoryId, id);
  const packages = yield* fetchRows(
    queries.select({ paths }).from(repositoryPackages).where(areOfIt),
  );
  return !packages.every(({ paths }) => isIntact(paths));
}

function* readLogins(
  { queries, tables: { repositoryAuthors } }: PoolQueries,
  id: number,
): Work<readonly (string | undefined)[]> {
  const logins: (string | undefined)[] = [];
  const authors = yield* fetchRows(
    queries.select().from(repositoryAuthors).where(eq(repositoryAuthors.repositoryId, id)),
  );
  for (const { number, loginKey } of authors) logins[number] = loginKey;
  return logins;
}
