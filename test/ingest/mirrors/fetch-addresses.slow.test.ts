/** Mirrors of addresses, by git's own server over HTTP, by ssh and from files. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseGitAddress } from "../../../src/contract/git-address.ts";
import {
  type AddressAccess,
  type AddressRequest,
  checkRepository,
  fetchAddresses,
} from "../../../src/ingest/mirrors/fetch-addresses.ts";
import { serveDouble } from "../forges/double.ts";
import { serveHostileGit } from "../forges/hostile-git.ts";
import { hasOpenssl, makeAuthority } from "../forges/tls.ts";
import { inventRepository, run } from "../git/invented-repository.ts";
import { answerGit, serveGit } from "./serve-git.ts";
import { hasSshd, openSshDouble, type SshWay, serveSsh } from "./serve-ssh.ts";

const token = "token-that-nobody-may-see";
const asToken = `Basic ${btoa(`x-access-token:${token}`)}`;
let folder: string;
let root: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "roster-addresses-"));
  root = join(folder, "server");
  home = join(folder, "addresses");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const add = (name: string, commits: number) =>
  inventRepository(
    join(root, `${name}.git`),
    Array.from({ length: commits }, () => ({})),
  );
const request = (url: string, more: Partial<AddressRequest> = {}): AddressRequest => ({
  address: parseGitAddress(url, ["http", "file"]),
  ...more,
});
const withToken = { readToken: () => token };
const fetchAll = async (
  urls: readonly (string | AddressRequest)[],
  more: Partial<AddressAccess> = {},
) => {
  const mirrors = await fetchAddresses(
    urls.map((one) => (typeof one === "string" ? request(one) : one)),
    { home, onProgress: () => {}, ...more },
  );
  const refused = [...mirrors.values()].filter((one) => "reason" in one);
  return { paths: [...mirrors.keys()], refused };
};
const reasons = async (...given: Parameters<typeof fetchAll>) =>
  (await fetchAll(...given)).refused.map(({ reason }) => reason);
const countCommits = (path: string) => Number(run(path, ["rev-list", "--count", "HEAD"]));
const userOf = (...path: readonly string[]) => {
  const own = join(folder, "home");
  mkdirSync(own, { recursive: true });
  return { HOME: own, PATH: [...path, process.env["PATH"]].join(":") };
};

describe("a mirror of an address", () => {
  test("is bare, stores its address, takes only what is new, and stays when the server fails", async () => {
    await using server = serveGit(root);
    const source = add("acme/tool", 2);
    const url = `${server.url}/acme/tool`;
    const { paths, refused } = await fetchAll([url]);
    const [path = ""] = paths;
    expect([refused, countCommits(path)]).toEqual([[], 2]);
    expect(path).toBe(join(home, `127.0.0.1+${new URL(server.url).port}/acme/tool.git`));
    expect(run(path, ["remote", "get-url", "origin"]).toString().trim()).toBe(url);
    const first = server.asked.length;
    await fetchAll([url]);
    expect(server.asked.length - first).toBeLessThan(first);
    rmSync(source, { recursive: true });
    add("acme/tool", 5);
    await fetchAll([url]);
    expect(countCommits(path)).toBe(5);
    rmSync(source, { recursive: true });
    expect(await reasons([url])).toEqual([expect.stringContaining("shows no repository there.")]);
    expect(countCommits(path)).toBe(5);
  });

  test("is fetched with a token, with git's own helper, or not at all", async () => {
    add("acme/tool", 1);
    await using server = serveGit(root, asToken);
    const url = `${server.url}/acme/tool.git`;
    const { host } = new URL(url);
    expect(await reasons([url])).toEqual([`${host} shows no repository there without a token.`]);
    const wrong = request(url, { readToken: () => "wrong" });
    expect(await reasons([wrong])).toEqual([
      `${host} refuses the token, or the token may not read this repository.`,
    ]);
    expect(existsSync(join(home, request(url).address.place))).toBe(false);
    expect(await reasons([request(url, withToken)])).toEqual([]);
    rmSync(home, { recursive: true });
    const userEnvironment = userOf();
    const settings = join(userEnvironment.HOME, ".config/git/config");
    const passwords = join(userEnvironment.HOME, "passwords");
    mkdirSync(join(settings, ".."), { recursive: true });
    // Another setting of the user's has no effect: it would send git to another server.
    const elsewhere = `[url "http://127.0.0.1:1/"]\n\tinsteadOf = ${server.url}/\n`;
    const helper = `[credential "${server.url}"]\n\thelper = store --file '${passwords}'\n\tuseHttpPath\n`;
    writeFileSync(settings, `${elsewhere}[credential]\n\thelper =\n${helper}`);
    writeFileSync(passwords, `http://x-access-token:${token}@${host}/acme/tool.git\n`);
    expect(await reasons([url], { userEnvironment })).toEqual([]);
    // Nobody's helper is asked without the user's environment.
    rmSync(home, { recursive: true });
    expect(await reasons([url])).toHaveLength(1);
  });

  test("is fetched although the server redirects to the same address with .git, but no redirect is followed", async () => {
    add("acme/tool", 1);
    await using server = serveDouble((asked) => {
      const { pathname } = new URL(asked.url);
      return pathname.startsWith("/acme/tool/")
        ? Response.redirect(asked.url.replace("/acme/tool/", "/acme/tool.git/"), 301)
        : answerGit(root, asked);
    });
    const { paths, refused } = await fetchAll([`${server.url}/acme/tool`]);
    expect([refused, countCommits(paths[0] ?? "")]).toEqual([[], 1]);
    await using moved = serveDouble((asked) =>
      Response.redirect(asked.url.replace("/old", "/acme/tool"), 302),
    );
    const { host } = new URL(moved.url);
    expect(await reasons([`${moved.url}/old.git`])).toEqual([
      `${host} sends to another address, and no redirect is followed.`,
    ]);
  });

  test("of a file is fetched, and an empty one is not", async () => {
    const { paths } = await fetchAll([`file://${add("tool", 3)}`]);
    expect(countCommits(paths[0] ?? "")).toBe(3);
    expect((await fetchAll([`file://${add("empty", 0)}`])).refused).toMatchObject([
      { reason: "it is empty, or its HEAD names no commit.", isEmpty: true },
    ]);
    expect(await reasons([`file://${join(root, "gone")}`])).toEqual([
      "this machine shows no repository there.",
    ]);
  });

  test("needs a host that exists, answers, and is trusted", async () => {
    expect(await reasons(["http://nobody.invalid/a/b", "http://127.0.0.1:1/a/b"])).toEqual([
      "no host has the name nobody.invalid.",
      "127.0.0.1:1 cannot be reached.",
    ]);
    if (!hasOpenssl) return;
    add("acme/tool", 1);
    const { tls, caFile } = makeAuthority(folder);
    await using server = serveGit(root, undefined, tls);
    const url = `${server.url.replace("127.0.0.1", "localhost")}/acme/tool`;
    const [reason] = await reasons([url]);
    expect(reason).toEndWith("is not trusted.");
    expect(await reasons([url], { authorities: readFileSync(caFile, "utf8") })).toEqual([]);
    expect(await reasons([url], { environment: { GIT_SSL_CAINFO: caFile } })).toEqual([]);
  });

  test("is asked for by a check, which stores nothing", async () => {
    add("acme/tool", 1);
    await using server = serveGit(root, asToken);
    const url = `${server.url}/acme/tool`;
    const { address } = request(url);
    expect(await checkRepository(address, token, { home })).toBe(url);
    await expect(checkRepository(address, undefined, { home })).rejects.toThrow("could not read");
    expect([...new Bun.Glob("**/*").scanSync(home)]).toEqual([]);
  });
});

describe("limits", () => {
  test("a silent server is asked three times in a run, a pack without an end stops at its size", async () => {
    await using silent = await serveHostileGit("silent");
    const five = ["a", "b", "c", "d", "e"].map((name) => `${silent.url}/acme/${name}.git`);
    const said = await reasons(five, { silenceMs: 1000 });
    const { host } = new URL(silent.url);
    expect(said).toEqual(Array(5).fill(`${host} does not answer in time.`));
    expect(silent.state.asked).toBe(3);
    await using endless = await serveHostileGit("endless");
    const large = request(`${endless.url}/acme/a.git`);
    expect(await reasons([large], { megabytes: 3 })).toEqual(["it is larger than the limit."]);
    expect(existsSync(join(home, large.address.place))).toBe(false);
    await using trickling = await serveHostileGit("trickling");
    expect(await reasons([`${trickling.url}/a/b.git`], { timeoutMs: 2000 })).toEqual([
      `${new URL(trickling.url).host} does not answer in time.`,
    ]);
  });

  test("a stop leaves the mirror as it was, and the next run goes on", async () => {
    const url = `file://${add("tool", 2)}`;
    const [path = ""] = (await fetchAll([url])).paths;
    await using endless = await serveHostileGit("endless");
    const stop = new AbortController();
    const fetching = fetchAll([url, `${endless.url}/a/b.git`], { signal: stop.signal });
    while (endless.state.sent < 5_000_000) await Bun.sleep(20);
    stop.abort(new Error("stopped"));
    await expect(fetching).rejects.toThrow("stopped");
    expect([...new Bun.Glob("**/tmp_*").scanSync({ cwd: home, dot: true })]).toEqual([]);
    rmSync(join(root, "tool.git"), { recursive: true });
    add("tool", 3);
    expect((await fetchAll([url])).refused).toEqual([]);
    expect(countCommits(path)).toBe(3);
  });

  test("two runs do not fetch at the same time", async () => {
    const url = `file://${add("tool", 2)}`;
    await using slow = await serveHostileGit("trickling");
    const stop = new AbortController();
    const first = fetchAll([`${slow.url}/a/b.git`], { signal: stop.signal });
    while (slow.state.asked < 2) await Bun.sleep(20);
    const heard: string[] = [];
    const second = fetchAddresses([request(url)], {
      home,
      onProgress: (what) => {
        heard.push(what);
        stop.abort(new Error("stopped"));
      },
    });
    await expect(first).rejects.toThrow("stopped");
    expect([...(await second).values()]).toMatchObject([{ path: url, kind: "folder" }]);
    expect(heard[0]).toStartWith("waiting: another run updates the mirrors");
  });
});

const ways: readonly (readonly [name: string, open: () => SshWay | Promise<SshWay>])[] = [
  ["git's documented transport", () => openSshDouble(join(folder, "ssh"))],
  ...(hasSshd ? [["a real server", () => serveSsh(join(folder, "ssh"))] as const] : []),
];

describe.each(ways)("ssh, by %s", (_, open) => {
  test("fetches by both forms of an address, asks nothing, and forwards nothing", async () => {
    const source = add("acme/tool", 2);
    await using ssh = await open();
    const userEnvironment = { ...userOf(ssh.path), SSH_AUTH_SOCK: "/nowhere" };
    const { paths, refused } = await fetchAll([`${ssh.server}${source}`], { userEnvironment });
    expect([refused, countCommits(paths[0] ?? "")]).toEqual([[], 2]);
    const asked = ssh.asked();
    for (const option of [
      "BatchMode=yes",
      "ForwardAgent=no",
      "ClearAllForwardings=yes",
      "ControlPath=none",
    ]) {
      expect(asked).toContain(option);
    }
    expect(asked).toContain(`git-upload-pack '${source}'`);
    expect(await reasons([`${ssh.server}${join(root, "gone.git")}`], { userEnvironment })).toEqual([
      expect.stringContaining("shows no repository there."),
    ]);
  });
});

test("ssh takes the short form of an address", async () => {
  const source = add("acme/tool", 2);
  await using ssh = openSshDouble(join(folder, "ssh"));
  const { paths, refused } = await fetchAll([`git@git.example.com:${source}`], {
    userEnvironment: userOf(ssh.path),
  });
  expect([refused, countCommits(paths[0] ?? "")]).toEqual([[], 2]);
  expect(ssh.asked()).toContain("git@git.example.com");
});

test("without ssh, its addresses are refused in words", async () => {
  const userEnvironment = { HOME: folder, PATH: folder };
  expect(await reasons(["git@git.example.com:a/b"], { userEnvironment })).toEqual([
    "ssh is not installed: ssh addresses need it.",
  ]);
});

test.skipIf(!hasSshd)("ssh says that it does not know the host, or the host the user", async () => {
  const source = add("acme/tool", 1);
  await using stranger = await serveSsh(join(folder, "stranger"), { host: false });
  await using closed = await serveSsh(join(folder, "closed"), { user: false });
  const ask = async (ssh: SshWay) => {
    const { refused } = await fetchAll([`${ssh.server}${source}`], {
      userEnvironment: userOf(ssh.path),
    });
    return refused[0]?.reason.replace(/127\S+/, "HOST");
  };
  expect(await ask(stranger)).toBe("ssh does not know the key of HOST");
  expect(await ask(closed)).toBe("HOST refuses the ssh keys of this user.");
});
