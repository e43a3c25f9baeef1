import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { NamedRepository } from "../../../../src/contract/people/assessment.ts";
import { buildGeneration } from "../../../../src/search/generation/build.ts";
import type { Generation } from "../../../../src/search/generation/generation.ts";
import {
  findByRepository,
  findRepositoriesLike,
  formatRepositoryId,
  suggestRepositories,
} from "../../../../src/search/generation/repositories.ts";
import { toFeatureRow } from "../../../pool/ranked-rows.ts";
import { fullOfPeople, inOneBatch, places, repositoryPool } from "../../small-world.ts";

/** People who have worked in so many repositories each. */
function build(people: readonly (readonly NamedRepository[])[]): Promise<Generation> {
  const rows = fullOfPeople(people.length).map(({ rowId, standing }, at) => ({
    rowId,
    standing: { ...standing, repositories: people[at] ?? [] },
  }));
  return buildGeneration({
    rankingFeatures: inOneBatch(rows.map(toFeatureRow)),
    ancestors: places.ancestors,
    made: { revision: 1, edition: "test" },
  });
}

const named = (...names: string[]): NamedRepository[] => names.map((name) => ({ name }));
const people = fc.array(fc.uniqueArray(fc.constantFrom(...repositoryPool), { maxLength: 6 }), {
  minLength: 1,
  maxLength: 60,
});

describe("a repository's id", () => {
  test("is the name, the owner and the forge, and the name as written where it has capitals", () => {
    expect(formatRepositoryId({ name: "acme/pay" })).toBe("pay\tacme\t\t");
    expect(formatRepositoryId({ name: "Acme/Sub/Pay", forge: "Git.Example" })).toBe(
      "pay\tacme/sub\tgit.example\tAcme/Sub/Pay",
    );
    expect(formatRepositoryId({ name: " folder " })).toBe("folder\t\t\t");
  });

  test("is none for what no request can say", () => {
    for (const name of [" ", "a\tb", "a\u0000", "line\nend", "a\u0085"]) {
      expect(formatRepositoryId({ name })).toBeUndefined();
    }
    expect(formatRepositoryId({ name: "acme/pay", forge: "git\texample" })).toBeUndefined();
  });
});

describe("repositories in the index", () => {
  test("are completed and suggested by names that find as many people as is said", async () => {
    const texts = ["p", "PAY", "acme/", "ac", "acme/p", "git.example/acme/p", "sub", "pai", "/"];
    const typed = fc.oneof(fc.constantFrom(...texts, "ame/pay"), fc.string({ maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(people, typed, fc.integer({ min: 1, max: 8 }), async (held, text, limit) => {
        const generation = await build(held);
        for (const list of [findRepositoriesLike, suggestRepositories]) {
          const found = list(text, generation, limit);
          expect(found.length).toBeLessThanOrEqual(limit);
          const names = found.map(({ name }) => name.toLowerCase());
          expect(new Set(names).size).toBe(names.length);
          for (const { name, people: count } of found) {
            expect([name, findByRepository(name, generation).count]).toEqual([name, count]);
            expect(count).toBeGreaterThan(0);
          }
        }
      }),
    );
  });

  test("are completed by name, owner and forge, whole names and those with most people first", async () => {
    const generation = await build([
      named("acme/payments", "acme/pay", "zeta/pay-2"),
      named("acme/payments", "Acme/Pay-3"),
      named("acme/payments", "pay"),
      [{ name: "acme/pay", forge: "git.example" }],
    ]);
    const complete = (text: string, limit = 9) =>
      findRepositoriesLike(text, generation, limit).map(({ name, people: of }) => `${name} ${of}`);
    const [pay, payments] = ["acme/pay 2", "acme/payments 3"];
    // The folder's name alone means every repository of that name.
    expect(complete("pay")).toEqual(["pay 3", pay, payments, "zeta/pay-2 1", "Acme/Pay-3 1"]);
    expect(complete("ACME")).toEqual([payments, pay, "Acme/Pay-3 1"]);
    expect(complete("acme/", 2)).toEqual([payments, pay]);
    expect(complete("acme/pay-")).toEqual(["Acme/Pay-3 1"]);
    expect(complete("git.example/acme/p")).toEqual(["git.example/acme/pay 1"]);
    expect(complete("acme/x")).toEqual([]);
    expect(complete("  ")).toEqual([payments, "pay 3", pay, "zeta/pay-2 1", "Acme/Pay-3 1"]);
  });

  test("unknown ones suggest the same name elsewhere, then those written nearly so", async () => {
    const generation = await build([named("acme/payments", "beta/paymints", "acme/ledger")]);
    const suggest = (text: string) =>
      suggestRepositories(text, generation, 5).map(({ name }) => name);
    expect(suggest("zeta/payments")).toEqual(["acme/payments", "beta/paymints"]);
    expect(suggest("git.example/acme/payments")[0]).toBe("acme/payments");
    expect(suggest("paymemts")).toEqual(["acme/payments", "beta/paymints"]);
    expect(suggest("acme/paymemts")).toEqual(["acme/payments"]);
    expect(suggest("something")).toEqual([]);
    expect(suggestRepositories("any", await build([[]]), 5)).toEqual([]);
  });

  test("of one name in many lists find each person once", async () => {
    const held = Array.from({ length: 300 }, (_, at) =>
      named(`o${at}/tools`, `o${at % 7}/tools`, `p${at}/other`),
    );
    const { count, ordinals } = findByRepository("tools", await build(held));
    expect(count).toBe(300);
    expect([...(ordinals ?? [])]).toEqual(Array.from({ length: 300 }, (_, at) => at));
  });
});
