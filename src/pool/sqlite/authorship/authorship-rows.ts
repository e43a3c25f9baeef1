import { and, asc, eq, gte, lte, or } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import type { AuthorshipStore } from "../../authorship.ts";
import { repositoryBytes } from "../../rows/check-row.ts";
import { isIntact, unpackBlock, unpackColumns, unpackNumbers } from "../../rows/pack-authorship.ts";
import type { Suppression } from "../erasure/suppression.ts";
import {
  knownRepositories,
  repositoryAuthors,
  repositoryBlocks,
  repositoryPackages,
} from "../tables.ts";
import { createOwnershipRows } from "./ownership-rows.ts";
import { createAuthorshipWriter } from "./write-authorship.ts";

const { id, name, forge, commits, files, lastDay } = knownRepositories;
const knownColumns = { id, name, forge, commits, files, lastDay };
const shown = eq(knownRepositories.isShown, true);

export function createAuthorshipRows(
  store: Database,
  suppression: Pick<Suppression, "find">,
): Immediate<AuthorshipStore> {
  return {
    ...createReader(store),
    ...createFinder(store),
    ...createAuthorshipWriter(store),
    ...createOwnershipRows(store, suppression),
  };
}

function createReader(
  store: Database,
): Pick<Immediate<AuthorshipStore>, "edition" | "repositories" | "head" | "logins" | "blocks"> {
  const { orm, sqlite } = store;
  // Other connections change the first number, this one the second.
  const changes =
    "SELECT data_version || '-' || total_changes() AS edition FROM pragma_data_version";
  return {
    edition: () => sqlite.query<{ edition: string }, []>(changes).get()?.edition ?? "",
    repositories: () =>
      orm
        .select(knownColumns)
        .from(knownRepositories)
        .where(shown)
        .orderBy(asc(knownRepositories.name), asc(knownRepositories.key))
        .all()
        .map(({ id, name, forge, commits, files, lastDay }) => ({
          ...{ id, name, forge: forge ?? undefined, commits, files, lastDay },
        })),
    head(id) {
      const row = orm
        .select({ columns: knownRepositories.columns })
        .from(knownRepositories)
        .where(and(eq(knownRepositories.id, id), shown))
        .get();
      if (!row) return undefined;
      const { repositoryId, first, number, sequence } = repositoryBlocks;
      const blocks = orm
        .select({ first, number })
        .from(repositoryBlocks)
        .where(eq(repositoryId, id))
        .orderBy(asc(sequence))
        .all();
      return { columns: unpackColumns(row.columns), logins: readLogins(store, id), blocks };
    },
    logins(id) {
      const isThere = orm
        .select({ id: knownRepositories.id })
        .from(knownRepositories)
        .where(and(eq(knownRepositories.id, id), shown))
        .get();
      return isThere && readLogins(store, id);
    },
    blocks: (id, from, to) =>
      orm
        .select({ content: repositoryBlocks.content })
        .from(repositoryBlocks)
        .where(
          and(
            eq(repositoryBlocks.repositoryId, id),
            gte(repositoryBlocks.sequence, from),
            lte(repositoryBlocks.sequence, to),
          ),
        )
        .orderBy(asc(repositoryBlocks.sequence))
        .all()
        .map(({ content }) => unpackBlock(content)),
  };
}

function createFinder(
  store: Database,
): Pick<Immediate<AuthorshipStore>, "packageFiles" | "fingerprints"> {
  const { orm } = store;
  return {
    packageFiles(name) {
      const key = name.toLowerCase();
      return orm
        .select({ of: repositoryPackages })
        .from(repositoryPackages)
        .innerJoin(
          knownRepositories,
          and(eq(knownRepositories.id, repositoryPackages.repositoryId), shown),
        )
        .where(or(eq(repositoryPackages.name, key), eq(repositoryPackages.short, key)))
        .orderBy(asc(knownRepositories.name), asc(repositoryPackages.name))
        .all()
        .map(({ of: { repositoryId, name, relation, paths } }) => ({
          ...{ repository: repositoryId, name, relation, paths: unpackNumbers(paths) },
        }));
    },
    fingerprints() {
      const damaged = findDamaged(store);
      const { id, key, fingerprint } = knownRepositories;
      const stored = orm
        .select({ id, key, fingerprint })
        .from(knownRepositories)
        .where(shown)
        .all();
      const whole = stored.filter((row) => !damaged.has(row.id));
      return new Map(whole.map((row) => [row.key, row.fingerprint]));
    },
  };
}

/** @returns the ids of repositories of which something is not as it was stored, shown or not. */
export function findDamaged({ sqlite }: Database): ReadonlySet<number> {
  const damaged = new Set<number>();
  for (const columns of repositoryBytes) {
    const rows = sqlite.prepare<{ id: number; stored: Uint8Array }, []>(`SELECT ${columns}`);
    for (const { id, stored } of rows.iterate()) if (!isIntact(stored)) damaged.add(id);
    rows.finalize();
  }
  return damaged;
}

function readLogins({ orm }: Database, id: number): readonly (string | undefined)[] {
  const logins: (string | undefined)[] = [];
  const authors = orm
    .select()
    .from(repositoryAuthors)
    .where(eq(repositoryAuthors.repositoryId, id));
  for (const { number, loginKey } of authors.all()) logins[number] = loginKey;
  return logins;
}

/** Makes whoever has no row in the pool any more the author of nothing. Call it inside a transaction. */
export function eraseAuthors({ sqlite }: Database): void {
  const known = "SELECT login_key FROM developer";
  sqlite.run(`DELETE FROM repository_author WHERE login_key NOT IN (${known})`);
}
