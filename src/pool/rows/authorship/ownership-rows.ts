/** The ownership rules of each repository, without erased people. */
import { and, eq, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { KnownOwner, KnownRule } from "../../../contract/people/ownership-rule.ts";
import { execute, fetchRow, fetchRows, type Work } from "../../../queries/work.ts";
import type { AuthorshipStore, KnownOwnership } from "../../authorship.ts";
import type { Identifier } from "../../identifiers.ts";
import { findSuppressed } from "../erasure/suppression-rows.ts";
import type { PoolContext, PoolQueries } from "../pool-context.ts";
import { findVisible } from "../visible.ts";
import { listOwnerIdentifiers, selectOwners } from "./owners.ts";
import { packOwnership, unpackOwnership } from "./pack-authorship.ts";

export function createOwnershipRows({ read, change }: PoolContext) {
  return {
    async ownership(id) {
      const content = await read((rows) => readContent(rows, id));
      return content && unpackOwnership(content);
    },
    async stateOwnership(key, stated) {
      // Comparing first avoids waiting for the write lock, because most runs change no rules.
      if ((await read((rows) => compareOwnership(rows, key, stated)))?.isOther !== true) return;
      await change(function* (rows) {
        // Compare again inside the change, because somebody may have been erased in between.
        const { id, content } = (yield* compareOwnership(rows, key, stated)) ?? {};
        if (id !== undefined) yield* writeOwnership(rows, id, content);
      });
    },
  } satisfies Partial<AuthorshipStore>;
}

/** Selects columns of repositories that are not staged. */
export function selectShown<Fields extends Record<string, SQLiteColumn>>(
  { queries, tables: { knownRepositories } }: PoolQueries,
  fields: Fields,
  isSought?: SQL,
) {
  const areShown = and(eq(knownRepositories.isShown, true), isSought);
  return queries.select(fields).from(knownRepositories).where(areShown);
}

/** @returns the rules to store, and whether they differ from the stored rules. Undefined for an unknown repository. */
function* compareOwnership(rows: PoolQueries, key: string, stated: KnownOwnership) {
  const { id, forge, key: column } = rows.tables.knownRepositories;
  const row = yield* fetchRow(selectShown(rows, { id, forge }, eq(column, key)));
  if (!row) return undefined;
  const before = yield* readContent(rows, row.id);
  const content =
    stated.rules.length > 0
      ? packOwnership(yield* selectShownOwners(rows, { ...stated, forge: row.forge }))
      : undefined;
  const isOther = content ? !before?.equals(content) : before !== undefined;
  return { id: row.id, content, isOther };
}

function* readContent(
  { queries, tables: { repositoryOwnership } }: PoolQueries,
  id: number,
): Work<Buffer | undefined> {
  const isOfIt = eq(repositoryOwnership.repositoryId, id);
  return (yield* fetchRow(queries.select().from(repositoryOwnership).where(isOfIt)))?.content;
}

function* writeOwnership(
  { queries, tables: { repositoryOwnership } }: PoolQueries,
  repositoryId: number,
  content?: Buffer,
): Work<void> {
  const isOfIt = eq(repositoryOwnership.repositoryId, repositoryId);
  yield* execute(queries.delete(repositoryOwnership).where(isOfIt));
  if (content) {
    yield* execute(queries.insert(repositoryOwnership).values({ repositoryId, content }));
  }
}

function* selectShownOwners(
  rows: PoolQueries,
  { rules, accountless, forge }: KnownOwnership & { readonly forge: string | null },
): Work<KnownOwnership> {
  const people = rules.flatMap(({ owners }) => owners.flatMap(({ person }) => person ?? []));
  const visible = yield* findVisible(rows, [...new Set(people)]);
  const identifiersOf = (owner: KnownOwner, rule: KnownRule) =>
    listOwnerIdentifiers(owner, rule, forge);
  const all = rules.flatMap((rule) => rule.owners.flatMap((owner) => identifiersOf(owner, rule)));
  const suppressed = yield* findSuppressed(rows, new Set(all));
  const isShown = (owner: KnownOwner, rule: KnownRule): boolean =>
    (owner.person === undefined || visible.has(owner.person)) &&
    !identifiersOf(owner, rule).some((identifier) => suppressed.has(identifier));
  return { rules: selectOwners(rules, isShown), accountless };
}

/** Removes a person from all ownership rules. Call it inside a change. */
export function* eraseOwnership(
  rows: PoolQueries,
  identifiers: ReadonlySet<Identifier>,
): Work<void> {
  const { queries, tables } = rows;
  const { knownRepositories, repositoryOwnership } = tables;
  const { content, repositoryId } = repositoryOwnership;
  const stored = yield* fetchRows(
    queries
      .select({ id: repositoryId, content, forge: knownRepositories.forge })
      .from(repositoryOwnership)
      .leftJoin(knownRepositories, eq(knownRepositories.id, repositoryId)),
  );
  for (const { id, content, forge } of stored) {
    const { rules, accountless } = unpackOwnership(content);
    const remaining = selectOwners(
      rules,
      (owner, rule) =>
        !listOwnerIdentifiers(owner, rule, forge).some((one) => identifiers.has(one)),
    );
    if (remaining.every((rule, at) => rule === rules[at])) continue;
    yield* writeOwnership(rows, id, packOwnership({ rules: remaining, accountless }));
  }
}
