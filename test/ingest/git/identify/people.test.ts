import { expect, test } from "bun:test";
import fc from "fast-check";
import { isGenericAddress, parseNoreplyAddress } from "../../../../src/identity/address.ts";
import { parseSelector, type Selector } from "../../../../src/identity/selector.ts";
import { classifyByName, humanClass } from "../../../../src/ingest/git/identify/author-class.ts";
import type {
  AuthorIdentity,
  Person,
} from "../../../../src/ingest/git/identify/author-identity.ts";
import { groupPeople } from "../../../../src/ingest/git/identify/group-people.ts";
import {
  createIdentityRules,
  type IdentityRules,
  matchesSelector,
  noFiles,
} from "../../../../src/ingest/git/identify/rules.ts";
import { suggestMerges } from "../../../../src/ingest/git/identify/suggest.ts";

test("noreply addresses name accounts, other addresses do not", () => {
  const account = (address: string) => {
    const found = parseNoreplyAddress(address);
    return found && `${found.forge} ${found.login} ${found.id ?? "-"}`;
  };
  expect(account("12+ada@users.noreply.github.com")).toBe("github.com ada 12");
  expect(account("ada@users.noreply.github.com")).toBe("github.com ada -");
  expect(account("Ada-E@users.noreply.GitHub.example.com")).toBe("github.example.com Ada-E -");
  expect(account("12-ada.e@users.noreply.gitlab.com")).toBe("gitlab.com ada.e 12");
  expect(account("ada@noreply.code.example.org")).toBe("code.example.org ada -");
  expect(account("3+helper[bot]@users.noreply.github.com")).toBe("github.com helper[bot] 3");
  for (const none of ["ada@example.com", "noreply@github.com", "@users.noreply.github.com", ""]) {
    expect(account(none)).toBeUndefined();
  }
  expect(account("a b@users.noreply.github.com")).toBeUndefined();
});

test("addresses that several people may have are generic", () => {
  const generic =
    "root@localhost root@example.com none@none (none) ada ada@laptop ada@macbook.local you@example.com noreply@github.com " +
    "ada@desk.(none) ada@2d8e1ad2-3f11-4c5a-9d57-0123456789ab devnull@example.org devnull+7@example.org @example.com " +
    "ada@users.noreply@github.com ada@users.noreply.github 12+ada@noreply vagrant@machine.example.com ada@desk.fritz.box";
  for (const address of ["", ...generic.split(" ")]) {
    expect([address, isGenericAddress(address)]).toEqual([address, true]);
  }
  for (const address of ["ada@example.com", "a.b+c@mail.example.co.uk", "jörg@müller.example.de"]) {
    expect([address, isGenericAddress(address)]).toEqual([address, false]);
  }
});

test("a human first name that a product also has makes nobody a bot", () => {
  for (const name of "Claude,Travis,Amp,Gemini,Jules,Hudson,Abbot,Renovate Sample".split(",")) {
    expect(classifyByName({ name, emails: ["someone@example.fr"] }).class).toBe("human");
  }
});

interface Sketch {
  readonly email: number;
  readonly raw: number;
  readonly name: number;
  readonly login: number | undefined;
  readonly bot: boolean;
  readonly commits: number;
}

const keyOf = ({ email, raw, name, login, bot }: Sketch) =>
  `p${email}@example.com\0N${name} ${login} ${bot}\0\0p${raw}@example.com`;

const sketches = fc.uniqueArray(
  fc.record({
    email: fc.nat(5),
    raw: fc.nat(5),
    name: fc.nat(2),
    login: fc.option(fc.nat(3), { nil: undefined }),
    bot: fc.boolean(),
    commits: fc.nat(9),
  }),
  { maxLength: 14, selector: keyOf },
);

function identity(sketch: Sketch): AuthorIdentity {
  const { email, raw, name, login, bot, commits } = sketch;
  return {
    key: keyOf(sketch),
    name: ["Ada Nought", "Ada Nimble", "nimble"][name] ?? "",
    ...{ email: `p${email}@example.com`, rawEmail: `p${raw}@example.com`, properName: undefined },
    account:
      login === undefined ? undefined : { forge: "github.com", login: `l${login}`, id: undefined },
    ...{ commits, first: 0, last: 0, repositories: new Set(["one"]) },
    classified: bot ? { class: "bot", reason: "it says so" } : humanClass,
  };
}

/** What an operator may write: addresses, accounts, names beside an address, and one that nobody has. */
const marks = fc.oneof(
  fc.nat(6).map((at) => `p${at}@example.com`),
  fc.nat(4).map((at) => `github.com/l${at}`),
  fc.tuple(fc.nat(2), fc.nat(5)).map(([name, at]) => `ada n${name} <p${at}@example.com>`),
);

const words = fc.array(
  fc.record({ kind: fc.constantFrom("same", "different"), a: marks, b: marks }),
  { maxLength: 6 },
);
type Word = typeof words extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

function rulesOf(list: readonly Word[]): IdentityRules {
  const decisions = list.map((word, at) => ({ ...word, id: `dec_${at}` }) as const);
  return createIdentityRules(noFiles, decisions as Parameters<typeof createIdentityRules>[1]);
}

const gather = (list: readonly Sketch[], said: readonly Word[]) =>
  groupPeople(list.map(identity), { sameCommit: [], rules: rulesOf(said) });

test("whatever shares an address and whatever is said: nobody is lost, no two accounts of a forge meet, no bot meets a human, who is said to be two is two, and each join has its evidence", () => {
  fc.assert(
    fc.property(sketches, words, (list, said) => {
      const { people } = gather(list, said);
      expect(people.flatMap((person) => [...person.identities]).length).toBe(list.length);
      for (const { identities, joins } of people) {
        const logins = identities.flatMap(({ account }) => account?.login ?? []);
        expect(new Set(logins).size).toBeLessThanOrEqual(1);
        expect(new Set(identities.map(({ classified }) => classified.class)).size).toBe(1);
        expect(joins).toHaveLength(identities.length - 1);
        for (const { kind, a, b } of rulesOf(said).statements) {
          if (kind === "same") continue;
          const isA = identities.map((one) => matchesSelector(a, one));
          const isB = identities.map((one) => matchesSelector(b, one));
          const onlyA = isA.some((is, at) => is && !isB[at]);
          const onlyB = isB.some((is, at) => is && !isA[at]);
          expect(onlyA && onlyB).toBe(false);
        }
      }
    }),
  );
});

test("who is said to be one is one, or it is told what forbids it", () => {
  fc.assert(
    fc.property(sketches, words, (list, said) => {
      const { people, rejectedStatements } = gather(list, said);
      const told = new Set(rejectedStatements.map(({ origin }) => origin));
      for (const { kind, a, b, origin } of rulesOf(said).statements) {
        if (kind === "different") continue;
        const meant = people.filter(({ identities }) =>
          identities.some((one) => matchesSelector(a, one) || matchesSelector(b, one)),
        );
        if (meant.length > 1) expect(told).toContain(origin);
      }
    }),
  );
});

test("the order of reading does not decide who is one person, nor who is suggested", () => {
  const outcome = (list: readonly Sketch[], said: readonly Word[]) => {
    const gathered = gather(list, said);
    const keys = ({ identities }: Person) => identities.map(({ key }) => key).sort();
    return {
      people: gathered.people.map(keys),
      suggestions: suggestMerges(gathered).map(({ people, clues }) => [people.map(keys), clues]),
    };
  };
  fc.assert(
    fc.property(sketches, words, fc.infiniteStream(fc.nat()), (list, said, keys) => {
      const order = list.map((sketch) => ({ sketch, at: keys.next().value ?? 0 }));
      const shuffled = order.sort((a, b) => a.at - b.at).map(({ sketch }) => sketch);
      expect(outcome(shuffled, said)).toEqual(outcome(list, said));
    }),
  );
});

test("only pairs that may be merged are suggested, and merging them makes them one", () => {
  fc.assert(
    fc.property(sketches, (list) => {
      const [first] = suggestMerges(gather(list, []));
      if (!first) return;
      const [a, b] = first.people.map(({ identities: [one] }) => one);
      if (!a || !b) throw new Error("A person without a spelling.");
      const mark = ({ name, rawEmail }: AuthorIdentity) => `${name} <${rawEmail}>`;
      // A mark that several have says nothing of these two.
      const isClear = (one: AuthorIdentity) =>
        list.filter((sketch) =>
          matchesSelector(parseSelector(mark(one)) as Selector, identity(sketch)),
        ).length === 1;
      fc.pre(isClear(a) && isClear(b));
      const merged = gather(list, [{ kind: "same", a: mark(a), b: mark(b) }]);
      expect(
        merged.people.some(({ identities }) =>
          [a, b].every((one) => identities.some(({ key }) => key === one.key)),
        ),
      ).toBe(true);
    }),
  );
});

test("an address that passes on the mail of several is nobody's", () => {
  const group = (...names: string[]) => {
    const one = identity({ email: 1, raw: 1, name: 0, login: undefined, bot: false, commits: 1 });
    const authors = names.map((name) => ({ ...one, name, key: name }));
    const rules = { statements: [], byName: "off" } as const;
    return groupPeople(authors, { sameCommit: [], rules }).people;
  };
  const people = group("Ada Example via List", "Ben Sample via List");
  expect(people.map(({ addresses }) => [...addresses])).toEqual([[], []]);
  expect(group("Via Example", "Ben Sample via List")).toHaveLength(2);
  expect(group("Ada", "Ada E")).toHaveLength(1);
});
