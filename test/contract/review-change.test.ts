/** Who should review a change, as it is asked over HTTP: its authors under any of their names, new files, and nothing at all. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { inventAuthorship } from "../../scripts/measure/invented-authorship.ts";
import type { Facts } from "../../src/contract/people/facts.ts";
import type { WhoData } from "../../src/contract/people/who-knows.ts";
import { whoKnows } from "../../src/operations/who-knows.ts";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { inventedPeople } from "../invented-people.ts";
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
    { forge: "other.example.org", login: `alias-${at}`, id: `${at}` },
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
beforeAll(async () => {
  roster = await openTestAppliance({ people: [...inventedPeople, ...people] });
  const { pool, accounts } = roster.modules;
  const made = { plan: "enterprise", callsPerDay: "unlimited" } as const;
  const boss = { ...made, email: "boss@example.com", administrator: true };
  administratorKey = (await accounts.create(boss)).key;
  memberKey = (await accounts.create({ ...made, email: "member@example.com" })).key;
  const invented = inventAuthorship({
    ...{ name: repository, commits: 2000, files: 200, people: people.map(({ login }) => login) },
  });
  paths = invented.paths;
  await pool.authorship.replace(invented.repository);
  await pool.authorship.nameAuthors(
    invented.repository.key,
    people.map(({ login }) => login),
  );
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

describe("the authors of a change", () => {
  test("are left out by every login, account, address and name", async () => {
    const first = namesOf(await ask({ repository, paths: paths.slice(0, 1) }))[0] ?? "";
    const at = first.slice("dev-".length);
    const spellings = [
      ...[first, first.toUpperCase(), `older-${at}`],
      ...[`forge.example.com/acc-${at}`, `other.example.org/alias-${at}`],
      ...[`dev${at}@example.com`, `Somebody Else <DEV${at}@example.com>`],
      ...[`${at}+acc-${at}@users.noreply.forge.example.com`],
      ...[`Person${at} Sample${at} <new-address@example.net>`, `P. Sample${at} <x@example.net>`],
      ...[`Person${at} Sample${at} <dev${at}@work.example.org>`],
    ];
    const unpublished = [
      `DEV${at}@work.example.org`,
      `Somebody Else <${at}+dev@users.noreply.example.net>`,
    ];
    for (const [each, administrator] of [
      ...spellings.flatMap((text) => [[text, false] as const, [text, true] as const]),
      ...unpublished.map((text) => [text, true] as const),
    ]) {
      const change = { repository, paths: paths.slice(0, 1), exclude: [each] };
      const named = namesOf(await ask(change, { administrator }));
      expect([each, named.includes(first), named.length]).toEqual([each, false, 10]);
    }
    for (const each of ["nobody@example.net", "New Comer <new@example.net>", "dev", "Person"]) {
      const named = namesOf(await ask({ repository, paths: paths.slice(0, 1), exclude: [each] }));
      expect([each, named[0]]).toEqual([each, first]);
    }
  });

  test("are not shown by an address that they do not publish, in whatever form it is sent", async () => {
    const change = { repository, paths: paths.slice(0, 20), limit: 50 };
    const tellOf = async (exclude: readonly string[]) => {
      const { status, body } = await ask({ ...change, exclude });
      return { status, data: body.data };
    };
    const whole = await tellOf([]);
    expect(whole.data.people.length).toBeGreaterThan(30);
    for (const at of isLong ? people.keys() : [0, 1, count - 1]) {
      const address = `dev${at}@work.example.org`;
      const other = (at + 1) % people.length;
      const forms = [address, `<${address}>`, address.toUpperCase(), `Somebody Else <${address}>`];
      expect([at, await tellOf(forms)]).toEqual([at, whole]);
      // With a name, the answer is the one for the name, whether the address is theirs or not.
      for (const name of [`Person${at} Sample${at}`, `Person${other} Sample${other}`]) {
        const named = await tellOf([`${name} <${address}>`]);
        expect([at, named]).toEqual([at, await tellOf([`${name} <unknown@example.net>`])]);
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
      const request = { repository, paths: [path ?? ""], exclude: [spelling], limit: 3 };
      const answer = (await whoKnows.run(request, modules, caller)) as WhoData;
      named += answer.people.length;
      if (answer.people.some((one) => one.login === login)) {
        expect([spelling, path, login]).toEqual([]);
      }
    }
    expect(named).toBe(3 * rounds);
  }, 300_000);

  test("that are no names at all are refused", async () => {
    const { status, body } = await ask({ repository, paths: paths.slice(0, 1), exclude: ["<<x>"] });
    expect(status).toBe(400);
    expect(body.error.message).toBe(
      'exclude: "<<x>" is no login, account, e-mail or Name <e-mail>',
    );
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
    expect(first?.reasons.join(" ")).toMatch(/to other files of the same folders\./);
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
      `other.example.org/alias-${at}`,
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
        /^(Did nothing|Reviewed \d|Wrote \d).* in the repository in the last 90 days\.$/;
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
