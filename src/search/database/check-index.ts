import type { PostgresDatabase } from "../../postgres/database.ts";

/** The result of comparing the stored index with the pool of its database. */
export interface StoredIndexState {
  readonly revision: number;
  readonly developers: number;
  readonly poolRevision: number;
  /** Descriptions of what is wrong. They contain no names of people. */
  readonly faults: readonly string[];
}

/** Compares the numbers of people and blocks. @returns undefined if the database has no index of this edition. */
export async function checkStoredIndex(
  { sql }: PostgresDatabase,
  edition: string,
): Promise<StoredIndexState | undefined> {
  const [index] = await sql`
    SELECT id, revision, developers, block_size, (SELECT revision FROM pool.pool_state) AS "poolRevision"
    FROM search.generation WHERE is_ready AND edition = ${edition} ORDER BY id DESC LIMIT 1`;
  if (!index) return undefined;
  const { id, revision, developers, block_size: blockSize, poolRevision } = index;
  const [found] = await sql`
    SELECT count(*)::int AS blocks, coalesce(sum(length(tech_stack)), 0)::int AS people
    FROM search.block WHERE generation = ${id}`;
  const [searchable] = await sql`
    SELECT count(*)::int AS people FROM pool.developer AS d WHERE d.searchable
    AND EXISTS (SELECT FROM pool.import AS i WHERE i.id = d.import_id AND i.revision IS NOT NULL)
    AND NOT EXISTS (SELECT FROM pool.import AS i WHERE i.id = d.superseded_by AND i.revision IS NOT NULL)`;
  const blocks = Math.ceil(developers / blockSize);
  const faults = [
    ...(found.blocks === blocks && found.people === developers
      ? []
      : [`it has ${found.people} of ${developers} people, ${found.blocks} of ${blocks} blocks`]),
    ...(revision !== poolRevision || searchable.people === developers
      ? []
      : [`it has ${developers} people, and the pool ${searchable.people} of the same revision`]),
  ];
  return { revision, developers, poolRevision, faults };
}
