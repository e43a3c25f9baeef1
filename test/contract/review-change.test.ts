/** Who should review a change, as it is asked over HTTP: its authors under any of their names, new files, and nothing at all. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Facts } from "../../src/contract/people/facts.ts";
import type { WhoData } from "../../src/contract/people/who-knows.ts";
import { whoKnows } from "../../src/operations/who-knows.ts";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { inventedPeople } from "../invented-people.ts";
import { inventAuthorship } from "../knowledge/invent-authorship.ts";
import { isLong } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";

const repository = "example/reviewed";
const count = 40;
const rounds = isLong ? 10_000 : 200;

/** Each with several addresses, names, accounts and logins. */
const people: readonly Facts[] = Array.from({ length: count }, (_, at) => ({
  login: `dev-${at}`,
  formerLogins: [`older-${at}`],
  accounts: [
    { forge: "forge.example.com", login: `acc-${at}`, id: `${at}` },
    { forge: "other.example.org:3000", login: `alias-${at}`, id: `${at}` },
  ],
  source: "test",
  profile: { name: `Person${at} Sample${at}` },
  otherNames: [`P. Sample${at}`, `Sample${at} the ${at}th`],
  emails: [
    { address: `dev${at}@example.com`, sources: ["profile"], published: true },
    { address: `dev${at}@work.example.org`, sources: ["commits"], published: false },
    { address: `${at}+dev@users.noreply.example.net`, sources: ["commits"], published: false },
  ],
  repositories: [],
  evidence: [],
}));

let roster: TestAppliance;
let [administratorKey, memberKey] = ["", ""];
let paths: readonly string[];
let storeAs: (isWhole: boolean | undefined) => Promise<void>;
beforeAll(async () => {
  roster = await openTestAppliance({ people: [...inventedPeople, ...people] });
  const { pool, accounts } = roster.modules;
  const made = { plan: "enterprise", callsPerDay: "unlimited" } as const;
  const boss = { ...made, email: "boss@example.com", administrator: true };
  administratorKey = (await accounts.create(boss)).key;
  memberKey = (await accounts.create({ ...made, email: "member@example.com" })).key;
  const logins = people.map(({ login }) => login);
  const size = { name: repository, commits: 2000, files: 200, people: logins };
  ({ paths } = inventAuthorship(size));
  await store(true);
  /** @param isWhole whether nothing older is missing. */
  async function store(isWhole: boolean | undefined) {
    const { repository: invented } = inventAuthorship(size);
    const columns = { ...invented.columns, isWhole };
    await pool.authorship.replace({ ...invented, columns });
    await pool.authorship.nameAuthors(
      invented.key,
      people.map(({ login }) => login),
    );
  }
  storeAs = store;
});
afterAll(() => roster.close());

const ask = async (body: Record<string, unknown>, { administrator = false } = {}) => {
  const key = administrator ? administratorKey : memberKey;
  const reply = await roster.client.ask({ path: "/v1/who", body, key });
  return reply as unknown as {
    readonly status: number;
    readonly body: { readonly data: WhoData; readonly error: { readonly message: string } };
  };
};
const namesOf = ({ body }: Awaited<ReturnType<typeof ask>>) =>
  body.data.people.map(({ login }) => login);

/** Both leave people out; the first describes them too. */
const fields = ["authors", "exclude"] as const;

describe("the authors of a change", () => {
  test("are left out by every login, account, address and name", async () => {
    const first = namesOf(await ask({ repository, paths: paths.slice(0, 1) }))[0] ?? "";
    const at = first.slice("dev-".length);
    const spellings = [
      ...[first, first.toUpperCase(), `older-${at}`],
      ...[`forge.example.com/acc-${at}`, `other.example.org:3000/alias-${at}`],
      ...[`dev${at}@example.com`, `Somebody Else <DEV${at}@example.com>`],
      ...[`${at}+acc-${at}@users.noreply.forge.example.com`],
      ...[`Person${at} Sample${at} <new-address@example.net>`, `P. Sample${at} <x@example.net>`],
      ...[`Person${at} Sample${at} <dev${at}@work.example.org>`],
    ];
    const unpublished = [
      `DEV${at}@work.example.org`,
      `Somebody Else <${at}+dev@users.noreply.example.net>`,
    ];
    for (const field of fields) {
      for (const [each, administrator] of [
        ...spellings.flatMap((text) => [[text, false] as const, [text, true] as const]),
        ...unpublished.map((text) => [text, true] as const),
      ]) {
        const change = { repository, paths: paths.slice(0, 1), [field]: [each] };
        const named = namesOf(await ask(change, { administrator }));
        expect([each, named.includes(first), named.length]).toEqual([each, false, 10]);
      }
      for (const each of ["nobody@example.net", "New Comer <new@example.net>", "dev", "Person"]) {
        const change = { repository, paths: paths.slice(0, 1), [field]: [each] };
        expect([each, namesOf(await ask(change))[0]]).toEqual([each, first]);
      }
    }
  });

  test("are not shown by an address that they do not publish, in whatever form it is sent", async () => {
    const change = { repository, paths: paths.slice(0, 20), limit: 50 };
    /** All of the answer but what the request said. */
    const tellOf = async (texts: readonly string[], field: string) => {
      const { status, body } = await ask({ ...change, [field]: texts });
      const { authors, ...data } = body.data;
      return { status, data, authors: authors?.map(({ given, ...told }) => told) };
    };
    for (const field of fields) {
      const whole = await tellOf([], field);
      expect(whole.data.people.length).toBeGreaterThan(30);
      for (const at of isLong ? people.keys() : [0, 1, count - 1]) {
        const address = `dev${at}@work.example.org`;
        const other = (at + 1) % people.length;
        const formsOf = (each: string) => [
          ...[each, `<${each}>`, each.toUpperCase(), `Somebody Else <${each}>`],
        ];
        const told = await tellOf(formsOf(address), field);
        expect([at, told]).toEqual([at, await tellOf(formsOf("unknown@example.net"), field)]);
        expect(told.data).toEqual(whole.data);
        // With a name, the answer is the one for the name, whether the address is theirs or not.
        for (const name of [`Person${at} Sample${at}`, `Person${other} Sample${other}`]) {
          const named = await tellOf([`${name} <${address}>`], field);
          const unknown = await tellOf([`${name} <unknown@example.net>`], field);
          expect([at, named]).toEqual([at, unknown]);
        }
      }
    }
  }, 300_000);

  test("are never named, whichever drawn commit they send under whichever name", async () => {
    const { modules } = roster;
    const draw = createRandom(drawSeed("authors of changes"));
    const pick = <One>(some: readonly One[]) => some[Math.floor(draw() * some.length)] as One;
    const caller = { ...roster.modules.accounts.operator, requestId: "req_test" };
    let named = 0;
    for (let round = 0; round < rounds; round++) {
      const author = pick(people);
      const { login, formerLogins = [], accounts = [], emails, otherNames = [] } = author;
      const name = pick([author.profile.name ?? "", ...otherNames]);
      const spelling = pick([
        ...[login, ...formerLogins, ...accounts.map((one) => `${one.forge}/${one.login}`)],
        ...emails.flatMap(({ address }) => [address, `${name} <${address}>`]),
        `${name} <unknown@example.net>`,
      ]);
      // What the author works on, where they would stand first.
      const path = paths[(Number(login.slice("dev-".length)) * 5 + Math.floor(draw() * 5)) % 200];
      const field = pick(fields);
      const request = { repository, paths: [path ?? ""], [field]: [spelling], limit: 3 };
      const answer = (await whoKnows.run(request, modules, caller)) as WhoData;
      named += answer.people.length;
      if (answer.people.some((one) => one.login === login)) {
        expect([spelling, path, login]).toEqual([]);
      }
    }
    expect(named).toBe(3 * rounds);
  }, 300_000);

  test("that are no names at all are refused", async () => {
    for (const field of fields) {
      const change = { repository, paths: paths.slice(0, 1), [field]: ["<<x>"] };
      const { status, body } = await ask(change);
      expect(status).toBe(400);
      expect(body.error.message).toBe(
        `${field}: "<<x>" is not a login, account, e-mail or Name <e-mail>`,
      );
    }
  });
});

describe("an author at a glance", () => {
  const tell = async (given: string, { administrator = true } = {}) => {
    const change = { repository, paths: paths.slice(0, 1), authors: [given] };
    const { body } = await ask(change, { administrator });
    const { authors = [], historyStart } = body.data;
    return { author: authors[0], authors, historyStart };
  };
  const newcomer = "Nia Newcomer <nia@example.net>";

  test("has what a question about the whole repository says of them", async () => {
    const whole = await ask({ repository, limit: 50 });
    for (const person of whole.body.data.people.slice(0, 5)) {
      const at = person.login.slice("dev-".length);
      const { author } = await tell(`dev${at}@example.com`, { administrator: false });
      const { commits, assisted, reviews, first } = person.evidence;
      expect(author).toMatchObject({ standing: "known", login: person.login, name: person.name });
      expect(author).toMatchObject({ commits, assisted, reviews, first });
      const folders = author?.folders ?? [];
      expect(folders.length).toBeGreaterThan(0);
      for (const { path, share } of folders) {
        const files = paths.filter((one) => one.replace(/\/?[^/]*$/, "") === path);
        expect([path, files.length > 0, share >= 0.1]).toEqual([path, true, true]);
      }
    }
  });

  test("who is given twice, or by two names, is described once", async () => {
    const change = { repository, paths: paths.slice(0, 1) };
    const given = ["dev1@example.com", "dev-1", newcomer, newcomer];
    const { body } = await ask({ ...change, authors: given }, { administrator: true });
    expect(body.data.authors?.map(({ login, standing }) => [login, standing])).toEqual([
      ["dev-1", "known"],
      [undefined, "new"],
    ]);
  });

  test("is new if nobody of that address was read, as far as the caller may know", async () => {
    expect((await tell(newcomer)).author).toEqual({ given: newcomer, standing: "new" });
    expect((await tell(newcomer, { administrator: false })).author?.standing).toBe("unknown");
    // An account says nothing of commits, and a name is no proof.
    for (const given of ["forge.example.com/nobody", "@nobody", "Nia Newcomer"])
      expect([given, (await tell(given)).author?.standing]).toEqual([given, "unknown"]);
    // Somebody whom Roster knows from elsewhere.
    const elsewhere = await tell("ada-example", { administrator: false });
    expect(elsewhere.author).toMatchObject({ standing: "new", login: "ada-example" });
  });

  test("says so if only the name is known, and names none of several", async () => {
    const { author } = await tell("Person3 Sample3 <else@example.net>");
    expect(author).toMatchObject({ standing: "known", login: "dev-3", isByName: true });
    expect((await tell("dev3@example.com")).author?.isByName).toBeUndefined();
  });

  test("is a bot if it is known as one, or called one as forges call theirs", async () => {
    const bot = "renovate[bot] <29139614+renovate[bot]@users.noreply.github.com>";
    expect((await tell(bot, { administrator: false })).author?.standing).toBe("bot");
    const known = inventedPeople.find((one) => one.class === "bot");
    const { author } = await tell(known?.login ?? "");
    expect(author).toMatchObject({ standing: "bot", login: known?.login });
  });

  test("is not called new where the history was cut off, or may have been", async () => {
    try {
      await storeAs(false);
      const cut = await tell(newcomer);
      expect(cut.author?.standing).toBe("unknown");
      expect(cut.historyStart).toMatch(/^20\d\d-/);
      expect((await tell("ada-example")).author?.standing).toBe("unknown");
      expect((await tell("dev-1")).author?.standing).toBe("known");
      // As an earlier version stored it.
      await storeAs(undefined);
      const old = await tell(newcomer);
      expect([old.author?.standing, old.historyStart]).toEqual(["unknown", undefined]);
    } finally {
      await storeAs(true);
    }
    expect((await tell(newcomer)).historyStart).toBeUndefined();
  });

  test("is not called new where the history ends long ago", async () => {
    const change = { repository, paths: paths.slice(0, 1), authors: [newcomer] };
    const { body } = await ask({ ...change, asOf: "2028-01-01" }, { administrator: true });
    expect(body.data.historyEnd).toBeString();
    expect(body.data.authors?.[0]?.standing).toBe("unknown");
  });

  test("is told of no question but of a change's repository, and left out all the same", async () => {
    const { body } = await ask({ paths: [], authors: [newcomer] });
    expect(body.data.authors).toBeUndefined();
  });
});

describe("a change", () => {
  test("of new files alone is answered by the people of their folder, and says so", async () => {
    const folder = (paths[0] ?? "").replace(/\/[^/]*$/, "");
    const { status, body } = await ask({ repository, paths: [`${folder}/deep/er/new.ts`] });
    expect(status).toBe(200);
    expect(body.data.unknownPaths).toEqual([`${folder}/deep/er/new.ts`]);
    expect(body.data.isChange).toBe(true);
    const [first] = body.data.people;
    expect(first?.reasons.join(" ")).toMatch(/ nearby\./);
    expect(first?.evidence.commits).toBe(0);
    expect(first?.evidence.first).toBeUndefined();
  });

  test("of files and folders that history does not have is refused, unless it says that they are new", async () => {
    const { status, body } = await ask({ repository, paths: ["M none.ts", "none/at/all.ts"] });
    expect(status).toBe(404);
    expect(body.error.message).toBe(
      `paths: ${repository} has had none of these files or folders: "M none.ts"`,
    );
    const added = await ask({ repository, paths: ["./new.ts", "./new/folder.ts"] });
    expect(added.status).toBe(200);
    expect(added.body.data.unknownPaths).toEqual(["new.ts", "new/folder.ts"]);
    expect(added.body.data.people.length).toBeGreaterThan(0);
  });

  test("of nothing is an empty answer, and with a repository a question about that", async () => {
    const { status, body } = await ask({ paths: [], limit: 3 });
    expect([status, body.data.people, body.data.total]).toEqual([200, [], 0]);
    const whole = await ask({ repository, paths: [] });
    expect(whole.body.data.isChange).toBeUndefined();
    expect(whole.body.data.files).toBe(200);
  });

  test("says of each person the accounts, and what they know of its files", async () => {
    const { body } = await ask({ repository, paths: paths.slice(0, 5), limit: 50 });
    const [first] = body.data.people;
    const at = first?.login.slice("dev-".length);
    expect(first?.accounts).toEqual([
      `forge.example.com/acc-${at}`,
      `other.example.org:3000/alias-${at}`,
    ]);
    const known = body.data.people.flatMap(({ files = [] }) => files);
    expect(known.length).toBeGreaterThan(3);
    expect(known.every(({ path, share }) => paths.includes(path) && share > 0 && share <= 1)).toBe(
      true,
    );
    const scores = body.data.people.reduce((sum, { score }) => sum + score, 0);
    expect(scores).toBeGreaterThan(95);
    expect(scores).toBeLessThan(103);
  });

  test("names first who worked on its files and is active, and says what each did lately", async () => {
    for (const path of isLong ? paths : paths.slice(0, 30)) {
      const { body } = await ask({ repository, paths: [path], limit: 50, ignoreLoad: true });
      const { people } = body.data;
      const isFirst = ({ evidence, isActive }: (typeof people)[number]) =>
        isActive === true && evidence.commits + evidence.reviews > 0;
      const order = people.map((person) => (isFirst(person) ? "first" : "other"));
      expect(order).toEqual([...order].sort());
      const scores = people.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      const lately =
        /^(No work|\d+ reviews?|\d+ commits?).* in the repository in the last 90 days\.$/;
      for (const { reasons } of people) {
        expect(reasons.filter((reason) => lately.test(reason))).toHaveLength(1);
      }
    }
  });

  test("and any other question names only who was active since a day", async () => {
    for (const asked of [{ paths: paths.slice(0, 1) }, { path: paths[0] }]) {
      const all = await ask({ repository, ...asked, limit: 50 });
      const since = "2026-08-01";
      const some = await ask({ repository, ...asked, limit: 50, activeSince: since });
      expect(some.body.data.total).toBeLessThan(all.body.data.total);
      expect(some.body.data.people.length).toBeGreaterThan(0);
      expect(some.body.data.people.every(({ lastActive }) => lastActive >= since)).toBe(true);
    }
  });
});

describe("an author who was erased", () => {
  test("is not known here, and no unknown author is called new any more", async () => {
    const erased = "dev39@work.example.org";
    const newcomer = "nia@example.net";
    const tell = async () => {
      const change = { repository, paths: paths.slice(0, 1), authors: [erased, newcomer] };
      const { body } = await ask(change, { administrator: true });
      return body.data.authors?.map(({ given, ...told }) => told);
    };
    expect((await tell())?.map(({ standing }) => standing)).toEqual(["known", "new"]);
    await roster.modules.pool.erasing.hide(erased);
    expect(await tell()).toEqual([{ standing: "unknown" }, { standing: "unknown" }]);
  });
});
