import { describe, expect, test } from "bun:test";
import { otherNamesMax } from "../../src/contract/people/facts.ts";
import { chooseName } from "../../src/identity/chosen-name.ts";

const choose = (...written: readonly (readonly [string, number])[]) =>
  chooseName(written.map(([name, commits]) => ({ name, commits })));

describe("the name that is shown", () => {
  test.each([
    [
      "a full name before a handle of more commits",
      [
        ["aexample", 90],
        ["Ada Example", 3],
      ],
    ],
    [
      "the whole words before the initial",
      [
        ["A. Example", 50],
        ["Ada Example", 20],
      ],
    ],
    [
      "the middle name with the others",
      [
        ["Ada Example", 50],
        ["Ada Byron Example", 20],
      ],
    ],
    [
      "the one with capitals",
      [
        ["ada example", 50],
        ["Ada Example", 20],
      ],
    ],
    [
      "the one without a note",
      [
        ["Ada Example (Corp)", 50],
        ["Ada Example", 20],
      ],
    ],
    [
      "the one without the list",
      [
        ["Ada Example via List", 50],
        ["Ada Example", 20],
      ],
    ],
    [
      "not a mangled one",
      [
        ["JÃ¶rg Example Example", 50],
        ["Ada Example", 20],
      ],
    ],
  ] as const)("is %s", (_, written) => {
    const { name = "" } = choose(...written) ?? {};
    expect(name).toBe(written[1][0]);
  });

  test("is the one of most commits where two names differ, or no name is full", () => {
    expect(choose(["Ada Example", 20], ["Ada Byron", 50])?.name).toBe("Ada Byron");
    expect(choose(["ada", 20], ["adalove", 50])?.name).toBe("adalove");
  });

  test("is no longer one that stands in few commits", () => {
    expect(choose(["Ada Example", 100], ["Ada Example Corporation", 5])?.name).toBe("Ada Example");
  });

  test("is the preferred one, and none where there is none", () => {
    const written = [{ name: "Ada Example", commits: 3 }];
    expect(chooseName(written, "Countess")).toEqual({ name: "Countess", others: ["Ada Example"] });
    expect(choose()).toBeUndefined();
  });
});

describe("the other names", () => {
  test("are most used first, once each, without spellings, addresses and names of nobody", () => {
    const { others } = choose(
      ...([
        ["Ada Example", 50],
        ["ADA  example", 40],
        ["ada", 30],
        ["Ada Byron", 35],
      ] as const),
      ...([
        ["root", 20],
        ["ada@corp.example", 10],
        ["Example Core Team", 9],
        ["...", 8],
      ] as const),
    ) ?? { others: [] };
    expect(others).toEqual(["Ada Byron", "ada"]);
  });

  test("are no more than the contract allows", () => {
    const many = Array.from({ length: 40 }, (_, at) => [`name ${at}`, 40 - at] as const);
    expect(choose(...many)?.others).toHaveLength(otherNamesMax);
  });
});
