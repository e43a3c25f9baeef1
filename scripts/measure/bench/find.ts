/** Finds people among generated ones, by texts that match no person, one person, and very many. */
import { createPreparedLetters, type FindableDeveloper } from "../../../src/pool/pool.ts";
import { findInIndex } from "../../../src/search/memory/find-people.ts";
import { buildPeopleIndex, type PeopleIndex } from "../../../src/search/memory/people-index.ts";
import { createRandom } from "../../../test/random.ts";
import { defineMeasurement } from "../measurement.ts";
import { atMost, median, percentile, type Row } from "../rows.ts";
import { inBatches } from "../synthetic-people.ts";

/** Milliseconds for a query and bytes for a person, up to a million developers; and for a letter that was asked before. */
const bars = { p99Ms: 60, bytes: 160, letterMs: 1 };
const rounds = 15;

export const measurement = defineMeasurement({
  about: "Finding people by texts that find nobody, one person, and very many.",
  options: { developers: 100_000 },
  async run({ developers }) {
    const startedAt = performance.now();
    const index = await buildPeopleIndex(inBatches(invent(developers)), 1);
    const buildMs = performance.now() - startedAt;
    const bytes = countBytes(index) / developers;
    const rows: Row[] = [
      { name: "find.developers", value: developers, unit: "people" },
      { name: "find.build", value: buildMs, unit: "ms" },
      atMost(bars.bytes, { name: "find.bytes-a-person", value: bytes, unit: "bytes" }),
    ];
    const every: number[] = [];
    for (const [shape, texts] of Object.entries(listTexts(developers))) {
      const ms = timeTexts(index, texts);
      every.push(...ms);
      rows.push({ name: `find.${shape}`, value: median(ms), unit: "ms" });
    }
    const [p50, p99] = [percentile(every, 50), percentile(every, 99)];
    rows.push({ name: "find.p50", value: p50, unit: "ms" });
    rows.push(atMost(bars.p99Ms, { name: "find.p99", value: p99, unit: "ms" }));
    const again = median(await timeLetters(index));
    rows.push(atMost(bars.letterMs, { name: "find.letter-again", value: again, unit: "ms" }));
    return { rows };
  },
});

function timeTexts(index: PeopleIndex, texts: readonly string[]): readonly number[] {
  const ms: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const text of texts) {
      const startedAt = performance.now();
      findInIndex(index, { text, canSeeUnpublished: true, limit: 10, offset: 0 });
      ms.push(performance.now() - startedAt);
    }
  }
  return ms;
}

/** Pages of letters that were asked for before. */
async function timeLetters(index: PeopleIndex): Promise<readonly number[]> {
  const prepared = createPreparedLetters();
  const ask = (text: string, offset: number) =>
    prepared.find(
      { text, canSeeUnpublished: true, limit: 10, offset },
      async () => index.revision,
      async (query) => findInIndex(index, query),
    );
  const ms: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    for (const letter of letters) {
      const startedAt = performance.now();
      await ask(letter, round);
      if (round > 0) ms.push(performance.now() - startedAt);
    }
  }
  return ms;
}

const letters = ["a", "k", "s", "x"];

function listTexts(developers: number): Record<string, readonly string[]> {
  const some = [...invent(Math.min(developers, 2000))].filter((_, at) => at % 200 === 0);
  return {
    name: some.map(({ name }) => name),
    turned: some.map(({ name }) => name.split(" ").reverse().join(" ").slice(0, -2)),
    slip: some.map(({ name }) => name.slice(0, 2) + name.slice(3)),
    "slip-alone": some.map(({ name }) => `${name.split(" ")[0]}x`),
    login: some.map(({ login }) => login),
    email: some.map(({ emails }) => emails.unpublished[0] ?? ""),
    account: some.map(({ accounts }) => accounts[0] ?? "github.com/nobody"),
    letter: letters,
    letters: ["a b", "ma so", "ka ka"],
    nobody: ["nobody-at-all", "Zzyzx Qua", "nobody@example.net"],
  };
}

const syllables = "ma so ka ri ben ada lo vi ter an shu mo dez pel qui har".split(" ");

function* invent(count: number): Generator<FindableDeveloper> {
  const draw = createRandom(1);
  const word = () =>
    Array.from(
      { length: 2 + Math.floor(draw() * 2) },
      () => syllables[Math.floor(draw() * syllables.length)],
    ).join("");
  for (let rowId = 1; rowId <= count; rowId++) {
    const [first, last] = [word(), word()];
    const login = `${first}-${last}${rowId % 97}`;
    yield {
      rowId,
      login,
      name: `${first} ${last}`,
      otherNames: rowId % 8 === 0 ? [`${first} ${word()} ${last}`, login] : [],
      isHuman: rowId % 50 !== 0,
      score: Math.floor(draw() * 1000) / 10,
      formerLogins:
        rowId % 4 === 0 ? [`${first}.${last}-${rowId.toString(16).padStart(6, "0")}`] : [],
      accounts: rowId % 2 === 0 ? [`github.com/${login}`] : [],
      emails: { published: [], unpublished: [`${first}.${last}${rowId}@example.com`] },
    };
  }
}

function countBytes(index: PeopleIndex): number {
  const { rowIds, scores, names, words, keys, wholeKeys } = index;
  const runs = [names, keys].flatMap(({ bytes, starts }) => [bytes, starts]);
  const groups = [words, wholeKeys].flatMap((group) => [group.starts, group.ordinals]);
  const arrays = [rowIds, scores, ...runs, ...groups, words.marks];
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
