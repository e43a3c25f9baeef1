/** The database finds the same people as the index in memory does, in the same order and for the same reason. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Assessment } from "../../../src/contract/people/assessment.ts";
import type { PeopleQuery, Pool } from "../../../src/pool/pool.ts";
import { openPostgresPool } from "../../../src/pool/postgres/postgres-pool.ts";
import { findInIndex } from "../../../src/search/memory/find-people.ts";
import { buildPeopleIndex } from "../../../src/search/memory/people-index.ts";
import { isLong } from "../../long.ts";
import { hasPostgres, newDatabase, runAsSuperuser } from "../../postgres/database.ts";
import { createRandom, drawSeed } from "../../random.ts";
import { invented } from "../invented.ts";

const texts = isLong ? 600 : 150;

/** Few and alike, so that most texts find somebody, and many find somebody for more than one reason. */
const words = [
  ..."a an ann anna Ada ada bo Bö o'x 王 王小 Łuk x ß ﷺ it's b\\s :* & | ! ( \"q\" % _".split(" "),
  ...["\u0000", "\u0085", "\ud800"],
];
/** Some are a slip from others, and some of those people have. */
const longWords = "lovelace lovelase loevlace Lövelace lovelac annna Гагарин Гагарн".split(" ");
const logins = "lovelace a an ann anna ada ada-x ada.x bo bo_1 x it-s".split(" ");

describe.skipIf(!hasPostgres)("people in PostgreSQL and in memory", () => {
  const draw = createRandom(drawSeed("people"));
  const below = (count: number) => Math.floor(draw() * count);
  const one = (list: readonly string[]) => list[below(list.length)] as string;
  const some = (list: readonly string[], most: number) =>
    Array.from({ length: below(most + 1) }, () => one(list));
  const addresses = logins.map((login) => `${login}@people.example`);

  const invent = (login: string): Assessment => {
    const person = invented({ login, formerLogins: some(logins, 2) });
    const published = some(addresses, 1);
    const known = [...some(addresses, 2), `${one(logins)}@users.noreply.github.com`];
    return {
      facts: {
        ...person.facts,
        ...(below(5) === 0 && { class: "bot", classReason: "a test" }),
        profile: { name: some(words, 4).join(" ") || "x" },
        emails: known.map((address) => ({ address, sources: ["commits"], published: false })),
      },
      analysis: {
        ...person.analysis,
        profile: { ...person.analysis.profile, otherNames: some([...words, ...longWords], 3) },
        emails: {
          emails: published.map((address) => ({ address, sources: ["profile"], isPrimary: true })),
        },
      },
      card: {
        ...person.card,
        name: some([...words, ...longWords], 5).join(" ") || "x",
        score: below(4) / 10,
      },
      standing: person.standing,
    };
  };
  const drawText = (): string => {
    const kind = below(8);
    if (kind > 5) return [...some(words, kind - 6), one(longWords)].join(" ");
    const word = one([...words, ...logins]);
    if (kind === 0) return one(logins).toUpperCase();
    if (kind === 1) return `${below(2) === 0 ? "@" : ""}${one(logins)}`;
    if (kind === 2) return below(2) === 0 ? one(addresses) : `Somebody <${one(addresses)}>`;
    if (kind === 3) return `${one(["https://", ""])}github.com/${one(logins)}`;
    if (kind === 4) return word.slice(0, 1 + below(word.length));
    return [...some(words, 4), word].join(one([" ", ", ", "-"]));
  };
  const drawQuery = (): PeopleQuery => ({
    text: drawText(),
    canSeeUnpublished: below(2) === 0,
    limit: 1 + below(20),
    offset: below(3) * below(20),
  });

  let url = "";
  let pool: Pool;
  beforeAll(async () => {
    url = await newDatabase();
    pool = await openPostgresPool({ url, connectionsMax: 4 }, { now: () => new Date() });
    await bring(200);
  });
  afterAll(() => pool.close());

  async function bring(count: number, isCommitted = true) {
    const people = Array.from({ length: count }, () => {
      const login = `${one(logins)}${below(3) === 0 ? "" : below(60)}`;
      return invent(login);
    });
    const load = await pool.beginImport("test");
    await load.put(people);
    if (!isCommitted) return load;
    await load.commit();
    return undefined;
  }
  async function expectSame(): Promise<number> {
    const index = await buildPeopleIndex(pool.findables(), await pool.revision());
    let found = 0;
    for (let at = 0; at < texts; at++) {
      const query = drawQuery();
      const inDatabase = await pool.people?.find(query);
      expect([query, inDatabase]).toEqual([query, findInIndex(index, query)]);
      found += inDatabase?.total ?? 0;
    }
    return found;
  }

  test(`${texts} texts find the same`, async () => {
    expect(await expectSame()).toBeGreaterThan(texts);
  }, 300_000);

  test("while an import replaces people, once it has, and without whom it left out", async () => {
    const load = await bring(80, false);
    await expectSame();
    await load?.remove(["ada", "bo"]);
    await load?.commit();
    await expectSame();
  }, 300_000);

  test("in rows that came without what follows from them", async () => {
    await runAsSuperuser(
      url,
      "UPDATE pool.findable SET score = NULL, names = NULL, exact_keys = NULL WHERE row_id % 2 = 0",
    );
    await expectSame();
  }, 300_000);

  test("and whoever was forgotten is found at no moment afterwards", async () => {
    const [gone] = (await pool.people?.find({ ...whole, text: "a" }))?.hits ?? [];
    const [row] = [...(await pool.cards([gone?.rowId ?? 0])).values()];
    const login = row?.login ?? "";
    const had = (await pool.people?.find({ ...whole, text: login }))?.hits ?? [];
    expect(had).toContainEqual({ rowId: gone?.rowId as number, matched: "login" });
    await pool.erasing.hide(login);
    const left = (await pool.people?.find({ ...whole, text: login }))?.hits ?? [];
    expect(left.map(({ rowId }) => rowId)).not.toContain(gone?.rowId as number);
    await expectSame();
  }, 300_000);
});

const whole = { canSeeUnpublished: true, limit: 50, offset: 0 };
