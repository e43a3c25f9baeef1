/** Two who become one person: the login, the logins of before, what others said of them, and who was forgotten. */
import { describe, expect, test } from "bun:test";
import type { Facts } from "../../../src/contract/people/facts.ts";
import { deriveLogin } from "../../../src/identity/derived-login.ts";
import { eraseFromHistories } from "../../../src/ingest/git/erase/erase-histories.ts";
import {
  compareRecount,
  ingestGit,
  isRecountPending,
  openLedger,
  readOperatorFiles,
} from "../../../src/ingest/ingest.ts";
import { ben, openInventor } from "./invented-repository.ts";
import { judgeAsOf, openData as openInMemory } from "./opened-data.ts";
import { asOf, vocabulary } from "./read.ts";

const judge = judgeAsOf(asOf);
const name = "Quillona Forgetmenot";
const atHome = `${name} <quillona@home.example.com>`;
const atWork = `${name} <q.forgetmenot@work.example.org>`;
const onForge = `${name} <12+quillona@users.noreply.github.com>`;
const homeLogin = deriveLogin({ name, email: "quillona@home.example.com" });
const workLogin = deriveLogin({ name, email: "q.forgetmenot@work.example.org" });

const invent = openInventor();
const by = (...authors: readonly string[]) => invent(authors.map((author) => ({ author })));

type ByName = "repository" | "off";
const filesOf = (names: ByName) =>
  readOperatorFiles({ aliasFile: undefined, classFile: undefined, names });

function openData() {
  const { pool, ledger, all, ...opened } = openInMemory();
  const ingest = (paths: readonly string[], names: ByName = "repository") =>
    opened.ingest(paths, { files: filesOf(names) });
  const loginBehind = async (login: string) => (await pool.findCards([login]))[0]?.login;
  return { pool, ledger, ingest, all, loginBehind };
}

describe("a joined person", () => {
  test("has the login of the address with most commits, and answers to the others", async () => {
    const { pool, ingest, all, loginBehind } = openData();
    await ingest([by(atHome, atWork, atWork, ben)]);
    const person = (await all()).find(({ login }) => login === workLogin);
    expect(person).toMatchObject({ formerLogins: [homeLogin], derivedLogin: true });
    expect(await loginBehind(homeLogin.toUpperCase())).toBe(workLogin);
    expect((await pool.findAnalyses([homeLogin]))[0]?.profile.login).toBe(workLogin);
    expect((await pool.findStoredDeveloper(homeLogin))?.facts.login).toBe(workLogin);
  });

  test("keeps the login of a forge account, however few its commits are", async () => {
    const { ingest, all } = openData();
    await ingest([by(atWork, atWork, atHome, onForge)]);
    expect((await all())[0]).toMatchObject({
      login: "quillona",
      formerLogins: [homeLogin, workLogin].sort(),
    });
  });

  test("has the login of an own address, whatever was relayed more often", async () => {
    const { ingest, all } = openData();
    const relayed = `${name} via Forge <noreply@forge.example.com>`;
    await ingest([by(relayed, relayed, relayed, atHome)]);
    expect(await all()).toMatchObject([
      { login: homeLogin, formerLogins: [expect.stringContaining("-via-forge-")] },
    ]);
  });

  test("answers to no login that somebody else has, or had", async () => {
    const { ingest, all, loginBehind } = openData();
    // Two accounts of one login at two forges: the second one's has the host with it.
    const elsewhere = "Someone Else <7-quillona@users.noreply.gitlab.com>";
    await ingest([by(onForge, atHome, elsewhere)]);
    expect(
      (await all()).flatMap(({ login, formerLogins = [] }) => [login, ...formerLogins]).sort(),
    ).toEqual([homeLogin, "quillona", "quillona@gitlab.com"].sort());
    expect(await loginBehind("quillona")).toBe("quillona");
  });
});

describe("a recount by other rules", () => {
  test("is shown before, in both directions", async () => {
    const { pool, ledger, ingest } = openData();
    await ingest([by(atHome, atWork, atWork, ben)], "off");
    const sources = { ledger, pool, asOf };
    const revision = await pool.revision();
    const changes = await compareRecount({ ...sources, files: filesOf("repository") });
    const was = [homeLogin, workLogin].sort();
    expect(changes).toMatchObject({ joined: [{ login: workLogin, was }], split: [] });
    expect(changes.joined[0]?.evidence).toMatchObject([{ evidence: "same name" }]);
    expect(await pool.revision()).toBe(revision);
    await ingest([]);
    const back = await compareRecount({ ...sources, files: filesOf("off") });
    expect(back).toMatchObject({ joined: [], split: [{ login: workLogin, into: was }] });
  });

  test("is due after an upgrade, and still after an erasure", async () => {
    const { pool, ledger, ingest } = openData();
    await ingest([by(atHome, ben)]);
    const files = filesOf("repository");
    const newer = { ...ledger, edition: "newer/4" };
    expect(await isRecountPending({ ledger: newer, pool, files })).toBe(true);
    await eraseFromHistories(ledger, { isTheirLogin: () => false, isTheirs: () => false });
    expect(await isRecountPending({ ledger: newer, pool, files })).toBe(true);
  });

  test("takes along what a file said of the login that is given up", async () => {
    const { pool, ingest, all } = openData();
    await ingest([by(atHome, atWork, atWork)], "off");
    const stored = (await all()).find(({ login }) => login === homeLogin) as Facts;
    const load = await pool.beginImport("import");
    await load.put([judge({ ...stored, profile: { ...stored.profile, location: "Berlin" } })]);
    await load.commit();
    await ingest([]);
    const [person, ...others] = await all();
    expect(others).toEqual([]);
    expect(person).toMatchObject({ login: workLogin, profile: { name, location: "Berlin" } });
    const before = JSON.stringify(await all());
    await ingest([by(ben)]);
    expect(JSON.stringify((await all()).find(({ login }) => login === workLogin))).toBe(
      before.slice(1, -1),
    );
  });
});

describe("a forgotten person's namesake", () => {
  const forget = async ({ pool, ledger }: ReturnType<typeof openData>, subject: string) => {
    await pool.erasing.hide(subject);
    const { holdsAuthorIdentity } = await pool.erasing.suppression();
    await eraseFromHistories(ledger, {
      isTheirLogin: () => false,
      isTheirs: ({ name, email, rawEmail }) =>
        [email, rawEmail].some((one) => holdsAuthorIdentity({ name, email: one })),
    });
  };

  for (const [first, second] of [
    [atHome, atWork],
    [atWork, atHome],
  ] as const) {
    const [gone, stays] = first === atHome ? [homeLogin, workLogin] : [workLogin, homeLogin];

    test(`stays as they are, and revives nobody: ${gone} forgotten, ${stays} comes later`, async () => {
      const data = openData();
      const { ingest, all } = data;
      await ingest([by(first, first, ben)]);
      await forget(data, gone);
      await ingest([by(first, second, second, ben)]);
      const people = await all();
      expect(people.map(({ login }) => login)).toContain(stays);
      expect(JSON.stringify(people)).not.toContain(first.slice(first.indexOf("<") + 1, -1));
      expect(JSON.stringify(people)).not.toContain(gone);
      expect(people.find(({ login }) => login === stays)?.commits?.total).toBe(2);
    });

    test(`stays when both were there before the names joined: ${gone} forgotten`, async () => {
      const data = openData();
      const { pool, ingest, all } = data;
      const path = by(first, second, second, ben);
      await ingest([path], "off");
      await forget(data, gone);
      // As if the ledger were lost, too: everything is read again, by the rules that join.
      await ingestGit({
        ...{ paths: [path], modelVersion: "1", pool, judge, vocabulary, asOf },
        ledger: openLedger(":memory:", { version: "test", now: () => new Date(asOf) }),
        files: filesOf("repository"),
      });
      const people = await all();
      expect(people.find(({ login }) => login === stays)?.commits?.total).toBe(2);
      expect(JSON.stringify(people)).not.toContain(gone);
    });
  }

  test("a joined person is forgotten with every address and login, and none comes back", async () => {
    const data = openData();
    const { pool, ingest, all } = data;
    const path = by(atHome, atWork, atWork, onForge, ben);
    await ingest([path]);
    await forget(data, homeLogin);
    expect((await all()).map(({ profile }) => profile.name)).toEqual(["Ben Sample"]);
    for (const login of [homeLogin, workLogin, "quillona"]) {
      expect(await pool.erasing.receiptsOf(login)).toHaveLength(1);
    }
    for (const author of [atHome, atWork, onForge]) await ingest([by(author, ben)]);
    expect(JSON.stringify(await all())).not.toMatch(/quillona|forgetmenot/i);
  });

  test("whoever a mailmap gives a new address does not come back under it, in whatever order", async () => {
    const mailmap = `${name} <quillona@new.example.org> <quillona@home.example.com>\n`;
    const mapped = [{ author: atHome }, { author: ben, files: { ".mailmap": mailmap } }];
    const later = [{ author: `Q. <quillona@new.example.org>` }, { author: ben }];
    for (const runs of [
      [mapped, later],
      [later, mapped],
    ]) {
      const data = openData();
      const { pool, ingest, all } = data;
      await ingest([by(atHome, ben)]);
      await forget(data, homeLogin);
      for (const commits of runs) await ingest([invent(commits)]);
      expect(JSON.stringify(await all())).not.toMatch(/quillona/i);
      expect(await pool.erasing.receiptsOf("quillona@new.example.org")).toHaveLength(1);
    }
  });
});
