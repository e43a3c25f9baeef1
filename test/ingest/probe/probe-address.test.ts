import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { probeAddress } from "../../../src/ingest/probe/probe-address.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { serveDouble } from "../forges/double.ts";
import { serveHostileGit } from "../forges/hostile-git.ts";
import { hasOpenssl, makeAuthority } from "../forges/tls.ts";
import { inventRepository, run } from "../git/invented-repository.ts";
import {
  goodToken,
  serveGiteaAt,
  serveGithubProbe,
  serveGitlabProbe,
  serveProxyTo,
} from "./forge-doubles.ts";

const newFolder = temporaryFolders();

type Options = Partial<Parameters<typeof probeAddress>[0]>;

/** Probes with the good token. What is found or said never contains a token. */
async function probe(address: string, options: Options = {}): Promise<object> {
  const home = join(newFolder(), "mirrors");
  const probed = { address, token: goodToken, home, timeoutMs: 5000, ...options };
  const finding = await probeAddress(probed);
  if (probed.token) expect(JSON.stringify(finding)).not.toContain(probed.token);
  return finding;
}
const withoutToken = { token: undefined };
const hostOf = ({ url }: { readonly url: string }) => new URL(url).host;

const refuse = (message: string, field = "address") => ({ ok: false, field, message });
const wanted =
  "Type the address of a forge, an organization or a repository, such as https://github.com/acme.";

describe("an address", () => {
  test.each([
    ["", "This is no address that Roster can ask."],
    ["not an address", "This is no address that Roster can ask."],
    ["--upload-pack=touch", "This is no address that Roster can ask."],
    [`https://${"a/".repeat(300)}`, "This is no address that Roster can ask."],
    ["https://git.example/acme%0a", "This is no address that Roster can ask."],
    ["ext::sh -c touch%20/tmp/x", "must have at most 500 letters of ASCII and no spaces"],
    ["ext::sh", "must begin with https:// or ssh://"],
    ["file:///etc", "must begin with https:// or ssh://"],
    ["git://git.example/acme/tool", "must begin with https:// or ssh://, or be USER@HOST:PATH."],
    ["ssh://-oProxyCommand=touch/acme/tool", "must have the name of a host"],
    [`https://ada:${goodToken}@git.example/acme`, "An address has no user and no password."],
    [`ada:${goodToken}@git.example/acme`, "must begin with https:// or ssh://"],
    [`ssh://ada:${goodToken}@git.example/acme/tool`, "must have no password"],
    ["169.254.169.254/acme", "169.254.169.254 is a link-local address."],
    ["http://0xA9FEA9FE/", "169.254.169.254 is a link-local address."],
    ["https://[fe80::1]/acme", "[fe80::1] is a link-local address."],
    ["https://[::ffff:169.254.1.1]/acme", "is a link-local address."],
    ["git@169.254.1.1:acme/tool", "169.254.1.1 is a link-local address."],
    // The system resolves this name to 169.254.169.254.
    ["git@2852039166:acme/tool", "2852039166 is a link-local address."],
    ["http://127.0.0.1:1/acme", "127.0.0.1:1 cannot be reached."],
    ["git.invalid/acme", "No host has the name git.invalid."],
  ])("%s is refused in words", async (address, words) => {
    const finding = await probe(address);
    expect(finding).toMatchObject({ ok: false, field: "address" });
    expect(finding).toMatchObject({ message: expect.stringContaining(words) });
  });
});

describe("a forge", () => {
  test("Gitea below a path, with the sums that it states and without those whom not everybody may see", async () => {
    await using gitea = serveGiteaAt("/forge");
    const finding = await probe(`${gitea.url}/forge/`);
    const host = gitea.url.slice("http://".length);
    expect(finding).toEqual({
      ...{ ok: true, kind: "gitea", url: `${gitea.url}/forge`, product: "Gitea 1.27.1" },
      account: "ada",
      choices: [{ select: "all", label: `Everybody at ${host}`, people: 411, repositories: 1 }],
      examples: ["acme/queue"],
    });
  });

  test("Forgejo, and one that answers only those who have a token", async () => {
    await using forgejo = serveGiteaAt("", { version: "11.0.1+gitea-1.22.0", isClosed: true });
    expect(await probe(forgejo.url)).toMatchObject({ ok: true, product: "Forgejo 11.0.1" });
    const rights = "read:user, read:organization and read:repository";
    const how = `Make one there with ${rights}, and type it here.`;
    const [host, asked] = [hostOf(forgejo), forgejo.asked.length];
    expect(await probe(forgejo.url, withoutToken)).toEqual(
      refuse(`${host} needs a token. ${how}`, "token"),
    );
    expect(await probe(forgejo.url, { token: "wrong-token" })).toEqual(
      refuse(`${host} refuses this token. ${how}`, "token"),
    );
    expect(forgejo.asked.length - asked).toBeLessThan(12);
  });

  test.each([{}, { isClosed: true }])(
    "an organization of GitHub Enterprise Server, %o",
    async (options) => {
      await using github = serveGithubProbe({ ...options, limit: "5000" });
      for (const path of ["/acme", "/orgs/acme/people", "/acme?tab=repositories#readme"]) {
        expect(await probe(`${github.url}${path}`)).toEqual({
          ...{ ok: true, kind: "github", url: github.url, account: "acme-bot" },
          ...{ product: "GitHub Enterprise Server 3.19.2", requestsPerHour: 5000 },
          choices: [{ select: "org:acme", label: "acme", people: 312, repositories: 48 }],
          examples: ["acme/app0", "acme/app1", "acme/app2", "acme/app3"],
        });
      }
    },
  );

  test("a person of GitHub, and everybody of whom it does not tell how many they are", async () => {
    await using github = serveGithubProbe();
    const person = await probe(`${github.url}/ada`);
    expect(person).toMatchObject({
      choices: [{ select: "user:ada", label: "ada", people: 1, repositories: 3 }],
    });
    expect(person).not.toHaveProperty("requestsPerHour");
    const label = `Everybody at ${hostOf(github)}`;
    expect(await probe(github.url)).toMatchObject({
      choices: [{ select: "all", label }],
      examples: [],
    });
    expect(await probe(`${github.url}/nobody`)).toEqual(
      refuse(
        `${hostOf(github)} shows nobody named nobody. Type the name of an organization or a person there.`,
      ),
    );
    expect(await probe(`${github.url}/ada`, withoutToken)).toMatchObject({ field: "token" });
  });

  test.skipIf(!hasOpenssl)(
    "github.com, through a proxy: the organizations of the account, and itself",
    async () => {
      const authority = makeAuthority(newFolder(), ["api.github.com"]);
      await using github = serveGithubProbe({ at: "/", limit: "5000", tls: authority.tls });
      await using proxy = await serveProxyTo(github.url);
      const authorities = await Bun.file(authority.caFile).text();
      const before = process.env["https_proxy"];
      process.env["https_proxy"] = proxy.url;
      try {
        const found = { ok: true, kind: "github", url: "https://github.com", product: "GitHub" };
        const of = { ...found, account: "acme-bot", requestsPerHour: 5000 };
        expect(await probe("github.com", { authorities })).toEqual({
          ...of,
          choices: [
            { select: "org:acme", label: "acme" },
            { select: "user:acme-bot", label: "acme-bot" },
          ],
          examples: [],
        });
        expect(await probe("github.com/acme", { authorities })).toMatchObject({
          ...of,
          choices: [{ select: "org:acme", label: "acme", people: 312, repositories: 48 }],
        });
        expect(await probe("github.com", { authorities, ...withoutToken })).toEqual(
          refuse(
            "github.com needs a token. Make one there with read:org, and type it here.",
            "token",
          ),
        );
        expect(proxy.asked.every((host) => host === "api.github.com:443")).toBe(true);
      } finally {
        if (before === undefined) delete process.env["https_proxy"];
        else process.env["https_proxy"] = before;
      }
    },
  );

  test("GitLab: everybody, a group in a group and a person", async () => {
    await using gitlab = serveGitlabProbe();
    const found = {
      ...{ ok: true, kind: "gitlab", url: gitlab.url, product: "GitLab 18.6.1-ee" },
      ...{ account: "ada", examples: ["acme/core/queue"] },
    } as const;
    const counts = { repositories: 1 };
    const label = `Everybody at ${hostOf(gitlab)}`;
    expect(await probe(gitlab.url)).toEqual({
      ...found,
      choices: [{ select: "all", label, people: 1250, ...counts }],
    });
    const group = { select: "group:acme/core", label: "acme/core", people: 14, ...counts };
    for (const path of ["acme/core", "groups/acme/core/-/group_members"]) {
      expect(await probe(`${gitlab.url}/${path}`)).toEqual({
        ...found,
        choices: [group],
      });
    }
    expect(await probe(`${gitlab.url}/ada`)).toMatchObject({
      choices: [{ select: "user:ada", label: "ada", people: 1, ...counts }],
    });
    const how = `${hostOf(gitlab)} needs a token. Make one there with read_api, and type it here.`;
    expect(await probe(`${gitlab.url}/acme/core`, withoutToken)).toEqual(refuse(how, "token"));
  });

  test("gets the token only once it has answered as a forge", async () => {
    await using gitlab = serveGitlabProbe();
    await probe(gitlab.url);
    const header = (name: string) => gitlab.asked.map(({ headers }) => headers.get(name));
    expect(header("authorization").filter((value) => value !== null)).toEqual([]);
    const first = header("private-token").indexOf(goodToken);
    expect(gitlab.asked.slice(0, first).map(({ url }) => new URL(url).pathname)).toEqual(
      expect.arrayContaining(["/api/v4/version"]),
    );
    expect(first).toBeGreaterThan(0);
  });
});

describe("a server", () => {
  const html = () =>
    new Response("<html>Welcome</html>", { headers: { "content-type": "text/html" } });

  test.each<[string, () => Response, string, object]>([
    ["of web pages", html, `HOST is no GitHub, GitLab, Gitea or Forgejo. ${wanted}`, {}],
    [
      "that wants a password",
      () => new Response("<html>", { status: 401 }),
      `HOST is no GitHub, GitLab, Gitea or Forgejo. ${wanted}`,
      {},
    ],
    [
      "of other answers",
      () => Response.json({ version: "2.0" }),
      `HOST is no GitHub, GitLab, Gitea or Forgejo. ${wanted}`,
      {},
    ],
    [
      "of lists",
      () => Response.json([1, null]),
      `HOST is no GitHub, GitLab, Gitea or Forgejo. ${wanted}`,
      {},
    ],
    [
      "that is down",
      () => new Response("", { status: 503 }),
      "HOST is overloaded or down. Try again later.",
      {},
    ],
    [
      "that never answers",
      () => new Promise<Response>(() => {}) as never,
      "HOST does not answer in time. Try again later, and check whether a firewall stands between.",
      { timeoutMs: 300 },
    ],
    [
      "without an end",
      () => new Response("[".repeat(17_000_000)),
      `HOST is no GitHub, GitLab, Gitea or Forgejo. ${wanted}`,
      {},
    ],
    [
      "that allows nothing now",
      () =>
        new Response("", {
          status: 429,
          headers: { "retry-after": "Mon, 01 Jan 2035 10:00:00 GMT" },
        }),
      "HOST allows no more requests before",
      {},
    ],
  ])("%s is told in words, and gets no token", async (_, answer, words, options) => {
    await using server = serveDouble(answer);
    const start = performance.now();
    const finding = await probe(server.url, options);
    expect(performance.now() - start).toBeLessThan(5000);
    expect(finding).toMatchObject({ ok: false, field: "address" });
    expect(finding).toMatchObject({
      message: expect.stringContaining(words.replaceAll("HOST", hostOf(server))),
    });
    expect(server.asked.some(({ headers }) => headers.has("authorization"))).toBe(false);
  });

  test("that trickles its answers is left after three of them", async () => {
    const pull = async (stream: ReadableStreamDefaultController) => {
      await Bun.sleep(20);
      stream.enqueue(Buffer.from(" "));
    };
    await using server = serveDouble(() => new Response(new ReadableStream({ pull })));
    const start = performance.now();
    expect(await probe(server.url, { timeoutMs: 300 })).toMatchObject({
      message: expect.stringContaining("does not answer in time"),
    });
    expect(performance.now() - start).toBeLessThan(3000);
  });

  test("that redirects to another is named, and the other is asked nothing", async () => {
    await using other = serveGiteaAt("");
    for (const path of ["", "/acme", "/acme/tool", "/acme/tool.git"]) {
      await using server = serveDouble(({ url }) =>
        Response.redirect(`${other.url}${new URL(url).pathname}`, 302),
      );
      expect(await probe(`${server.url}${path}`)).toEqual(
        refuse(
          `${hostOf(server)} redirects to ${other.url}, and Roster does not follow. If that is the right server, type its address.`,
        ),
      );
    }
    expect(other.asked).toHaveLength(0);
  });

  test("stops when it is told to", async () => {
    const controller = new AbortController();
    await using server = serveDouble(() => {
      controller.abort(new Error("stopped"));
      return new Promise<Response>(() => {});
    });
    const probing = probe(server.url, { signal: controller.signal });
    await expect(probing).rejects.toThrow("stopped");
  });

  test.skipIf(!hasOpenssl)("whose certificate is not trusted is refused, and named", async () => {
    const authority = makeAuthority(newFolder());
    await using server = serveDouble(
      () => Response.json({ max_response_items: 50 }),
      authority.tls,
    );
    const url = server.url.replace("127.0.0.1", "localhost");
    expect(await probe(url)).toEqual(
      refuse(
        `The certificate of ${new URL(url).host} is not trusted. Name a file with its authority in GIT_SSL_CAINFO for git and in SSL_CERT_FILE for forges, and start Roster again.`,
      ),
    );
    expect(server.asked).toHaveLength(0);
    const authorities = await Bun.file(authority.caFile).text();
    expect(await probe(url, { authorities, token: undefined })).toMatchObject({ kind: "gitea" });
    // The name of this one is not in the certificate.
    expect(await probe(server.url, { authorities })).toMatchObject({
      message: expect.stringContaining("is not trusted"),
    });
  });

  test("that speaks no TLS is told apart", async () => {
    await using server = serveDouble(html);
    expect(await probe(hostOf(server))).toEqual(
      refuse(
        `${hostOf(server)} does not speak TLS. Check the port, or type http:// before the name.`,
      ),
    );
  });
});

/** Serves the files of a repository, as a web server without git does. @param token needed if it is given. */
function serveRepository(token?: string) {
  const folder = newFolder();
  const made = inventRepository(join(folder, "acme/tool.git"), [
    { files: { "a.go": "package a" } },
  ]);
  run(made, ["update-server-info"]);
  const wanted = `Basic ${btoa(`x-access-token:${token}`)}`;
  return serveDouble(({ url, headers }) => {
    const { pathname } = new URL(url);
    const path = join(folder, pathname);
    if (!existsSync(path) || pathname === "/") return new Response("<html>", { status: 404 });
    if (token !== undefined && headers.get("authorization") !== wanted) {
      const challenge = { "www-authenticate": "Basic" };
      return new Response("", { status: 401, headers: challenge });
    }
    return new Response(Bun.file(path));
  });
}

describe("a repository", () => {
  test("of a server that is no forge is asked by git", async () => {
    await using server = serveRepository();
    const url = `${server.url}/acme/tool.git`;
    expect(await probe(url, withoutToken)).toEqual({
      ...{ ok: true, kind: "git", url, product: "git", account: undefined },
      ...{ choices: [], examples: ["acme/tool"] },
    });
    const none = await probe(`${server.url}/acme/none.git`);
    expect(none).toMatchObject({ field: "address" });
    expect(none).toMatchObject({ message: expect.stringContaining("shows no repository there") });
  });

  test("that needs a token takes the right one, and says that another is refused", async () => {
    await using server = serveRepository(goodToken);
    const url = `${server.url}/acme/tool.git`;
    expect(await probe(url)).toMatchObject({ ok: true, kind: "git" });
    expect(await probe(url, { token: "wrong-token" })).toMatchObject({
      field: "token",
      message: expect.stringContaining("refuses the token"),
    });
    expect(await probe(url, withoutToken)).toMatchObject({ field: "token" });
  });

  test("whose server never answers is given up", async () => {
    await using server = await serveHostileGit("silent");
    const finding = await probe(`${server.url}/acme/tool.git`, { timeoutMs: 1000 });
    const words = `${hostOf(server)} does not answer in time. Try again later, and check whether a firewall stands between.`;
    expect(finding).toEqual(refuse(words));
  });
});
