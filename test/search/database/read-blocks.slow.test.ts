import { describe, expect, test } from "bun:test";
import { RecentlyUsed } from "../../../src/contract/recently-used.ts";
import { openPostgres } from "../../../src/postgres/database.ts";
import { migrateSchema } from "../../../src/postgres/migrate.ts";
import { cachedBlocks } from "../../../src/search/database/blocks/read-blocks.ts";
import { createIndexOn, searchSchemaKind } from "../../../src/search/database/database-index.ts";
import { createMemoryIndex } from "../../../src/search/memory/memory-index.ts";
import { hasPostgres, newDatabase } from "../../postgres/database.ts";
import { fullOfPeople, type Row, skillIds } from "../small-world.ts";
import { nodeParts, smallShape } from "./shared-database.ts";

describe.skipIf(!hasPostgres)("an index of more blocks than a node keeps", () => {
  test("finds and explains what memory does, however often it is asked", async () => {
    // Two words of bits a block.
    const shape = { ...smallShape, blockSize: 64 };
    const rows = fullOfPeople((cachedBlocks + 20) * shape.blockSize).map(({ rowId, standing }) => ({
      rowId,
      standing: {
        ...standing,
        profile: (rowId * 7) % 101,
        hireable: rowId % 3 === 0,
        roles: rowId % 5 < 3 ? [{ role: "backend", match: 60, techStack: rowId % 101 }] : [],
        concepts: skillIds.flatMap((concept, at) =>
          rowId % (at + 2) === 0 ? [{ concept, strength: (rowId * (at + 3)) % 100 }] : [],
        ),
      },
    }));
    const parts = nodeParts(() => ({ rows, revision: 1 }));
    const database = await openPostgres({ url: await newDatabase(), connectionsMax: 4 });
    await migrateSchema(database, searchSchemaKind);
    const open = { open: async () => database, close: async () => {} };
    const stored = createIndexOn(open, parts, shape);
    const memory = createMemoryIndex(parts);
    await stored.refresh();
    await memory.refresh();
    const queries = [["go"], ["go", "rust"], ["go", "rust", "sql"], skillIds].flatMap((skills) =>
      [0, 60, 700, 2000].flatMap((offset) =>
        [{}, { strictSkills: true }, { isHireable: true }, { role: "backend" }].map((asked) => ({
          ...{ location: "berlin", skills, ...asked },
          ...{ maxResults: 25, offset },
        })),
      ),
    );
    const expected = await Promise.all(queries.map((query) => memory.find(query)));
    for (let round = 0; round < 2; round++) {
      for (const [at, query] of queries.entries()) {
        expect(await stored.find(query)).toEqual(expected[at] as never);
      }
    }
    for (const query of queries.filter(({ offset }) => offset === 0)) {
      for (let at = 0; at < rows.length; at += 911) {
        const row = rows[at] as Row;
        expect(await stored.explain(row, query)).toEqual(await memory.explain(row, query));
      }
    }
    await stored.close();
    await memory.close();
    await database.close();
  }, 300_000);
});

describe("what was used recently", () => {
  const list = (cached: RecentlyUsed<number>) =>
    ["a", "b", "c", "d", "e"].filter((name) => cached.get(name) !== undefined).join("");

  test("is cached, and what was used longest ago goes", () => {
    const cached = new RecentlyUsed<number>(100);
    for (const [at, name] of ["a", "b", "c", "d"].entries()) cached.set(name, at, 25);
    expect(cached.get("a")).toBe(0);
    cached.set("e", 4, 26);
    expect([...list(cached)]).toEqual(["a", "d", "e"]);
  });

  test("is counted once, with what it takes now", () => {
    const cached = new RecentlyUsed<number>(100);
    for (let bytes = 1; bytes <= 50; bytes++) cached.set("a", bytes, bytes);
    cached.set("a", 10, 10);
    cached.set("b", 2, 90);
    expect(list(cached)).toBe("ab");
    expect(cached.get("a")).toBe(10);
  });

  test("is not what is larger than all of it, and nothing else goes for it", () => {
    const cached = new RecentlyUsed<number>(100);
    cached.set("a", 1, 50);
    cached.set("b", 2, 101);
    expect(list(cached)).toBe("a");
    cached.set("a", 1, 101);
    expect(list(cached)).toBe("");
  });
});
