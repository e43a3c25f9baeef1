import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openPostgres, type PostgresDatabase } from "../../../src/postgres/database.ts";
import { migrateSchema } from "../../../src/postgres/migrate.ts";
import {
  createIndexOn,
  replaceIndex,
  searchSchemaKind,
} from "../../../src/search/database/database-index.ts";
import type { SearchIndex } from "../../../src/search/search-index.ts";
import { hasPostgres, newDatabase } from "../../postgres/database.ts";
import type { Row } from "../small-world.ts";
import { manyPeople, nodeParts, smallShape } from "./shared-database.ts";

const half = manyPeople.length / 2;

describe.skipIf(!hasPostgres)("the index in the database is built", () => {
  let url = "";
  let database: PostgresDatabase;
  const shown = { rows: manyPeople as readonly Row[], revision: 1 };

  beforeAll(async () => {
    url = await newDatabase();
    database = await openPostgres({ url, connectionsMax: 8 });
    await migrateSchema(database, searchSchemaKind);
  });
  afterAll(() => database?.close());

  const openNode = (edition = "nodes"): SearchIndex =>
    createIndexOn(
      { open: async () => database, close: async () => {} },
      { ...nodeParts(() => ({ ...shown })), edition },
      smallShape,
    );
  const count = async (table: string, where = "true"): Promise<number> => {
    const [row] = await database.sql.unsafe(
      `SELECT count(*)::int AS n FROM search.${table} WHERE ${where}`,
    );
    return row.n;
  };
  const findGeneration = async (edition: string) => {
    const [row] = await database.sql`
      SELECT max(id) AS id FROM search.generation WHERE edition = ${edition}`;
    return row as { id: number };
  };
  const total = async (search: SearchIndex, skill: string) => {
    const query = { location: "berlin", skills: [skill], maxResults: 10, offset: 0 };
    return (await search.find(query)).total;
  };

  test("beside that of another version, while that one keeps up", async () => {
    const [node, newer] = [openNode(), openNode("newer")];
    await node.refresh();
    const change = () => {
      shown.revision += 1;
    };
    await newer.refresh();
    const { id } = await findGeneration("nodes");
    for (const one of [node, newer]) expect(await total(one, "even")).toBe(half);
    expect((await findGeneration("nodes")).id).toBe(id);
    change();
    for (const one of [newer, node]) {
      await one.refresh();
      expect(await total(node, "even")).toBe(half);
      expect(await total(newer, "even")).toBe(half);
    }
    // The older version has ended.
    for (const left of [1, 0]) {
      change();
      await newer.refresh();
      expect(await count("generation", "edition = 'nodes'")).toBe(left);
    }
  }, 300_000);

  test("anew whenever that is asked, while nodes go on with the one before", async () => {
    const [node, next] = [openNode(), openNode()];
    await node.refresh();
    const before = await findGeneration("nodes");
    await replaceIndex(database, "nodes", async () => {
      expect(await total(node, "even")).toBe(half);
      await next.refresh();
      expect(await total(node, "even")).toBe(half);
    });
    const { id } = await findGeneration("nodes");
    expect(id).toBeGreaterThan(before.id);
    expect(await count("generation", `id <> ${id} AND edition <> 'newer'`)).toBe(0);
    for (const one of [node, next]) expect(await total(one, "even")).toBe(half);
  }, 300_000);

  test("again by a node whose own was removed, though nobody has changed", async () => {
    const node = openNode();
    await node.refresh();
    await database.sql`TRUNCATE search.generation, search.term, search.block_list, search.block`;
    await expect(total(node, "even")).rejects.toThrow();
    await node.refresh();
    expect(await total(node, "even")).toBe(half);
  }, 300_000);

  test("without whoever was erased, of whom nothing is left", async () => {
    const [node, other, newer] = [openNode(), openNode(), openNode("newer")];
    const older = openNode("older");
    for (const one of [node, other, older]) await one.refresh();
    const known = ["key LIKE '%word7'", "key LIKE '%person-7\t%'"].join(" OR ");
    expect(await count("term", known)).toBeGreaterThan(0);
    shown.rows = shown.rows.filter(({ rowId }) => rowId !== 7);
    shown.revision += 1;
    await newer.refresh();
    const { id } = await findGeneration("newer");
    await node.discard();
    expect(await count("term", known)).toBe(0);
    expect(await total(node, "word7")).toBe(0);
    // What another version has built since is without them already.
    expect((await findGeneration("newer")).id).toBe(id);
    expect(await count("generation")).toBe(2);
    expect(await total(newer, "word7")).toBe(0);
    await older.refresh();
    expect(await total(older, "odd")).toBe(half - 1);
    // It searched what is gone, and goes on with what is there.
    expect(await total(other, "odd")).toBe(half - 1);
    expect(other.generation?.revision).toBe(shown.revision);
  }, 300_000);
});
