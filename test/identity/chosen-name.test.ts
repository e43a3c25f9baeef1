import { describe, expect, test } from "bun:test";
import { otherNamesMax } from "../../src/contract/people/facts.ts";
import { chooseName } from "../../src/identity/chosen-name.ts";

const choose = (...written: readonly (readonly [string, number])[]) =>
  chooseName(written.map(([name, commits]) => ({ name, commits })));

describe("the name that is shown", () => {
  test.each([
    ["a full name before a handle of more commits", "aexample", "Ada Example", 3],
    ["the whole words before the initial", "A. Example", "Ada Example", 20],
    ["the middle name with the others", "Ada Example", "Ada Byron Example", 20],
    ["the one with capitals", "ada example", "Ada Example", 20],
    ["the one without a note", "Ada Example (Corp)", "Ada Example", 20],
    ["the one without the list", "Ada Example via List", "Ada Example", 20],
    ["not a mangled one", "JÃ¶rg Example Example", "Ada Example", 20],
  ])("is %s", (_, usual, better, commits) => {
    expect(choose([usual, 50], [better, commits])?.name).toBe(better);
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
    const names = ["Ada Example", "ADA  example", "Ada Byron", "ada", "root", "ada@corp.example"];
    const written = [...names, "Example Core Team", "..."].map(
      (name, at) => [name, 50 - at] as const,
    );
    expect(choose(...written)?.others).toEqual(["Ada Byron", "ada"]);
  });

  test("are no more than the contract allows", () => {
    const many = Array.from({ length: 40 }, (_, at) => [`name ${at}`, 40 - at] as const);
    expect(choose(...many)?.others).toHaveLength(otherNamesMax);
  });
});
