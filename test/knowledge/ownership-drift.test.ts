import { describe, expect, test } from "bun:test";
import type { OwnershipRule } from "../../src/contract/people/ownership-rule.ts";
import { parseCodeOwners } from "../../src/ingest/git/ownership/code-owners.ts";
import { parseOwnersFile } from "../../src/ingest/git/ownership/owners-yaml.ts";
import { findOwner } from "../../src/ingest/git/ownership/resolve-owners.ts";
import {
  findOwnershipDrift,
  groupFiles,
  type OwnershipQuestion,
  type RuleKnower,
} from "../../src/knowledge/ownership/ownership-drift.ts";

const asOf = "2026-11-22";
const people = [
  { login: "ada", accounts: ["github.com/Ada-L", "gitlab.com/ada"], emails: ["ada@example.com"] },
  { login: "ben", accounts: ["github.com/ben"], emails: [] },
  { login: "cara-b5fc85", accounts: [], emails: ["cara@example.org"] },
  { login: "ada@gitlab.com", accounts: ["gitlab.com/ben"], emails: [] },
];

const knower = (login: string, rank: number, share: number, lastDay = asOf): RuleKnower => ({
  ...{ login, rank, share, commits: 3, lastDay },
});

const githubRules = (text: string) =>
  parseCodeOwners(text, { file: "CODEOWNERS", form: "github" }).rules;

const paths = ["a/x", "a/y", "b"];
/** Whoever alone has an address, an account or a login. */
const findOnly = (key: string): string | undefined => {
  const holders = people.filter(({ accounts, emails }) =>
    [...accounts, ...accounts.map((one) => `@${one.split("/")[1]}`), ...emails]
      .map((one) => one.toLowerCase())
      .includes(key),
  );
  return holders.length === 1 ? holders[0]?.login : undefined;
};

function know(rules: readonly OwnershipRule[], forge: string | undefined = "github.com") {
  return rules.map((rule) => ({
    ...rule,
    owners: rule.owners.map((owner) => {
      const person = findOwner(owner, forge, findOnly);
      return { ...owner, ...(person === undefined ? {} : { person }) };
    }),
  }));
}

function driftOf(
  rules: readonly OwnershipRule[],
  knowers: readonly RuleKnower[],
  more: Partial<OwnershipQuestion> & { forge?: string } = {},
) {
  return findOwnershipDrift({
    ...{ rules: know(rules, more.forge), asOf, parts: groupFiles(rules, paths), within: [""] },
    isAccountless: (login) => people.some((one) => one.login === login && !one.accounts[0]),
    lastDayOf: () => "2020-01-01",
    knowersOf: () => knowers,
    ...more,
  }).judged;
}

test("owners are matched by account of the forge, in any case, or by address", () => {
  const rules = githubRules("* @ada-l ADA@example.com @ben @stranger @example/team");
  const [found] = driftOf(rules, [knower("ada", 1, 0.9)]);
  expect(found).toMatchObject({
    files: 3,
    departed: [{ owner: { login: "ben" }, login: "ben", lastDay: "2020-01-01" }],
    unknown: [{ login: "stranger" }],
    teams: [{ team: "example/team" }],
  });
});

test("an account of another forge is meant only where it is the only one", () => {
  expect(findOwner({ login: "ben" }, "gitlab.com", findOnly)).toBe("ada@gitlab.com");
  expect(findOwner({ login: "ben" }, "git.example.com", findOnly)).toBeUndefined();
  expect(findOwner({ login: "ada-l" }, undefined, findOnly)).toBe("ada");
});

const newcomer = knower("dan", 1, 0.2);

describe("an owner", () => {
  for (const [what, known, isDeparted] of [
    ["who never worked there no longer knows it", [], true],
    ["with recent work of any rank knows it", [knower("ben", 40, 0.001)], false],
    ["of the first five knows it after years", [knower("ben", 5, 0.1, "2020-01-01")], false],
    ["further down has two years", [knower("ben", 6, 0.1, "2024-11-22")], false],
    ["further down is gone a day later", [knower("ben", 6, 0.1, "2024-11-21")], true],
  ] as const) {
    test(what, () => {
      const [found] = driftOf(githubRules("* @ben"), [newcomer, ...known]);
      expect(found?.departed.length).toBe(isDeparted ? 1 : 0);
      expect(found?.departed[0]?.knower).toEqual(isDeparted ? known[0] : undefined);
    });
  }
});

test("an owner who never worked there may review, while they work in the repository", () => {
  const departedOf = (day: string | undefined, known = newcomer) =>
    driftOf(githubRules("* @ben"), [known], { lastDayOf: () => day })[0]?.departed.length;
  expect(departedOf("2024-11-22")).toBe(0);
  expect(departedOf("2024-11-21")).toBe(1);
  expect(departedOf(undefined)).toBe(0);
  // What nobody has changed for two years needs nobody.
  expect(departedOf("2024-11-21", knower("dan", 1, 1, "2024-11-21"))).toBe(0);
});

describe("somebody who is not named", () => {
  for (const [what, known, isUnnamed] of [
    ["and knows a quarter is told", knower("ben", 1, 0.25), true],
    ["and knows less is not", knower("ben", 1, 0.24), false],
    ["and has two commits is not", { ...knower("ben", 1, 0.9), commits: 2 }, false],
    ["and left two years ago is not", knower("ben", 1, 0.9, "2024-11-21"), false],
  ] as const) {
    test(what, () => {
      const [found] = driftOf(githubRules("* @ada-l"), [known]);
      expect(found?.unnamed).toEqual(isUnnamed ? [known] : []);
    });
  }

  test("may be in a team, and is not told", () => {
    const [found] = driftOf(githubRules("* @ada-l @example/team"), [knower("ben", 1, 0.9)]);
    expect(found?.unnamed).toEqual([]);
  });

  test("and has no account may be an owner under another address", () => {
    const unnamedOf = (owner: string, known: RuleKnower) =>
      driftOf(githubRules(`* ${owner}`), [known])[0]?.unnamed.length;
    const withoutAccount = knower("cara-b5fc85", 1, 0.9);
    const unnamed = ["@cara", "@ada-l", "ada@example.com"].map((owner) =>
      unnamedOf(owner, withoutAccount),
    );
    expect(unnamed).toEqual([0, 0, 1]);
    expect([0.5, 0.49].map((share) => unnamedOf("@cara", knower("ben", 1, share)))).toEqual([1, 0]);
    expect(unnamedOf("@Dan", knower("dan", 1, 0.9))).toBe(0);
    expect(unnamedOf("@ada-l", knower("example-bot", 1, 0.9))).toBe(0);
  });

  test("and knows less than an owner is not told", () => {
    const known = [knower("ada", 1, 0.5), knower("ben", 2, 0.5)];
    expect(driftOf(githubRules("* @ada-l"), known)[0]?.unnamed).toEqual([]);
  });

  test("is an owner by a rule that holds for all of the same files", () => {
    const rules = ["OWNERS", "a/OWNERS"].flatMap(
      (file, at) => parseOwnersFile(`approvers: [${["ben", "ada-l"][at]}]`, file, new Map()).rules,
    );
    const [whole, part] = driftOf(rules, [knower("ada", 1, 0.5), knower("ben", 2, 0.5)]);
    expect(whole?.unnamed.map(({ login }) => login)).toEqual(["ada"]);
    expect(part?.unnamed).toEqual([]);
  });

  test("is told although another file gives everything to a team", () => {
    const rules = [
      ...githubRules("* @example/team"),
      ...parseOwnersFile("approvers: [ada-l]", "a/OWNERS", new Map()).rules,
    ];
    const [, folder] = driftOf(rules, [knower("ben", 1, 0.5)]);
    expect(folder?.unnamed.map(({ login }) => login)).toEqual(["ben"]);
  });
});

test("rules are asked for the files for which they hold, and left out where they hold for none", () => {
  const asked: unknown[] = [];
  const rules = githubRules("* @ada-l\n/a/ @ben\n/a/x\n/gone/ @ben\n");
  const found = driftOf(rules, [], {
    knowersOf: (files) => {
      asked.push(files.map((file) => paths[file]));
      return [];
    },
  });
  expect(asked).toEqual([["b"], ["a/y"]]);
  const told = found.map(({ rule, files }) => `${rule.line} ${rule.pattern} ${files}`);
  expect(told).toEqual(["1 * 1", "2 /a/ 1"]);
});

test("of a folder, rules that may hold elsewhere too are in force, and not judged", () => {
  const rules = know(githubRules("*.ts @ben\n/a/ @ben\n/a/x @ben\nx/ @ben"));
  const parts = groupFiles(rules, ["a/x", "a/y", "a/z.ts"]);
  const question = { rules, asOf, parts, knowersOf: () => [] };
  const persons = { isAccountless: () => false, lastDayOf: () => undefined };
  const judgedIn = (...within: string[]) => {
    const { inForce, judged } = findOwnershipDrift({ ...question, ...persons, within });
    return [inForce.length, ...judged.map(({ rule }) => rule.pattern)];
  };
  expect(judgedIn("")).toEqual([2, "/a/", "/a/x"]);
  expect(judgedIn("a")).toEqual([2, "/a/", "/a/x"]);
  expect(judgedIn("a/x", "b")).toEqual([2, "/a/x"]);
});
