/** Repositories that are named by their addresses: read, read again, listed, left out and forgotten. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Double } from "../../../ingest/forges/double.ts";
import { serveHostileGit } from "../../../ingest/forges/hostile-git.ts";
import { ada, ben, inventRepository } from "../../../ingest/git/invented-repository.ts";
import { serveGit } from "../../../ingest/mirrors/serve-git.ts";
import { openCommandLine } from "../command-line.ts";

const token = "token-of-a-test";
const line = openCommandLine();
const data = ["--data", line.folder];
const at = (name: string) => join(line.folder, "..", name);
const tokenFile = at("token");
let server: Double;
let url: string;
let mirror: string;

beforeAll(() => {
  inventRepository(at("server/acme/tool.git"), [{ author: ada }, { author: ben }]);
  inventRepository(at("server/acme/other.git"), [{ author: ada }]);
  inventRepository(at("clone"), [{ author: "Cleo Case <cleo@example.com>" }]);
  writeFileSync(tokenFile, `${token}\n`);
  chmodSync(tokenFile, 0o600);
  server = serveGit(at("server"), `Basic ${btoa(`x-access-token:${token}`)}`);
  url = `${server.url}/acme/tool`;
  const { port } = new URL(url);
  mirror = join(line.folder, `mirrors/addresses/127.0.0.1+${port}/acme/tool.git`);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  line.close();
});

interface Row {
  readonly name: string;
  readonly path: string;
  readonly state: string;
  readonly commits: number;
}
const ingest = (...given: string[]) => line.run("ingest", "git", ...given, ...data);
const list = async () => {
  const rows = (await line.json("ingest", "list", ...data)) as readonly Row[];
  return rows.map(({ name, path, state, commits }) => [name, path, state, commits]);
};
const withToken = () => ["--allow", "http", "--token-file", tokenFile];

test("nonsense is refused before anything is kept", async () => {
  for (const [given, because] of [
    [[url], "must begin with https:// or ssh://, or --allow http be given"],
    [["ext::sh -c id"], "must have at most 500 letters of ASCII and no spaces"],
    [["https://ada:s3cret@h.example/a"], "must have no password"],
    [["https://s3cret@h.example/a"], "must have no password, and no user at https"],
    [["ssh://git:s3cret@h.example/a"], "must have no password"],
    [["https:ada:s3cret@h.example/a"], "must begin with https://"],
    [[at("clone"), "--allow", "http"], "--allow needs an address"],
    [["--token-file", tokenFile], "--token-file needs an address"],
    [
      ["https://a.example/x", "https://b.example/x", "--token-file", tokenFile],
      "--token-file needs https addresses of one host",
    ],
    [
      ["git@a.example:x", "--token-file", tokenFile],
      "--token-file needs https addresses of one host",
    ],
    [["https://a.example/x", "--token-file", at("none")], "the token file"],
    [[url, "--allow", "git"], "Allowed choices are http, file"],
  ] as const) {
    const { code, out, err } = await ingest(...given);
    expect([given, code, out, err]).toEqual([given, 2, "", expect.stringContaining(because)]);
    expect(err).not.toContain("s3cret");
  }
  expect(existsSync(line.folder)).toBe(false);
});

test("addresses and paths are read in one run, and listed", async () => {
  const { code, err, out } = await ingest(url, at("clone"), ...withToken());
  expect([code, err]).toEqual([0, expect.stringContaining("3 people")]);
  expect(out).toContain(url);
  expect(await list()).toEqual([
    ["acme/tool", url, "read", 2],
    ["clone", at("clone"), "read", 1],
  ]);
  const { out: shown } = await line.run("ingest", "list", ...data);
  expect(shown).toContain("path or address");
  expect(shown).toContain(`${url} `);
});

test("later runs fetch what they name: the address, the mirror, a folder above it, with the token of before", async () => {
  const push = (commits: number) => {
    rmSync(at("server/acme/tool.git"), { recursive: true });
    const made = Array.from({ length: commits }, () => ({ author: ben }));
    inventRepository(at("server/acme/tool.git"), [{ author: ada }, { author: ben }, ...made]);
  };
  for (const [commits, named] of [
    [1, [url, "--allow", "http"]],
    [2, [`${url}.git`, "--allow", "http"]],
    [3, [mirror]],
    [4, [join(line.folder, "mirrors")]],
    [5, [at("clone"), join(line.folder, "mirrors/addresses")]],
  ] as const) {
    push(commits);
    const { code } = await ingest(...named);
    expect([code, (await list())[0]?.[3]]).toEqual([0, 2 + commits]);
  }
  const asked = server.asked.length;
  await ingest(at("clone"));
  await ingest();
  expect(server.asked.length).toBe(asked);
});

test("a fetch that fails leaves its repository out, says why, and keeps its people", async () => {
  renameSync(at("server/acme/tool.git"), at("away"));
  const { code, err } = await ingest(mirror, at("clone"));
  const { host } = new URL(url);
  expect([code, err]).toEqual([
    3,
    expect.stringContaining(`left out ${url}.git: ${host} shows no repository there. Check how`),
  ]);
  expect(err).toContain("3 people");
  expect((await list())[0]?.slice(2)).toEqual(["left_out", 7]);
  renameSync(at("away"), at("server/acme/tool.git"));
  expect((await ingest(url, "--allow", "http")).code).toBe(0);
  expect((await list())[0]?.[2]).toBe("read");
});

test("a token file that is gone is told, and the next run takes another", async () => {
  renameSync(tokenFile, at("token-2"));
  const { code, err } = await ingest(mirror);
  expect([code, err]).toEqual([
    3,
    expect.stringContaining(`the token file ${tokenFile} cannot be read`),
  ]);
  const again = await ingest(url, "--allow", "http", "--token-file", at("token-2"));
  expect([again.code, (await ingest(mirror)).code]).toEqual([0, 0]);
});

test("a run that is stopped while it fetches changes nothing", async () => {
  const before = await list();
  await using silent = await serveHostileGit("silent");
  const stop = new AbortController();
  const running = line.runUntil(
    stop.signal,
    "ingest",
    "git",
    url,
    `${silent.url}/a/b.git`,
    "--allow",
    "http",
    ...data,
  );
  while (silent.state.asked === 0) await Bun.sleep(20);
  stop.abort();
  expect((await running).code).toBe(130);
  expect(await list()).toEqual(before);
  expect((await ingest(mirror)).code).toBe(0);
});

test("forgetting removes the mirror, by the address or the name", async () => {
  await ingest(
    `${server.url}/acme/other`,
    ...withToken().slice(0, 2),
    "--token-file",
    at("token-2"),
  );
  const other = mirror.replace("tool.git", "other.git");
  expect([existsSync(mirror), existsSync(other)]).toEqual([true, true]);
  const forget = (name: string) => line.run("ingest", "forget", name, "--allow-removals", ...data);
  const byAddress = await forget(`${url}.git`);
  expect([byAddress.code, byAddress.err]).toEqual([
    0,
    expect.stringContaining(`forgotten: ${url}`),
  ]);
  expect([existsSync(mirror), existsSync(other)]).toEqual([false, true]);
  expect((await forget("acme/other")).code).toBe(0);
  expect(existsSync(other)).toBe(false);
  expect((await list()).map(([name]) => name)).toEqual(["clone"]);
  const unknown = await forget(url);
  expect([unknown.code, unknown.err]).toEqual([4, expect.stringContaining("is known")]);
  // A clone is never removed.
  expect((await forget("clone")).code).toBe(0);
  expect(readFileSync(at("clone/HEAD"), "utf8")).toContain("main");
});
