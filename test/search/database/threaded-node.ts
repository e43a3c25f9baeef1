/** A node that builds in a thread, of the pool in its database; `bun threaded-node.ts URL` is one that only builds. */
import { openPlaces } from "../../../src/places/places.ts";
import { openPostgresPool } from "../../../src/pool/postgres/postgres-pool.ts";
import { openPostgres } from "../../../src/postgres/database.ts";
import { migrateSchema } from "../../../src/postgres/migrate.ts";
import { createIndexOn, searchSchemaKind } from "../../../src/search/database/database-index.ts";
import type { SearchIndex } from "../../../src/search/search-index.ts";
import { silent, vocabulary } from "../small-world.ts";
import { smallShape } from "./shared-database.ts";

/** @param builderUrl where its thread looks for the database. */
export async function openThreadedNode(url: string, builderUrl = url): Promise<SearchIndex> {
  const settings = { url, connectionsMax: 2 };
  const database = await openPostgres(settings);
  await migrateSchema(database, searchSchemaKind);
  const now = () => new Date();
  const stored = await openPostgresPool(settings, { now });
  const rankingFeatures = () => {
    throw new Error("People are read in the thread that answers.");
  };
  const close = async () => {
    await stored.close();
    await database.close();
  };
  return createIndexOn(
    { open: async () => database, close },
    {
      pool: { ...stored, rankingFeatures },
      ...{ places: openPlaces(), vocabulary, poolFile: ":memory:", edition: "threads" },
      database: { ...settings, url: builderUrl },
      log: silent,
    },
    smallShape,
  );
}

if (import.meta.main) {
  const search = await openThreadedNode(process.argv[2] ?? "");
  await search.refresh();
  await search.close();
}
