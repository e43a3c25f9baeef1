import { expect, test } from "bun:test";
import fc from "fast-check";
import type { RankingFeatures } from "../../../src/contract/people/assessment.ts";
import {
  FeatureReader,
  readFeatureEnd,
  readFeatureHead,
  readRows,
  readTexts,
} from "../../../src/pool/pool.ts";
import { createDamageGuard } from "../../../src/pool/rows/damage-guard.ts";
import { packFeatures } from "../../../src/pool/rows/ranking-features.ts";
import { DamagedRow } from "../../../src/pool/rows/unpack.ts";
import { drawSeeds } from "../../random.ts";

/** With all that JSON escapes, and what looks like its syntax. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(...'\\",[]\t0é😀') }),
);
const whole = fc.nat({ max: 2 ** 31 });
const undated: fc.Arbitrary<RankingFeatures> = fc.record({
  login: text,
  searchable: fc.boolean(),
  profile: whole,
  activity: whole,
  techStack: whole,
  experienceTenths: whole,
  hireable: fc.boolean(),
  places: fc.array(text),
  roles: fc.array(fc.record({ role: text, match: whole, techStack: whole })),
  concepts: fc.array(fc.record({ concept: text, strength: whole })),
  words: fc.array(text),
  repositories: fc.array(fc.record({ name: text, forge: text })),
  weakConcepts: fc.array(fc.record({ concept: text, strength: whole })),
});

const optional = fc.record(
  { lastActive: text, company: text, followers: whole },
  { requiredKeys: [] },
);
const standings = fc
  .tuple(undated, optional)
  .map(([rest, others]): RankingFeatures => ({ ...rest, ...others }));

function* itemsOf(cursor: FeatureReader) {
  for (cursor.openList(); cursor.hasNext(); ) yield cursor;
}

function readText(cursor: FeatureReader): string {
  cursor.readText();
  const [read = ""] = readTexts(cursor);
  return read;
}

/** The weak concepts are left out, which the index passes over. */
function readAll(stored: string): Omit<RankingFeatures, "weakConcepts"> {
  const cursor = new FeatureReader();
  cursor.open(stored);
  const { isSearchable, isHireable, ...head } = readFeatureHead(cursor);
  const places = Array.from(itemsOf(cursor), readText);
  const roles = Array.from(itemsOf(cursor), () => {
    const role = readText(cursor);
    return { role, match: cursor.readNumber(), techStack: cursor.readNumber() };
  });
  const concepts = Array.from(itemsOf(cursor), () => {
    return { concept: readText(cursor), strength: cursor.readNumber() };
  });
  const words = Array.from(itemsOf(cursor), readText);
  const repositories = Array.from(itemsOf(cursor), () => {
    cursor.readPair();
    const [name = "", forge = ""] = readTexts(cursor);
    return { name, forge };
  });
  const [lastActive] = Array.from(itemsOf(cursor), readText);
  const { company, followers = 0 } = readFeatureEnd(cursor) ?? {};
  expect(cursor.hasNext()).toBe(false);
  const lists = { places, roles, concepts, words, repositories };
  const others = {
    ...(lastActive !== undefined && { lastActive }),
    ...(company !== undefined && { company }),
    ...(followers > 0 && { followers: followers - 1 }),
  };
  return { ...head, searchable: isSearchable, hireable: isHireable, ...others, ...lists };
}

test("the cursor reads what was packed, whatever the texts", () => {
  fc.assert(
    fc.property(standings, ({ weakConcepts, ...standing }) => {
      expect(readAll(packFeatures({ ...standing, weakConcepts }))).toEqual(standing);
    }),
  );
});

test("a row that ends early is damaged, wherever it ends", () => {
  for (const seed of drawSeeds("rows that end early", [2099274912])) {
    const cut = fc.property(standings, fc.nat(), (standing, at) => {
      const stored = packFeatures(standing);
      expect(() => readAll(stored.slice(0, at % (stored.length - 1)))).toThrow(DamagedRow);
      expect(() => readAll(stored.slice(0, -1))).toThrow(DamagedRow);
    });
    fc.assert(cut, { seed });
  }
});

test("damage that shows only when a row is read is the stream's: it names the database, and is noted", async () => {
  const noted: string[] = [];
  const { guardEach } = createDamageGuard("pool.db", (reason) => noted.push(reason));
  async function* stored() {
    yield ['["ada",1,'];
  }
  const read = readRows(guardEach(stored()), readAll);
  expect(Array.fromAsync(read)).rejects.toThrow("pool.db is damaged: a row does not parse.");
  await Bun.sleep(0);
  expect(noted).toEqual(["a row does not parse"]);
});
