import { and, asc, eq, gte, lte, or } from "drizzle-orm";
import type { PostgresDatabase, Statements } from "../../../postgres/database.ts";
import type { AuthorshipStore } from "../../authorship.ts";
import { isIntact, unpackBlock, unpackColumns, unpackNumbers } from "../../rows/pack-authorship.ts";
import type { Suppression } from "../erasure/suppression.ts";
import {
  knownRepositories,
  poolState,
  repositoryAuthors,
  repositoryBlocks,
  repositoryPackages,
} from "../tables.ts";
import { createOwnershipRows } from "./ownership-rows.ts";
import { createAuthorshipWriter } from "./write-authorship.ts";

const { id, name, forge, commits, files, lastDay } = knownRepositories;
const knownColumns = { id, name, forge, commits, files, lastDay };
const shown = eq(knownRepositories.isShown, true);

type Writers = "replace" | "nameAuthors" | "keepOnly" | "stateOwnership";

export function createAuthorshipRows(
  database: PostgresDatabase,
  suppression: Pick<Suppression, "find">,
): {
  readonly reading: Omit<AuthorshipStore, Writers>;
  readonly writing: Pick<AuthorshipStore, Writers>;
} {
  const { ownership, stateOwnership } = createOwnershipRows(database, suppression);
  return {
    reading: { ...createReader(database), ...createFinder(database), ownership },
    writing: { ...createAuthorshipWriter(database), stateOwnership },
  };
}

function createReader({
  orm,
}: PostgresDatabase): Pick<
  AuthorshipStore,
  "edition" | "repositories" | "head" | "logins" | "blocks"
> {
  return {
    edition: async () => {
      const [state] = await orm.select({ changes: poolState.changes }).from(poolState);
      return String(state?.changes ?? 0);
    },
    repositories: async () => {
      const rows = await orm
        .select(knownColumns)
        .from(knownRepositories)
        .where(shown)
        .orderBy(asc(knownRepositories.name), asc(knownRepositories.key));
      return rows.map(({ forge, ...row }) => ({ ...row, forge: forge ?? undefined }));
    },
    async head(id) {
      const [row] = await orm
        .select({ columns: knownRepositories.columns })
        .from(knownRepositories)
        .where(and(eq(knownRepositories.id, id), shown));
      if (!row) return undefined;
      const { repositoryId, first, number, sequence } = repositoryBlocks;
      const blocks = await orm
        .select({ first, number })
        .from(repositoryBlocks)
        .where(eq(repositoryId, id))
        .orderBy(asc(sequence));
      return { columns: unpackColumns(row.columns), logins: await readLogins(orm, id), blocks };
    },
    async logins(id) {
      const isThere = await orm.$count(knownRepositories, and(eq(knownRepositories.id, id), shown));
      return isThere > 0 ? readLogins(orm, id) : undefined;
    },
    async blocks(id, from, to) {
      const { repositoryId, sequence, content } = repositoryBlocks;
      const rows = await orm
        .select({ content })
        .from(repositoryBlocks)
        .where(and(eq(repositoryId, id), gte(sequence, from), lte(sequence, to)))
        .orderBy(asc(sequence));
      return rows.map((row) => unpackBlock(row.content));
    },
  };
}

function createFinder({
  orm,
}: PostgresDatabase): Pick<AuthorshipStore, "packageFiles" | "fingerprints"> {
  return {
    async packageFiles(name) {
      const key = name.toLowerCase();
      const rows = await orm
        .select({ of: repositoryPackages })
        .from(repositoryPackages)
        .innerJoin(
          knownRepositories,
          and(eq(knownRepositories.id, repositoryPackages.repositoryId), shown),
        )
        .where(or(eq(repositoryPackages.name, key), eq(repositoryPackages.short, key)))
        .orderBy(asc(knownRepositories.name), asc(repositoryPackages.name));
      return rows.map(({ of: { repositoryId, name, relation, paths } }) => ({
        ...{ repository: repositoryId, name, relation, paths: unpackNumbers(paths) },
      }));
    },
    async fingerprints() {
      const { id, key, fingerprint, columns } = knownRepositories;
      const stored = await orm
        .select({ id, key, fingerprint, columns })
        .from(knownRepositories)
        .where(shown);
      const whole = [];
      for (const row of stored) if (await isWhole(orm, row)) whole.push(row);
      return new Map(whole.map((row) => [row.key, row.fingerprint]));
    },
  };
}

/** Reads one repository at a time, so that memory stays small. */
async function isWhole(
  orm: Statements,
  { id, columns }: { readonly id: number; readonly columns: Uint8Array },
): Promise<boolean> {
  if (!isIntact(columns)) return false;
  const blocks = await orm
    .select({ stored: repositoryBlocks.content })
    .from(repositoryBlocks)
    .where(eq(repositoryBlocks.repositoryId, id));
  const packages = await orm
    .select({ stored: repositoryPackages.paths })
    .from(repositoryPackages)
    .where(eq(repositoryPackages.repositoryId, id));
  return [...blocks, ...packages].every(({ stored }) => isIntact(stored));
}

async function readLogins(orm: Statements, id: number): Promise<readonly (string | undefined)[]> {
  const logins: (string | undefined)[] = [];
  const authors = await orm
    .select()
    .from(repositoryAuthors)
    .where(eq(repositoryAuthors.repositoryId, id));
  for (const { number, loginKey } of authors) logins[number] = loginKey;
  return logins;
}
