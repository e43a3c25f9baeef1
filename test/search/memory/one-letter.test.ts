import { expect, test } from "bun:test";
import fc from "fast-check";
import { splitNameWords } from "../../../src/identity/name-words.ts";
import type { FindableDeveloper, PeopleFound } from "../../../src/pool/pool.ts";
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

test("the people whom a letter finds are those, in that order, that all people looked at one by one give, page by page", async () => {
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
      for (const [letter, { limit, offset }] of asked) {
        const whole = findPlainly(letter, drawn);
        const query = { text: ` ${letter}`, canSeeUnpublished: false, limit, offset };
        const hits = whole.hits.slice(offset, offset + limit);
        expect(findInIndex(index, query)).toEqual({ ...whole, hits });
      }
    }),
  );
});
