import { expect, test } from "bun:test";
import fc from "fast-check";
import { isGeneric, readNoreply } from "../../../../src/contract/facts/address.ts";
import { classByName, human } from "../../../../src/ingest/git/identity/author-class.ts";
import { gatherPeople, type Persona } from "../../../../src/ingest/git/identity/people.ts";

test("noreply addresses name accounts, other addresses do not", () => {
  const account = (address: string) => {
    const found = readNoreply(address);
    return found && `${found.forge} ${found.login} ${found.id ?? "-"}`;
  };
  expect(account("12+ada@users.noreply.github.com")).toBe("github.com ada 12");
  expect(account("ada@users.noreply.github.com")).toBe("github.com ada -");
  expect(account("Ada-E@users.noreply.GitHub.example.com")).toBe("github.example.com Ada-E -");
  expect(account("12-ada.e@users.noreply.gitlab.com")).toBe("gitlab.com ada.e 12");
  expect(account("ada@noreply.code.example.org")).toBe("code.example.org ada -");
  expect(account("3+helper[bot]@users.noreply.github.com")).toBe("github.com helper[bot] 3");
  for (const none of [
    "ada@example.com",
    "noreply@github.com",
    "@users.noreply.github.com",
    "",
    "a b@users.noreply.github.com",
  ]) {
    expect(account(none)).toBeUndefined();
  }
});

test("addresses that several people may have are generic", () => {
  for (const address of [
    "root@localhost",
    "root@example.com",
    "none@none",
    "(none)",
    "",
    "ada",
    "ada@laptop",
    "ada@macbook.local",
    "you@example.com",
    "noreply@github.com",
    "ada@desk.(none)",
    "ada@2d8e1ad2-3f11-4c5a-9d57-0123456789ab",
    "devnull@example.org",
    "@example.com",
  ]) {
    expect([address, isGeneric(address)]).toEqual([address, true]);
  }
  for (const address of ["ada@example.com", "a.b+c@mail.example.co.uk", "jörg@müller.example.de"]) {
    expect([address, isGeneric(address)]).toEqual([address, false]);
  }
});

test("a human first name that a product also has makes nobody a bot", () => {
  for (const name of [
    "Claude",
    "Travis",
    "Amp",
    "Gemini",
    "Jules",
    "Hudson",
    "Abbot",
    "Renovate Sample",
  ]) {
    expect(classByName({ name, emails: ["someone@example.fr"] }).class).toBe("human");
  }
});

interface Sketch {
  readonly email: number;
  readonly raw: number;
  readonly login: number | undefined;
  readonly bot: boolean;
  readonly commits: number;
}

const sketches = fc.uniqueArray(
  fc.record({
    email: fc.nat(5),
    raw: fc.nat(5),
    login: fc.option(fc.nat(3), { nil: undefined }),
    bot: fc.boolean(),
    commits: fc.nat(9),
  }),
  { maxLength: 14, selector: ({ email, raw, login, bot }) => `${email} ${login} ${bot}\0${raw}` },
);

function persona({ email, raw, login, bot, commits }: Sketch): Persona {
  return {
    key: `${email} ${login} ${bot}\0${raw}`,
    name: "Ada Example",
    properName: undefined,
    email: `p${email}@example.com`,
    rawEmail: `p${raw}@example.com`,
    account:
      login === undefined ? undefined : { forge: "github.com", login: `l${login}`, id: undefined },
    commits,
    first: 0,
    last: 0,
    repositories: new Set(["one"]),
    classified: bot ? { class: "bot", reason: "it says so" } : human,
  };
}

const evidence = { sameCommit: [], rules: { statements: [] } };

test("whatever shares an address: nobody is lost, no two accounts of a forge meet, no bot meets a human", () => {
  fc.assert(
    fc.property(sketches, (list) => {
      const personas = list.map(persona);
      const { people } = gatherPeople(personas, evidence);
      expect(people.flatMap((person) => [...person.personas]).length).toBe(personas.length);
      for (const person of people) {
        const logins = person.personas.flatMap(({ account }) => account?.login ?? []);
        expect(new Set(logins).size).toBeLessThanOrEqual(1);
        expect(new Set(person.personas.map(({ classified }) => classified.class)).size).toBe(1);
      }
    }),
  );
});

test("the order of reading does not decide who is one person", () => {
  const partition = (personas: readonly Persona[]) =>
    gatherPeople(personas, evidence).people.map((person) =>
      person.personas.map(({ key }) => key).sort(),
    );
  fc.assert(
    fc.property(sketches, fc.infiniteStream(fc.nat()), (list, keys) => {
      const order = list.map((sketch) => ({ sketch, at: keys.next().value ?? 0 }));
      const shuffled = order.sort((a, b) => a.at - b.at).map(({ sketch }) => sketch);
      expect(partition(shuffled.map(persona))).toEqual(partition(list.map(persona)));
    }),
  );
});
