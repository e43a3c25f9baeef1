/**
 * What a repository's address could be misused for: another protocol of git, an option, a program, a server that nobody named,
 * or a look at a password. The real program is asked, and everything that it writes and starts is searched.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readOutput } from "../child-output.ts";
import { program } from "../faults/server-process.ts";
import { type Double, serveDouble } from "../ingest/forges/double.ts";
import { inventRepository } from "../ingest/git/invented-repository.ts";
import { answerGit } from "../ingest/mirrors/serve-git.ts";
import { makeFolder } from "../temporary-folder.ts";

const token = "tok3n-that-nobody-may-see";
const words = [token, btoa(`x-access-token:${token}`), "s3cret"];
const folder = makeFolder("addresses");
const data = join(folder, "data");
const home = join(folder, "home");
const proof = join(folder, "proof");
const tokenFile = join(folder, "token");
const source = join(folder, "server/acme/tool.git");

mkdirSync(join(folder, "bin"), { recursive: true });
mkdirSync(home);
// Whatever is started by its name leaves a proof: git has programs for protocols, and asks programs for passwords.
for (const name of ["ssh", "git-remote-ext", "git-remote-evil", "evil", "askpass"]) {
  const path = join(folder, "bin", name);
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$0 $*" >> '${proof}'\nexit 1\n`);
  chmodSync(path, 0o755);
}
const env = {
  ...process.env,
  HOME: home,
  PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
  GIT_ASKPASS: join(folder, "bin/askpass"),
  SSH_ASKPASS: join(folder, "bin/askpass"),
  GIT_SSH_COMMAND: join(folder, "bin/evil"),
  GIT_TRACE: proof,
};

function start(...given: readonly string[]) {
  const child = Bun.spawn([...program, "ingest", "git", "--data", data, ...given], {
    ...{ env, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  return Object.assign(child, { ran: readOutput(child) });
}
const ingest = (...given: readonly string[]) => start(...given).ran;

beforeAll(() => {
  inventRepository(source, [{}, {}]);
  writeFileSync(tokenFile, token);
  chmodSync(tokenFile, 0o600);
});

describe("an address", () => {
  test("of another protocol, with an option or of a strange form starts nothing and asks nobody", async () => {
    await using server = serveDouble(() => new Response("", { status: 404 }));
    const host = new URL(server.url).host;
    const run = `sh -c "touch ${proof}"`;
    // test/contract/git-address.test.ts has more.
    for (const address of [
      `ext::${run}`,
      "fd::17",
      `evil://${host}/a/b`,
      `git://${host}/a/b`,
      `file://${source}`,
      `${server.url}/a/b`,
      `--upload-pack=${join(folder, "bin/evil")}`,
      "ssh://-oProxyCommand=evil/a/b",
      "git@-oProxyCommand=evil:a/b",
      "-oProxyCommand=evil@git.example.com:a/b",
      "git@git.example.com:--upload-pack=evil",
      "git@git.example.com:$(evil)",
      `https://${host}/a%00b`,
      `https://${host}/a\nb`,
      `https://${host}/../../../../${folder}/x`,
      `https://${host}/a.git/hooks/b`,
    ]) {
      const { code, out } = await ingest("--", address);
      expect([address, code === 2 || code === 3, out]).toEqual([address, true, ""]);
    }
    expect(existsSync(proof)).toBe(false);
    expect(server.asked).toEqual([]);
    expect(existsSync(join(data, "mirrors"))).toBe(false);
  }, 120_000);

  test("allowed for one protocol is not for another", async () => {
    for (const [address, allowed] of [
      [`file://${source}`, "http"],
      ["http://127.0.0.1:1/a/b", "file"],
    ] as const) {
      expect((await ingest("--allow", allowed, address)).code).toBe(2);
    }
  });

  test("with a password, a user or a query is refused, and is not repeated", async () => {
    for (const address of [
      "https://ada:s3cret@git.example.com/acme/tool",
      "git:s3cret@git.example.com:acme/tool",
      "https://git.example.com/acme/tool?token=s3cret",
    ]) {
      const { code, out, err } = await ingest(address);
      expect([address, code, `${out}${err}`.includes("s3cret")]).toEqual([address, 2, false]);
      expect(err).toContain("git.example.com");
      const forgotten = Bun.spawnSync([...program, "ingest", "forget", "--data", data, address], {
        env,
      });
      expect(`${forgotten.stdout}${forgotten.stderr}`).not.toContain("s3cret");
    }
  }, 120_000);
});

describe("a redirect", () => {
  let other: Double;
  beforeAll(() => {
    other = serveDouble((asked) => answerGit(join(folder, "server"), asked));
  });
  afterAll(() => other[Symbol.asyncDispose]());

  test.each([
    ["to another port of this machine", () => `${other.url}/acme/tool.git`],
    [
      "to this machine by its name",
      () => `${other.url.replace("127.0.0.1", "localhost")}/acme/tool.git`,
    ],
    ["to a link-local address", () => "http://169.254.169.254/latest/meta-data"],
    ["to another protocol", () => `file://${source}`],
    ["to a program", () => "ext::evil"],
    ["to nothing but a path", () => "/acme/other.git"],
  ])("%s is not followed, and gets no token", async (_, target) => {
    await using server = serveDouble((asked) => {
      const { pathname, search } = new URL(asked.url);
      const location = `${target()}${pathname.replace(/^.*(?=\/info\/)/, "")}${search}`;
      return new Response("", { status: 302, headers: { location } });
    });
    const { code, err } = await ingest(
      ...["--allow", "http", "--token-file", tokenFile, `${server.url}/acme/tool.git`],
    );
    expect([code, err]).toEqual([3, expect.stringContaining("no redirect is followed")]);
    // It was asked for one thing, once; nobody else was asked.
    expect(server.asked.map(({ url }) => new URL(url).pathname)).toEqual([
      "/acme/tool.git/info/refs",
    ]);
    expect(other.asked).toEqual([]);
    expect(existsSync(proof)).toBe(false);
  });

  test("of a fetch that began is not followed either, nor are other stores of objects", async () => {
    await using server = serveDouble((asked) => {
      const { pathname } = new URL(asked.url);
      if (asked.method === "POST") return Response.redirect(`${other.url}${pathname}`, 307);
      return answerGit(join(folder, "server"), asked);
    });
    const moved = await ingest("--allow", "http", `${server.url}/acme/tool.git`);
    expect([moved.code, other.asked]).toEqual([3, []]);
    const head = "f0120e337ac6e2ac5558a791a8759d1c230f05ee";
    // The old protocol lets a server name other places of its objects.
    await using dumb = serveDouble((asked) => {
      const { pathname } = new URL(asked.url);
      if (pathname.endsWith("/info/refs")) return new Response(`${head}\trefs/heads/main\n`);
      if (pathname.endsWith("/HEAD")) return new Response("ref: refs/heads/main\n");
      if (pathname.endsWith("alternates"))
        return new Response(`${other.url}/acme/tool.git/objects\n`);
      return new Response("", { status: 404 });
    });
    const led = await ingest(
      "--allow",
      "http",
      "--token-file",
      tokenFile,
      `${dumb.url}/acme/tool.git`,
    );
    expect([led.code, other.asked]).toEqual([3, []]);
  });
});

test("a token is in no output, no list of processes and no file, whether the server takes it, refuses it or repeats it", async () => {
  const commands = new Set<string>();
  const look = () => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        commands.add(readFileSync(`/proc/${pid}/cmdline`, "latin1"));
      } catch {
        // It has ended.
      }
    }
  };
  const answers: readonly ((request: Request) => Response | Promise<Response>)[] = [
    (request) => answerGit(join(folder, "server"), request),
    () => new Response("", { status: 401, headers: { "www-authenticate": "Basic realm=x" } }),
    // A server may show what it was sent: git shows plain text of errors.
    (request) =>
      new Response(`you sent ${request.headers.get("authorization")} ${token}`, {
        ...{ status: 403, headers: { "content-type": "text/plain" } },
      }),
    (request) => new Response(`${request.headers.get("authorization")}\t${token}\n`),
  ];
  const said: string[] = [];
  for (const answer of answers) {
    await using server = serveDouble(async (request) => {
      await Bun.sleep(100);
      look();
      return answer(request);
    });
    const url = `${server.url}/acme/tool.git`;
    for (const flags of [[], ["--json"]]) {
      const { out, err } = await ingest(
        "--allow",
        "http",
        "--token-file",
        tokenFile,
        ...flags,
        url,
      );
      said.push(out, err);
    }
    expect(server.asked[0]?.headers.get("authorization")).toBe(`Basic ${words[1]}`);
  }
  for (const command of ["list", "list --json"]) {
    const listed = Bun.spawnSync([...program, "ingest", ...command.split(" "), "--data", data], {
      env,
    });
    said.push(listed.stdout.toString(), listed.stderr.toString());
  }
  const has = (text: string) => words.some((word) => text.includes(word));
  expect(said.filter(has)).toEqual([]);
  expect(said.join()).toContain("commits: 2 read now");
  // The list was looked at while git asked.
  expect(
    [...commands].some(
      (command) => command.includes("git-remote-http") || command.includes("remote-http"),
    ),
  ).toBe(true);
  expect([...commands].filter(has)).toEqual([]);
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const holding = files.filter((file) =>
    has(readFileSync(join(file.parentPath, file.name), "latin1")),
  );
  expect([files.length > 5, holding.map(({ name }) => name)]).toEqual([true, []]);
  expect(existsSync(proof)).toBe(false);
}, 120_000);
