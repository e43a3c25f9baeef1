import { expect, test } from "bun:test";
import fc from "fast-check";
import { openPool } from "../../../src/pool/pool.ts";
import { type Person, person } from "./person.ts";

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

test("a forget takes whom it means, and changes nobody else, now and when all are brought again", () => {
  fc.assert(
    fc.property(people, fc.oneof(login, email), (everybody, subject) => {
      const pool = openPool(":memory:", { now });
      const bring = () => {
        const load = pool.beginImport("test");
        load.put(everybody.map(person));
        return load.commit();
      };
      const look = () => ({
        facts: [...pool.facts()],
        held: everybody.map((one) => pool.findStoredDeveloper(one.login)).filter(Boolean),
        rankingFeatures: [...pool.rankingFeatures()],
      });
      bring();
      const before = look();
      const gone = reached(everybody, subject);
      expect(new Set(pool.erasing.find(subject))).toEqual(new Set(gone));
      const receipt = pool.erasing.hide(subject);
      expect(receipt !== undefined).toBe(gone.size > 0);
      const others = {
        facts: before.facts.filter((facts) => !gone.has(facts.login)),
        held: before.held.filter((held) => !gone.has(held?.facts.login ?? "")),
        rankingFeatures: before.rankingFeatures.filter(({ standing }) => !gone.has(standing.login)),
      };
      expect(look()).toEqual(others);
      const left = everybody.length - gone.size;
      expect(pool.size()).toBe(left);
      expect(pool.sources().reduce((sum, { developers }) => sum + developers, 0)).toBe(left);
      expect(bring()).toMatchObject({ added: 0, suppressed: gone.size, unchanged: left });
      const again = look();
      expect({ ...again, held: again.held.length }).toEqual({ ...others, held: left });
      pool.close();
    }),
    { numRuns: 150 },
  );
}, 60_000);
