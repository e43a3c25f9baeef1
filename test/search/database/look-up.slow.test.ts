/** What completion names in the database is what it names in memory, in the same order. */
import { describe, expect, test } from "bun:test";
import { openPlaces } from "../../../src/places/places.ts";
import { createMemoryIndex } from "../../../src/search/memory/memory-index.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { isLong } from "../../long.ts";
import { hasPostgres } from "../../postgres/database.ts";
import { createRandom, drawSeed } from "../../random.ts";
import { partsOf, poolOf, type Row, repositoryPool } from "../small-world.ts";
import { people } from "../synthetic-people.ts";
import { openIndexWith, smallShape } from "./shared-database.ts";

const texts = isLong ? 400 : 120;

describe.skipIf(!hasPostgres)("completion in the database", () => {
  const draw = createRandom(drawSeed("completion"));
  const below = (count: number) => Math.floor(draw() * count);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const places = openPlaces();
  const berlin = places.find("Berlin")[0]?.id ?? "";
  const munich = places.find("Munich")[0]?.id ?? "";
  const odd = [{ name: "\u{1f980}/crab" }, { name: "x\ud7ff" }, { name: "acme/\uffff" }];
  const rows: readonly Row[] = [...people(300)].map((row) => ({
    ...row,
    standing: {
      ...row.standing,
      places: below(2) === 0 ? [one([berlin, munich])] : [],
      concepts: ["go", "kubernetes", "react"]
        .filter(() => below(2) === 0)
        .map((concept) => ({ concept, strength: 1 + below(90) })),
      repositories: [
        ...(row.standing.repositories ?? []).slice(0, 2),
        ...[0, 1, 2].map(() => one([...repositoryPool, ...odd])),
      ],
    },
  }));
  const pool = poolOf(() => ({ rows, revision: 1 }));
  const parts = partsOf(pool, { places, vocabulary: createVocabulary() });
  const names = [
    ...rows.flatMap(({ standing }) => (standing.repositories ?? []).map(({ name }) => name)),
    ...["Berlin", "Munich", "Germany", "k8s", "kuberntes", "backend", "bakcend", "go", "react"],
    ...["git.example/acme/pay", "other.example:8443/acme/pay", "/pay", "acme/", "/", "zzyzx"],
  ];
  const drawText = () => {
    // All names begin with the empty text.
    if (below(10) === 0) return "";
    // Half a character is no text that a database takes.
    const name = [...one([...names, ...repositoryPool.map((each) => each.name)])];
    const part = below(3) === 0 ? name : name.slice(0, 1 + below(name.length));
    const at = below(part.length);
    const misspelt = part.toSpliced(at, 1, ...(below(2) === 0 ? ["x"] : []));
    const text = (below(4) === 0 ? misspelt : part).join("");
    return below(5) === 0 ? text.toUpperCase() : text;
  };

  test(`of ${texts} texts is that in memory`, async () => {
    const memory = createMemoryIndex(parts);
    const database = openIndexWith(smallShape)(parts);
    await memory.refresh();
    await database.refresh();
    let named = 0;
    for (let made = 0; made < texts; made++) {
      const kind = one([undefined, undefined, "repository", "skill", "place", "role"] as const);
      const asked = { text: drawText(), kind, limit: 1 + below(12) };
      const found = await database.lookUp(asked);
      expect([asked, found]).toEqual([asked, await memory.lookUp(asked)]);
      named += found.length;
    }
    expect(named).toBeGreaterThan(texts);
  }, 300_000);
});
