import { openPostgres, type PostgresDatabase } from "../../../src/postgres/database.ts";
import { migrateSchema } from "../../../src/postgres/migrate.ts";
import { createIndexOn, searchSchemaKind } from "../../../src/search/database/database-index.ts";
import { isLong } from "../../long.ts";
import { newDatabase } from "../../postgres/database.ts";
import { fullOfPeople, type OpenIndex, partsOf, poolOf, type Row } from "../small-world.ts";

/** Blocks and lists so small that a few people are in several, and keys of every kind in lists of either. */
export const smallShape = { blockSize: 32, listMax: 6, sparseMax: 2, plainMin: 8 };

let shared: Promise<PostgresDatabase> | undefined;
let made = 0;

async function openShared(): Promise<PostgresDatabase> {
  const database = await openPostgres({ url: await newDatabase(), connectionsMax: 4 });
  await migrateSchema(database, searchSchemaKind);
  return database;
}

/** Indexes in one database for a whole test file, each under an edition of its own. */
export function openIndexWith(shape: typeof smallShape): OpenIndex {
  const open = () => {
    shared ??= openShared();
    return shared;
  };
  return (parts) => {
    made++;
    const edition = `${parts.edition} ${made}`;
    return createIndexOn({ open, close: async () => {} }, { ...parts, edition }, shape);
  };
}

/** Enough for some dozens of blocks, in the gate for some, with words and repositories of their own. */
export const manyPeople: readonly Row[] = fullOfPeople(isLong ? 1500 : 400).map(
  ({ rowId, standing }) => ({
    rowId,
    standing: {
      ...standing,
      profile: rowId % 101,
      concepts: [{ concept: "react", strength: rowId % 100 }],
      words: [`word${rowId}`, rowId % 2 === 0 ? "even" : "odd"],
      repositories: [{ name: `person-${rowId}/own` }],
    },
  }),
);

/** What nodes of one edition have in common. */
export const nodeParts = (read: Parameters<typeof poolOf>[0]) => ({
  ...partsOf(poolOf(read)),
  edition: "nodes",
});
