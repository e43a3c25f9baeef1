import { expect, test } from "bun:test";
import fc from "fast-check";
import { openSqlitePool } from "../../../../src/pool/sqlite/sqlite-pool.ts";
import { rounds } from "../../../long.ts";
import { type Person, person } from "../../person.ts";
import { readRankedRows } from "../../ranked-rows.ts";

const now = () => new Date("2026-11-21T12:00:00Z");
const login = fc.constantFrom("a", "b", "c", "d", "e", "f");
const email = fc.constantFrom("a@x.org", "b@x.org", "c@x.org", "1+d@users.noreply.github.com");
const shared = fc.constantFrom(
  "root@localhost",
  "noreply@x.org",
  "dev@build.local",
  "you@example.com",
);
const people = fc.uniqueArray(
  fc.record({
    login,
    source: fc.constantFrom("git", "test"),
    emails: fc
      .tuple(fc.uniqueArray(email, { maxLength: 2 }), fc.uniqueArray(shared, { maxLength: 2 }))
      .map((lists) => lists.flat()),
  }),
  { selector: (one) => one.login, maxLength: 6 },
);
const sharedTexts = ["root@localhost", "noreply@x.org", "dev@build.local", "you@example.com"];

/** Said another way than the pool does: whom a chain of logins and own addresses reaches. */
function reached(everybody: readonly Person[], subject: string): ReadonlySet<string> {
  const own = (one: Person) => [
    one.login,
    ...(one.emails ?? []).filter((address) => !sharedTexts.includes(address)),
    // The account that a noreply address names is a login of that forge.
    ...((one.emails ?? []).includes("1+d@users.noreply.github.com") ? ["github:d"] : []),
  ];
  const known = new Set([subject]);
  const found = new Set<string>();
  for (let n = 0; n <= everybody.length; n++) {
    for (const one of everybody) {
      if (!own(one).some((text) => known.has(text))) continue;
      found.add(one.login);
      for (const text of own(one)) known.add(text);
    }
  }
  return found;
}

test("a forget takes whom it means, and changes nobody else, now and when all are brought again", async () => {
  await fc.assert(
    fc.asyncProperty(people, fc.oneof(login, email), async (everybody, subject) => {
      const pool = openSqlitePool(":memory:", { now });
      const bring = async () => {
        const load = await pool.beginImport("test");
        await load.put(everybody.map(person));
        return load.commit();
      };
      const look = async () => ({
        facts: (await Array.fromAsync(pool.facts())).flat(),
        held: (
          await Promise.all(everybody.map((one) => pool.findStoredDeveloper(one.login)))
        ).filter(Boolean),
        rankingFeatures: await readRankedRows(pool),
      });
      await bring();
      const before = await look();
      const gone = reached(everybody, subject);
      expect(new Set(await pool.erasing.find(subject))).toEqual(new Set(gone));
      const receipt = await pool.erasing.hide(subject);
      expect(receipt !== undefined).toBe(gone.size > 0);
      const others = {
        facts: before.facts.filter((facts) => !gone.has(facts.login)),
        held: before.held.filter((held) => !gone.has(held?.facts.login ?? "")),
        rankingFeatures: before.rankingFeatures.filter(({ standing }) => !gone.has(standing.login)),
      };
      expect(await look()).toEqual(others);
      const left = everybody.length - gone.size;
      expect(await pool.size()).toBe(left);
      expect((await pool.sources()).reduce((sum, { developers }) => sum + developers, 0)).toBe(
        left,
      );
      expect(await bring()).toMatchObject({ added: 0, suppressed: gone.size, unchanged: left });
      const again = await look();
      expect({ ...again, held: again.held.length }).toEqual({ ...others, held: left });
      await pool.close();
    }),
    { numRuns: rounds(150) },
  );
}, 300_000);
