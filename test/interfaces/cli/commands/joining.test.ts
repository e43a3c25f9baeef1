/** What an operator sees of two who become one: before, at it, after it, and when they are forgotten. */
import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { deriveLogin } from "../../../../src/identity/derived-login.ts";
import { ben, inventRepository } from "../../../ingest/git/invented-repository.ts";
import { openCommandLine } from "../command-line.ts";

const name = "Quillona Forgetmenot";
const home = "quillona@home.example.com";
const work = "q.forgetmenot@work.example.org";
const homeLogin = deriveLogin({ name, email: home });
const workLogin = deriveLogin({ name, email: work });
const onForge = `${name} <12+quillona@users.noreply.github.com>`;

const asked: string[] = [];
const answers: string[] = [];
const line = openCommandLine();
const attended = openCommandLine(undefined, async (question) => {
  asked.push(question);
  return answers.shift() ?? "";
});
const data = ["--data", line.folder];
const run = (...argv: string[]) => line.run(...argv, "--data", line.folder);
const json = (...argv: string[]) => line.json(...argv, "--data", line.folder);
const authors = [`${name} <${home}>`, `${name} <${work}>`, `${name} <${work}>`, onForge, ben];
const path = join(line.folder, "..", "tool");
const repository = inventRepository(
  path,
  authors.map((author) => ({ author })),
);
await json("ingest", "git", repository, "--identity-names", "off");
afterAll(() => {
  line.close();
  attended.close();
});

test("doctor says that a recount is due, and --diff what it would change", async () => {
  const { out, err } = await run("doctor");
  expect(out).toContain("people were counted with older identity rules");
  expect(err).toContain("roster ingest git --diff");
  expect(await json("ingest", "git", "--diff")).toMatchObject({
    joined: [{ login: "quillona", was: [homeLogin, workLogin, "quillona"].sort() }],
    split: [],
  });
  const shown = await run("ingest", "git", "--diff");
  expect(shown.out).toContain(
    `one, who was ${[homeLogin, workLogin, "quillona"].sort().join(", ")}`,
  );
  expect(shown.out).toContain("same name");
  expect(shown.err).toContain("Nothing was written");
  expect((await run("ingest", "git", "--diff", "somewhere")).code).toBe(2);
  expect((await run("get", workLogin)).out).toContain(workLogin);
});

test("a server says so in its log at the start, and changes nothing by itself", async () => {
  const { openTestAppliance } = await import("../../../appliance.ts");
  const server = await openTestAppliance({ ...{ folder: line.folder, people: [] } });
  expect(server.log()).toContain("roster ingest git --diff");
  expect((await server.client.get(workLogin)).body.data.username).toBe(workLogin);
  await server.close();
});

test("ingest git without paths counts anew, and says how many joined with others", async () => {
  const { code, err } = await run("ingest", "git");
  expect([code, err]).toEqual([0, expect.stringContaining("0 removed, 2 joined with others")]);
  const { out } = await run("doctor");
  expect(out).not.toContain("people were counted with older identity rules");
});

test("every earlier login leads to the same person, at every command", async () => {
  for (const login of [homeLogin, workLogin, "quillona"]) {
    expect(await json("get", login)).toMatchObject({ data: { username: "quillona" } });
    expect(await json("explain", login)).toMatchObject({ login: "quillona" });
    expect(await json("find", login)).toMatchObject({
      data: { total: 1, results: [{ login: "quillona" }] },
    });
  }
  expect((await run("find", work)).out).toContain("e-mail");
  expect((await run("find", "nobody at all")).err).toContain("Nobody has this name.");
});

test("identity list and person export name every address, account and former login", async () => {
  const formerLogins = [homeLogin, workLogin].sort();
  const addresses = ["12+quillona@users.noreply.github.com", home, work].sort();
  const accounts = ["github.com/quillona"];
  for (const argument of [[], [homeLogin], [work]]) {
    const listed = await json("identity", "list", ...argument);
    expect(listed).toMatchObject([{ login: "quillona", formerLogins, addresses, accounts }]);
  }
  const copy = (await json("person", "export", homeLogin)) as {
    ifForgotten: { of: string[] };
  };
  expect(copy).toMatchObject({ login: "quillona", formerLogins });
  expect(copy.ifForgotten.of).toEqual(
    expect.arrayContaining([`login:${homeLogin}`, `login:${workLogin}`, `email:${home}`]),
  );
});

test("former logins travel with an export", async () => {
  const file = join(line.folder, "..", "people.jsonl");
  await run("export", file);
  const other = openCommandLine();
  await other.run("import", file, "--data", other.folder);
  const got = await other.json("get", homeLogin, "--data", other.folder);
  expect(got).toMatchObject({ data: { username: "quillona" } });
  other.close();
});

test("forget asks where a name alone makes it one person, and erases nobody without an answer", async () => {
  const refused = await run("forget", workLogin);
  expect([refused.code, refused.out]).toEqual([3, ""]);
  expect(refused.err).toContain(`${name} <${work}> and ${name} <`);
  expect(refused.err).toContain("no one was erased");
  expect((await run("forget", workLogin, "--json")).code).toBe(3);
  for (const answer of ["", "no", "y"]) {
    answers.push(answer);
    expect((await attended.run("forget", workLogin, ...data)).code).toBe(3);
  }
  expect(asked).toEqual(Array(3).fill("Is all of this one person? Type yes to erase it:"));
  expect((await run("get", workLogin)).code).toBe(0);
  // Of one address, nothing is asked.
  expect((await run("forget", "ben@example.org")).code).toBe(0);
});

test("forget lists everything that it takes, and afterwards names nobody", async () => {
  const preview = await json("forget", workLogin, "--dry-run");
  expect(preview).toEqual({
    logins: ["quillona"],
    formerLogins: [homeLogin, workLogin].sort(),
    addresses: ["12+quillona@users.noreply.github.com", home, work].sort(),
    accounts: ["github.com#12", "github.com/quillona"],
    names: ["Quillona Forgetmenot"],
    joinsByName: [
      { evidence: "same name", spellings: expect.arrayContaining([expect.stringContaining(work)]) },
      { evidence: "same name", spellings: expect.arrayContaining([expect.stringContaining(home)]) },
    ].map((join) => expect.objectContaining(join)),
  });
  const { out } = await run("forget", workLogin, "--dry-run");
  expect(out).toContain(`former logins  ${[homeLogin, workLogin].sort().join(", ")}`);
  expect(out).toContain(`by name alone  ${name} <${work}> and ${name} <`);
  const receipt = await run("forget", workLogin, "--yes");
  expect(receipt.code).toBe(0);
  for (const gone of [homeLogin, workLogin, home, work, name]) expect(receipt.err).toContain(gone);
  expect(receipt.out).not.toMatch(/quillona|forgetmenot/i);
  for (const text of ["quillona", homeLogin, workLogin, home]) {
    expect((await run("get", text)).code).toBe(4);
    expect(await json("find", text)).toMatchObject({ data: { total: 0 } });
  }
  expect(existsSync(join(line.folder, "ingest.db"))).toBe(true);
});
