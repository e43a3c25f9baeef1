/** What people are called joins their author identities, and what must not be joined stays apart. */
import { describe, expect, test } from "bun:test";
import { parseNoreplyAddress } from "../../../../src/identity/address.ts";
import {
  foldPersonName,
  isCommonName,
  isOneName,
  listNameKeys,
  toFullName,
} from "../../../../src/identity/person-name.ts";
import { parseSelector, type Selector } from "../../../../src/identity/selector.ts";
import { classifyByName } from "../../../../src/ingest/git/identify/author-class.ts";
import type { AuthorIdentity } from "../../../../src/ingest/git/identify/author-identity.ts";
import { groupPeople } from "../../../../src/ingest/git/identify/group-people.ts";
import { suggestMerges } from "../../../../src/ingest/git/identify/suggest.ts";

/** An author identity of `Name <address>` in the repository `one`, or in others. */
function author(
  text: string,
  more: Partial<AuthorIdentity> & { readonly mappedTo?: string } = {},
): AuthorIdentity {
  const [, name = "", rawEmail = ""] = /^(.*?) ?<(.*)>$/.exec(text) ?? [];
  const { mappedTo: email = rawEmail, ...rest } = more;
  const repositories = rest.repositories ?? new Set(["one"]);
  return {
    key: `${email}\0${name}\0${[...repositories]}\0${rawEmail}`,
    ...{ name, email, rawEmail, repositories, properName: undefined },
    account: parseNoreplyAddress(rawEmail),
    ...{ commits: 1, first: 0, last: 0 },
    classified: classifyByName({ name, emails: [email, rawEmail] }),
    ...rest,
  };
}

/** The addresses of each person, in order. */
function people(
  authors: readonly (string | AuthorIdentity)[],
  { byName = "repository", different = [] }: Said = {},
): readonly string[] {
  const identities = authors.map((one) => (typeof one === "string" ? author(one) : one));
  const statements = different.map(([a, b], at) => {
    const sides = { a: parseSelector(a) as Selector, b: parseSelector(b) as Selector };
    return { kind: "different", ...sides, by: "decision", origin: `dec_${at}` } as const;
  });
  const of = (list: readonly AuthorIdentity[]) =>
    groupPeople(list, { sameCommit: [], rules: { statements, byName } }).people.map((person) =>
      person.identities
        .map(({ rawEmail }) => rawEmail)
        .sort()
        .join(" "),
    );
  const found = of(identities).toSorted();
  // Whatever the order of reading, it is the same.
  expect(of(identities.toReversed()).toSorted()).toEqual(found);
  return found;
}

interface Said {
  readonly byName?: "repository" | "off";
  readonly different?: readonly (readonly [string, string])[];
}

const [home, work] = ["ada@home.example", "a.l@work.example"];
const one = [`${work} ${home}`];
const two = [work, home];

describe("the same full name within one repository", () => {
  test("makes one of two addresses, however it is written", () => {
    for (const [a, b] of [
      ["Ada Exemplar", "Ada Exemplar"],
      ["Ada Exemplar", "ADA  EXEMPLAR"],
      ["Ädà Éxemplår", "Ada Exemplar"],
      ["Ada O'Exemplar", "Ada OExemplar"],
      ["Exemplar, Ada", "Ada Exemplar"],
      ["Exemplar Ada", "Ada Exemplar"],
      ["Ada Exemplar (work)", "Ada Exemplar"],
      ["Ada Exemplar via Some List", "Ada Exemplar"],
      ["Ada B. Exemplar", "Ada Exemplar"],
      ["Ada Beispiel Exemplar", "Ada Exemplar"],
      ["Jörn Mußterhuhn", "Joern Mussterhuhn"],
      ["Ада Примерова", "ада примерова"],
    ] as const) {
      expect([a, people([`${a} <${home}>`, `${b} <${work}>`])]).toEqual([a, one]);
    }
  });

  test("needs two words and five letters, and one repository", () => {
    expect(people([`Ada <${home}>`, `Ada <${work}>`])).toEqual(two);
    expect(people([`A Ex <${home}>`, `A Ex <${work}>`])).toEqual(two);
    const elsewhere = author(`Ada Exemplar <${work}>`, { repositories: new Set(["two"]) });
    expect(people([`Ada Exemplar <${home}>`, elsewhere])).toEqual(two);
  });

  test("is switched off by the setting", () => {
    const both = [`Ada Exemplar <${home}>`, `Ada Exemplar <${work}>`];
    expect(people(both, { byName: "off" })).toEqual(two);
  });

  test("over repositories it takes a handle or a domain beside it, or a repository between them", () => {
    const there = (text: string, ...names: string[]) =>
      author(text, { repositories: new Set(names) });
    const here = "Ada Exemplar <aexemplar7@gmail.com>";
    const handle = there("Ada Exemplar <aexemplar7@work.example>", "two");
    expect(people([here, handle])).toHaveLength(1);
    expect(people([here, there("Ada Exemplar <other@gmail.com>", "two")])).toHaveLength(2);
    const domain = ["Ada Exemplar <a@lab.example>", there("Ada Exemplar <x@lab.example>", "two")];
    expect(people(domain)).toHaveLength(1);
    const between = there("Ada Exemplar <ada@other.example>", "one", "two");
    expect(people([here, between, there("Ada Exemplar <x@gmail.com>", "two")])).toHaveLength(1);
  });
});

describe("what a name never joins", () => {
  test("two accounts of one forge, and a name that three accounts have", () => {
    const account = (number: number) =>
      `Ada Exemplar <${number}+ada-${number}@users.noreply.github.com>`;
    expect(people([account(1), account(2)])).toHaveLength(2);
    expect(people([account(1), `Ada Exemplar <${home}>`])).toHaveLength(1);
    expect(people([account(1), account(2), account(3), `Ada Exemplar <${home}>`])).toHaveLength(4);
  });

  test("a bot with a human, and names of nobody", () => {
    expect(people(["Exemplar Builds[bot] <a@x.example>", "Exemplar Builds <b@x.example>"])).toEqual(
      ["a@x.example", "b@x.example"],
    );
    expect(
      people(["Exemplar Core Team <a@x.example>", "Exemplar Core Team <b@y.example>"]),
    ).toEqual(["a@x.example", "b@y.example"]);
    expect(people(["root <a@x.example>", "root <b@y.example>"])).toHaveLength(2);
  });

  test("two whom a decision keeps apart; who is not named in it stays with the one of more commits", () => {
    const third = author(`Ada Exemplar <ada@third.example>`);
    const main = author(`Ada Exemplar <${home}>`, { commits: 9 });
    expect(people([main, `Ada Exemplar <${work}>`, third], { different: [[home, work]] })).toEqual([
      work,
      `ada@home.example ada@third.example`,
    ]);
  });

  test("names that many have, unless both have a handle of their own making", () => {
    for (const name of ["Wei Wang", "Li Zhang", "John Smith", "Rahul Kumar", "J. Smith John"]) {
      expect([name, people([`${name} <${home}>`, `${name} <${work}>`])]).toEqual([name, two]);
    }
    const both = ["Wei Wang <frogs77@gmail.com>", "Wei Wang <frogs77@work.example>"];
    expect(people(both)).toHaveLength(1);
    const byName = ["Wei Wang <weiwang@gmail.com>", "Wei Wang <wei.wang@work.example>"];
    expect(people(byName)).toHaveLength(2);
  });

  test("somebody who once wrote another's name or address", () => {
    const maintainer = author("Mona Keeper <mona@keeper.example>", { commits: 900 });
    const slip = author("Ada Exemplar <mona@keeper.example>");
    const ada = author(`Ada Exemplar <${home}>`, { commits: 30 });
    expect(people([maintainer, slip, ada])).toEqual([
      home,
      "mona@keeper.example mona@keeper.example",
    ]);
  });

  test("namesakes whose handles differ by their number, and on one host by having one", () => {
    const named = (handle: string) => `Ada Exemplar <${handle}>`;
    expect(people([named("ada.ex2@x.example"), named("ada.ex3@y.example")])).toHaveLength(2);
    expect(people([named("ada.ex@x.example"), named("ada.ex3@x.example")])).toHaveLength(2);
    expect(people([named("ada.ex2@gmail.com"), named("ada.ex3@gmail.com")])).toHaveLength(1);
    expect(people([named("ada.ex03@x.example"), named("ada.ex3@y.example")])).toHaveLength(1);
  });

  test("who writes under an address that three have", () => {
    const form = ["Ada Exemplar", "Ben Sampler", "(Cara Third)"].map(
      (name) => `${name} <form@x.example>`,
    );
    expect(people(form)).toHaveLength(3);
    expect(people(form.slice(1))).toHaveLength(1);
    expect(people([...form, `Ada Exemplar <${home}>`])).toHaveLength(3);
  });

  test("other initials, and other people of a mailmap", () => {
    expect(people([`Ada B. Exemplar <${home}>`, `Ada C. Exemplar <${work}>`])).toEqual(two);
    const mapped = (text: string, mappedTo: string) => author(text, { mappedTo });
    const apart = [
      mapped("Ada B. Exemplar <b@old.example>", "b@x.example"),
      mapped("Ada Exemplar <c@old.example>", "c@x.example"),
    ];
    expect(people(apart)).toHaveLength(2);
    // A generic address that a mailmap gives to somebody says nothing of others who have it.
    const shared = [
      mapped("Ada B. Exemplar <b@old.example>", "b@x.example"),
      mapped("Root User <c@old.example>", "root@localhost"),
      "Ada Exemplar <root@localhost>",
    ];
    expect(people(shared)).toEqual(["b@old.example root@localhost", "c@old.example"]);
  });
});

describe("handles", () => {
  const joined = (a: string, b: string) => people([a, b]).length === 1;

  test.each([
    ["zorkmid <z@x.example>", "Ada Exemplar <zorkmid@y.example>", true],
    ["zorkmid <z@x.example>", "zorkmid <q@y.example>", true],
    ["zork-mid <1+zorkmid@users.noreply.github.com>", "Ada <zork.mid42@y.example>", true],
    ["Zorkmid <1+zorkmid@users.noreply.github.com>", "Zorkmid <q@y.example>", true],
    ["Ada Exemplar <zork7@lab.example.com>", "unknown <zork7@example.com>", true],
    ["Ada Exemplar <zork7+a@example.com>", "zorks <zork7+b@example.com>", false],
    // Not what many have: roles, first names, words written as a name.
    ["Ada Exemplar <github@x.example>", "zork <github@y.example>", false],
    ["Ada Exemplar <git-hub.com@x.example>", "zork <git-hub.com@y.example>", false],
    ["Ada Exemplar <hereiam@x.example>", "zork <hereiam@y.example>", false],
    ["Ada Exemplar <hereiam@gmail.com>", "zork <hereiam@y.example>", true],
    ["Ada Exemplar <q@y.example>", "adaex7 <x@y.example>", false],
    ["Ada Shu <q@y.example>", "shua <x@z.example>", false],
    ["Parker Selby <q@y.example>", "sparker <x@z.example>", false],
    ["Ada Exemplar <remi@y.example>", "remi <remi@z.example>", false],
    ["Ada Exemplar <you@example.com>", "zork <you@example.com>", false],
    ["Martin Cooper <martinc@y.example>", "zork <martinc@z.example>", false],
    ["Martin Cooper <martinc@laptop>", "martinc <martinc@fileserver>", true],
    ["Ada Exemplar <q@y.example>", "x <adae@z.example>", false],
    ["Ada Exemplar <zrk@y.example>", "zrk <x@z.example>", false],
    ["zrk <zrk@y.example>", "z-rk <x@z.example>", false],
    ["zork12 <x@y.example>", "zork34 <x@z.example>", false],
    ["Zorka <zorka@gmail.com>", "Zorka <q@y.example>", true],
    ["unknown <zorkmid@laptop.(none)>", "Ada Exemplar <zorkmid@y.example>", true],
    ["Deleted User <zorkmid@y.example>", "Ada Exemplar <zorkmid@y.example>", false],
    ["faze-geek <x@y.example>", "Ada Exemplar <1+faze-geek@users.noreply.github.com>", true],
    ["Ada Exemplar <martin@x.example>", "zork <martin@y.example>", false],
    ["Zorka <z@x.example>", "Zorka <q@y.example>", false],
    ["weiwang <a@x.example>", "weiwang <b@y.example>", false],
    // Not between full names that contradict each other.
    ["Ada Exemplar <zorkmid@x.example>", "Ben Sampler <zorkmid@y.example>", false],
  ])("%s, %s: one person: %p", (a, b, isOne) => {
    expect(joined(a, b)).toBe(isOne);
  });

  test("one that the other's full name suggests", () => {
    for (const handle of ["adaexemplar", "ada.exemplar", "aexemplar", "exemplara"]) {
      const both = [`x <${handle}@x.example>`, `Ada Exemplar <q@y.example>`] as const;
      expect([handle, joined(...both)]).toEqual([handle, true]);
    }
    expect(joined("x <msmith@x.example>", "Mona Smith <q@y.example>")).toBe(false);
    // A rare surname, also with letters of the first name, is a login of servers, but any word may precede a domain.
    for (const handle of ["exemplar", "exemplad", "exempada"]) {
      expect(joined(`${handle} <${handle}@server>`, "Ada Exemplar <q@y.example>")).toBe(true);
      expect(joined(`x <${handle}@x.example>`, "Ada Exemplar <q@y.example>")).toBe(false);
    }
    expect(joined("Exemplar <b@x.example>", "Ada Exemplar <q@y.example>")).toBe(false);
    expect(joined("smith <smith@server>", "Mona Smith <q@y.example>")).toBe(false);
    expect(joined("x <jsmith@x.example>", "John Smith <q@y.example>")).toBe(false);
  });

  test("not the project's own name, nor a first name that full names have", () => {
    const repositories = new Set(["zorkers/frobnicate"]);
    const project = ["Ada Exemplar <frobnicate@x.example>", "zork <frobnicate@y.example>"];
    expect(people(project.map((text) => author(text, { repositories })))).toHaveLength(2);
    // Of two full names, one is the first name that is the other's local part.
    const olivia = ["Zorka Wilde <z@w.example>", "x <zorka@v.example>", "y <zorka@u.example>"];
    expect(people(olivia)).toHaveLength(3);
    const account = "zorkmid <1+zorkmid@users.noreply.github.com>";
    const full = ["Ada Exemplar <zorkmid@x.example>", "Ben Sampler <zorkmid@y.example>"];
    expect(people([account, ...full])).toHaveLength(3);
  });
});

test("namesakes are suggested where a handle is of both, however many there are", () => {
  const account = (login: string, at: number) =>
    author(`Ada Exemplar <${at}+${login}@users.noreply.github.com>`);
  const many = [..."bcdefghijklm"].map((letter, at) => account(`zork${letter}`, at));
  const pair = [account("zorkmid", 99), author("Ada Exemplar <zorkmid@x.example>")];
  const rules = { statements: [], byName: "repository" } as const;
  const grouping = groupPeople([...many, ...pair], { sameCommit: [], rules });
  expect(grouping.people).toHaveLength(14);
  expect(suggestMerges(grouping).map(({ clues }) => clues)).toEqual([
    ["both are called ada exemplar", "both work in one", "zorkmid is of both addresses or logins"],
  ]);
});

test("each join tells what it is made of", () => {
  const list = [
    `Ada Exemplar <${home}>`,
    `Ada Exemplar <${work}>`,
    `Ada B. Exemplar <b@x.example>`,
  ];
  const authors = [...list, "x <adaexemplar@y.example>"].map((text) => author(text));
  const rules = { statements: [], byName: "repository" } as const;
  const [person] = groupPeople(authors, { sameCommit: [], rules }).people;
  expect(person?.joins.map(({ kind, detail }) => `${kind}: ${detail}`).sort()).toEqual([
    "same handle: adaexemplar in one",
    "same name: ada exemplar in one",
    "similar name: ada exemplar in one",
  ]);
});

test("names are folded to words, and compared word by word", () => {
  expect(foldPersonName("Dr. Łucja Øs-Þórðr")).toEqual(["dr", "lucja", "os", "thordr"]);
  expect(toFullName("ada@home.example")).toBeUndefined();
  expect(listNameKeys("Ada B. Exemplar")).toContain("ada exemplar");
  expect(isOneName(["ada", "exemplar"], ["a", "exemplar"])).toBe(true);
  expect(isOneName(["chris", "exemplar"], ["christopher", "b", "exemplar"])).toBe(true);
  expect(isOneName(["ada", "exemplar"], ["ada", "exmeplar"])).toBe(true);
  expect(isOneName(["ada", "exemplar"], ["ida", "exemplar"])).toBe(false);
  expect(isCommonName(["wei", "wang"])).toBe(true);
  expect(isCommonName(["ada", "wang"])).toBe(false);
});

test("what directories add to a name is no part of it", () => {
  const decorated =
    "EXTERNAL Oddsworth Ben (Partner GmbH, XC/EYC2)|[EXT] Ben Oddsworth|Oddsworth, Ben (EXT)|" +
    "Ben Oddsworth - External|Ben Oddsworth/DE/ACME|Ben Oddsworth (he/him)";
  for (const name of decorated.split("|")) {
    expect([name, listNameKeys(name)]).toEqual([name, ["ben oddsworth"]]);
  }
  const others = "External Example|Ada Ext|Ada Example / Ben Sample|Ben Oddsworth Carter";
  for (const name of others.split("|")) {
    expect(listNameKeys(name)).not.toContain("ben oddsworth");
    expect(listNameKeys(name).length).toBeGreaterThan(0);
  }
});
