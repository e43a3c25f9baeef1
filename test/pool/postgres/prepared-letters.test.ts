import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { splitNameWords } from "../../../src/identity/name-words.ts";
import type { FindableDeveloper, PeopleFound, PeopleQuery } from "../../../src/pool/pool.ts";
import { createPreparedLetters } from "../../../src/pool/postgres/reading/prepared-letters.ts";
import { findInIndex } from "../../../src/search/memory/find-people.ts";
import { buildPeopleIndex } from "../../../src/search/memory/people-index.ts";

const letters = ["a", "A", "b", "ß", "王", "é", "1", "x", "-", "@", ""];
const name = fc
  .array(fc.constantFrom("a", "ab", "b", "bé", "é", "éa", "王", "王b", "straße", "ß", "1", "x"), {
    maxLength: 4,
  })
  .map((words) => words.join(" "));
const login = fc.stringMatching(/^[ab1x-]{1,3}$/);
const people: fc.Arbitrary<readonly FindableDeveloper[]> = fc
  .uniqueArray(
    fc.record({
      ...{ login, name, isHuman: fc.boolean(), formerLogins: fc.array(login, { maxLength: 1 }) },
      score: fc.nat({ max: 3 }).map((tenths) => tenths / 10),
      otherNames: fc.array(name, { maxLength: 2 }),
      accounts: fc.constant(["github.com/a"]),
      emails: fc.constant({ published: ["a@people.example"], unpublished: [] }),
    }),
    { selector: (person) => person.login, maxLength: 60, size: "max" },
  )
  .map((drawn) => drawn.map((person, at) => ({ rowId: at + 1, ...person })));

/** What matched, by definition: each kind of match in turn, best first, humans before others. */
function findPlainly(text: string, drawn: readonly FindableDeveloper[]): PeopleFound {
  const asked = text.toLowerCase().replace(/^@/, "");
  const [word] = splitNameWords(text);
  const place = (person: FindableDeveloper) => {
    const { login, name, otherNames, isHuman, formerLogins } = person;
    const names = isHuman ? [name, ...otherNames].map(splitNameWords) : [];
    const words = names.flat();
    const matches = [
      asked !== "" && login === asked,
      formerLogins.includes(asked),
      word !== undefined && names.some((each) => each.length === 1 && each[0] === word),
      word !== undefined && words.includes(word),
      word !== undefined && words.some((each) => each.startsWith(word)),
      asked !== "" && isHuman && login.startsWith(asked),
    ];
    const at = matches.indexOf(true);
    return at < 0 ? undefined : at + (isHuman ? 0 : matches.length);
  };
  const keys = ["login", "former login", "name", "name", "name", "login"] as const;
  const found = drawn.flatMap((person) => {
    const at = place(person);
    return at === undefined ? [] : [{ person, at }];
  });
  found.sort((a, b) => a.at - b.at || b.person.score - a.person.score);
  const hits = found.map(({ person, at }) => {
    return { rowId: person.rowId, matched: keys[at % keys.length] ?? "name" };
  });
  return { total: hits.length, hits };
}

const query = { canSeeUnpublished: false, limit: 10, offset: 0 };

describe("the people whom a letter finds", () => {
  test("are those, in that order, that all people looked at one by one give, page by page", async () => {
    const page = fc.record({ limit: fc.integer({ min: 1, max: 50 }), offset: fc.nat({ max: 70 }) });
    const asks = fc.array(fc.tuple(fc.constantFrom(...letters), page), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(people, asks, async (drawn, asked) => {
        async function* stream() {
          yield drawn;
        }
        const index = await buildPeopleIndex(stream(), 1);
        const prepared = createPreparedLetters();
        for (const [text, { limit, offset }] of asked) {
          const whole = findPlainly(text, drawn);
          const found = await prepared.find(
            { text: ` ${text}`, canSeeUnpublished: false, limit, offset },
            async () => 1,
            async (each) => findInIndex(index, each),
          );
          expect(found).toEqual({ ...whole, hits: whole.hits.slice(offset, offset + limit) });
        }
      }),
    );
  });

  test("are looked for once for all callers of a revision, and again in the next one", async () => {
    const prepared = createPreparedLetters();
    const calls: PeopleQuery[] = [];
    let revision = 1;
    const find = async (each: PeopleQuery): Promise<PeopleFound> => {
      calls.push(each);
      const rowId = revision;
      await Bun.sleep(1);
      return {
        total: 300,
        hits: Array.from({ length: each.limit }, () => ({ rowId, matched: "name" })),
      };
    };
    const ask = (text: string, offset = 0) =>
      prepared.find({ ...query, text, offset }, async () => revision, find);
    const both = await Promise.all([ask("a"), ask("a", 200)]);
    expect(both.map(({ total, hits }) => [total, hits.length, hits[0]?.rowId])).toEqual([
      [300, 10, 1],
      [300, 10, 1],
    ]);
    await ask("b");
    expect(calls.length).toBe(2);
    revision = 2;
    expect((await ask("a")).hits[0]?.rowId).toBe(2);
    expect(calls.length).toBe(3);
    // Longer texts, and what may be an address, are asked as they are.
    for (const text of ["ab", "@", "a b", ""]) await ask(text);
    expect(calls.slice(3)).toEqual(["ab", "@", "a b", ""].map((text) => ({ ...query, text })));
  });

  test("are looked for again when that failed", async () => {
    const prepared = createPreparedLetters();
    const ask = (find: () => Promise<PeopleFound>) =>
      prepared.find({ ...query, text: "a" }, async () => 1, find);
    const away = () => Promise.reject(new Error("away"));
    expect(ask(away)).rejects.toThrow("away");
    await Bun.sleep(0);
    expect(await ask(async () => ({ total: 0, hits: [] }))).toEqual({ total: 0, hits: [] });
  });
});
