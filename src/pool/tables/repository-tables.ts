import type { TableKit } from "../../queries/table-kit.ts";

/** @package The tables of repositories: who changed which file, and who owns it. */
export function defineRepositoryTables(kit: TableKit) {
  const { table, text, short, flag, bytes, generatedShort, index, primaryKey } = kit;
  return {
    /** Repositories with stored file changes; see `../rows/authorship/`. Row ids are never reused. */
    knownRepositories: table(
      "repository",
      {
        id: generatedShort(),
        key: text().notNull(),
        name: text().notNull(),
        forge: text(),
        /** False while the repository is staged. */
        isShown: flag("is_shown").notNull(),
        fingerprint: text().notNull(),
        commits: short().notNull(),
        files: short().notNull(),
        lastDay: short("last_day").notNull(),
        /** Packed `CommitColumns`. */
        columns: bytes().notNull(),
      },
      (table) => [index("repository_key").on(table.key)],
    ),
    /** Packed `PathBlock`s, in the order of their paths. */
    repositoryBlocks: table(
      "repository_block",
      {
        repositoryId: short("repository_id").notNull(),
        sequence: short().notNull(),
        /** The first path of the block. `number` is the number of this path. */
        first: text().notNull(),
        number: short().notNull(),
        content: bytes().notNull(),
      },
      (table) => [primaryKey({ columns: [table.repositoryId, table.sequence] })],
    ),
    repositoryAuthors: table(
      "repository_author",
      {
        repositoryId: short("repository_id").notNull(),
        number: short().notNull(),
        loginKey: text("login_key").notNull(),
      },
      (table) => [
        primaryKey({ columns: [table.repositoryId, table.number] }),
        index("repository_author_login").on(table.loginKey),
      ],
    ),
    /** The packed ownership rules of a repository. They name people. */
    repositoryOwnership: table("repository_ownership", {
      repositoryId: short("repository_id").primaryKey(),
      content: bytes().notNull(),
    }),
    /** The files that make or use a package. */
    repositoryPackages: table(
      "repository_package",
      {
        repositoryId: short("repository_id").notNull(),
        /** `ecosystem:name`, in lower case. */
        name: text().notNull(),
        relation: text().$type<"makes" | "uses">().notNull(),
        /** The name without its ecosystem. */
        short: text().notNull(),
        /** The packed numbers of the files. */
        paths: bytes().notNull(),
      },
      (table) => [
        primaryKey({ columns: [table.repositoryId, table.name, table.relation] }),
        index("repository_package_name").on(table.name),
        index("repository_package_short").on(table.short),
      ],
    ),
  };
}
