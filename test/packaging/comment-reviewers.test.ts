/**
 * The script of the recipes with the interfaces of GitHub and GitLab, which no test can run: a double answers as they document it.
 * Git and the service are real. test/ingest/forges/gitea has the same on a real forge.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { readOutput } from "../child-output.ts";
import { program } from "../faults/server-process.ts";
import {
  ada,
  ben,
  inventRepository,
  run,
  temporaryFolder,
} from "../ingest/git/invented-repository.ts";
import { packRelease, recipes } from "./tools.ts";

const script = join(recipes, "comment-reviewers");
const marker = "<!-- roster: who may review this change -->";
const world = temporaryFolder();
const missing = ["curl", "jq", "git"].filter((tool) => !Bun.which(tool));
if (missing.length > 0) process.stderr.write(`Skips: needs ${missing.join(", ")}\n`);

interface Written {
  readonly id: number;
  body: string;
  readonly by: string;
}

/** The comments of one change. */
let comments: Written[] = [];
let asked: string[] = [];
/** The forge's answer about the owner of the token. */
let identity: { readonly status: number; readonly login?: string };
let writeStatus = 0;

const forge = Bun.serve({
  ...{ port: 0, hostname: "127.0.0.1" },
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const { headers, method } = request;
    asked.push(`${method} ${pathname}`);
    const token = headers.get("private-token") ?? headers.get("authorization");
    if (!["Bearer token-1", "token-1"].includes(String(token)))
      return new Response("", { status: 401 });
    const isGitLab = pathname.startsWith("/api/v4");
    if (pathname.endsWith("/user")) {
      const { status, login } = identity;
      return Response.json(isGitLab ? { username: login } : { login }, { status });
    }
    const show = ({ id, body, by }: Written) =>
      isGitLab ? { id, body, author: { username: by } } : { id, body, user: { login: by } };
    if (method === "GET") {
      const [page, size] = [Number(searchParams.get("page")), Number(searchParams.get("per_page"))];
      return Response.json(comments.slice((page - 1) * size, page * size).map(show));
    }
    if (writeStatus > 0) return Response.json({}, { status: writeStatus });
    const { body } = (await request.json()) as { body: string };
    if (method === "POST") {
      const made = {
        id: 1000 + comments.length,
        body,
        by: String(identity.login ?? "github-actions[bot]"),
      };
      comments.push(made);
      return Response.json(show(made), { status: 201 });
    }
    const one = comments.find(({ id }) => pathname.endsWith(`/${id}`));
    if (!one) return Response.json({}, { status: 404 });
    one.body = body;
    return Response.json(show(one));
  },
});

let appliance: TestAppliance;
let key: string;
let address: string;
let release: ReturnType<typeof packRelease>;
beforeAll(async () => {
  appliance = await openTestAppliance();
  address = appliance.listen();
  ({ key } = await appliance.newAccount("pro"));
  release = packRelease(join(world.path, "release"));
  const bin = join(world.path, "bin");
  mkdirSync(bin);
  const words = program.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "roster"), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  const day = (before: number) => Math.floor(Date.now() / 1000) - before * 86_400;
  const money = "services/payments/money.ts";
  const path = inventRepository(join(world.path, "demo-guild/onyx-vault.git"), [
    {
      author: ada,
      at: day(9),
      files: { [money]: "export {};\n", CODEOWNERS: "* ada@example.com\n" },
    },
    { author: ben, at: day(8), files: { [money]: "export { a };\n" } },
    { author: "New One <new@example.com>", at: day(1), files: { [money]: "//\n" } },
  ]);
  run(path, ["config", "uploadpack.allowFilter", "true"]);
  run(path, ["update-ref", "refs/pull/7/head", "main"]);
  run(path, ["update-ref", "refs/merge-requests/7/head", "main"]);
  run(path, ["update-ref", "refs/heads/main", "main~1"]);
});
afterAll(async () => {
  await appliance.close();
  await forge.stop(true);
  world.remove();
});
beforeEach(() => {
  comments = [];
  asked = [];
  identity = { status: 200, login: "reviewers-bot" };
  writeStatus = 0;
});

const event = join(world.path, "event.json");
writeFileSync(
  event,
  JSON.stringify({
    pull_request: { number: 7, base: { ref: "main" }, user: { login: "new-one" } },
  }),
);
const common = () => ({
  PATH: `${join(world.path, "bin")}:${process.env["PATH"]}`,
  ROSTER_URL: address,
  ROSTER_API_KEY: key,
  FORGE_TOKEN: "token-1",
});
const environments: Record<string, () => Record<string, string>> = {
  github: () => ({
    ...common(),
    GITHUB_EVENT_PATH: event,
    GITHUB_SERVER_URL: `file://${world.path}`,
    GITHUB_API_URL: `http://127.0.0.1:${forge.port}`,
    GITHUB_REPOSITORY: "demo-guild/onyx-vault",
  }),
  gitlab: () => ({
    ...common(),
    CI_MERGE_REQUEST_IID: "7",
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
    CI_MERGE_REQUEST_PROJECT_ID: "3",
    CI_MERGE_REQUEST_PROJECT_PATH: "demo-guild/onyx-vault",
    CI_SERVER_URL: `file://${world.path}`,
    CI_API_V4_URL: `http://127.0.0.1:${forge.port}/api/v4`,
  }),
};

const comment = async (of: string, more: Record<string, string> = {}) =>
  readOutput(
    Bun.spawn([script, of], {
      ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
      env: { ...environments[of]?.(), ...more },
    }),
  );

describe.skipIf(missing.length > 0).each(Object.keys(environments))("for %s", (of) => {
  const others = (count: number, by = "somebody") =>
    Array.from({ length: count }, (_, id) => ({ id, body: `${marker}\n\nmine`, by }));

  test("makes a comment, leaves it, and edits it on whichever page it is", async () => {
    comments = others(150);
    const made = await comment(of);
    expect([made.code, made.err, made.out]).toEqual([
      ...[
        0,
        expect.stringMatching(/^Source: the service .*\n\d+ of \d+ calls this month\.\n$/),
        "The comment was made.\n",
      ],
    ]);
    const own = comments[150] as Written;
    expect(own.body).toStartWith(`${marker}\n\n### Suggested reviewers\n\n<p>`);
    expect((await comment(of)).out).toBe("The comment is up to date.\n");
    own.body = `${marker}\nolder`;
    expect((await comment(of)).out).toBe("The comment was edited.\n");
    expect(own.body).toContain("<code>ada-example</code>");
    expect(comments).toHaveLength(151);
    expect(comments.slice(0, 150)).toEqual(others(150));
  }, 60_000);

  test("says what is missing, and writes nothing", async () => {
    for (const name of ["ROSTER_URL", "ROSTER_API_KEY", "FORGE_TOKEN"]) {
      const ran = await comment(of, { [name]: "" });
      expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(`${name} is not set`)]);
    }
    const foreign = await comment(of, { FORGE_TOKEN: "token-2" });
    expect([foreign.code, foreign.err]).toEqual([5, expect.stringContaining("(HTTP 401)")]);
    writeStatus = 403;
    const forbidden = await comment(of);
    expect(forbidden.code).toBe(5);
    expect(forbidden.err).toContain("the token may not write the comment (HTTP 403)");
    expect(comments).toEqual([]);
  }, 60_000);
});

test.skipIf(missing.length > 0)(
  "says of a service that does not answer, or has no answer, that it gave none",
  async () => {
    const away = await comment("gitlab", { ROSTER_URL: "http://127.0.0.1:9" });
    expect([away.code, away.err]).toEqual([
      5,
      expect.stringContaining("no Roster service answers"),
    ]);
    const unread = await comment("gitlab", { REVIEWERS_REPOSITORY: "nobody/nothing" });
    expect([unread.code, unread.err]).toEqual([4, expect.stringContaining("gave no answer")]);
    expect(comments).toEqual([]);
  },
  60_000,
);

test.skipIf(missing.length > 0)(
  "knows the account of the token that GitHub makes for a job",
  async () => {
    identity = { status: 403 };
    expect((await comment("github")).out).toBe("The comment was made.\n");
    (comments[0] as Written).body = `${marker}\nolder`;
    expect((await comment("github")).out).toBe("The comment was edited.\n");
    expect(comments.map(({ by }) => by)).toEqual(["github-actions[bot]"]);
  },
  60_000,
);

/** Values of the expressions in a workflow. */
const expressions = (): Record<string, string> => ({
  "vars.ROSTER_URL": address,
  "vars.REVIEWERS_ARCHIVE": `file://${release.archive}`,
  "vars.REVIEWERS_ARCHIVE_SHA256": release.checksum,
  "secrets.ROSTER_API_KEY": key,
  "github.token": "token-1",
});

describe.skipIf(missing.length > 0)("as the job does it", () => {
  interface Step {
    readonly env: Readonly<Record<string, string>>;
    readonly run: string;
  }
  const readRecipe = (name: string) => Bun.YAML.parse(readFileSync(join(recipes, name), "utf8"));
  const runShell = async (shell: string[], text: string, env: Record<string, string>) =>
    readOutput(
      Bun.spawn([...shell, text], {
        ...{ cwd: world.path, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
        env,
      }),
    );
  const withoutSettings = (of: string) => {
    const { ROSTER_URL, ROSTER_API_KEY, FORGE_TOKEN, ...env } = environments[of]?.() ?? {};
    return { ...env, PATH: String(process.env["PATH"]), TMPDIR: world.path };
  };

  test("the steps of github.yml get a release and comment", async () => {
    const { jobs } = readRecipe("github.yml") as { jobs: { reviewers: { steps: Step[] } } };
    const pathFile = join(world.path, "github-path");
    writeFileSync(pathFile, "");
    let said = "";
    for (const { env, run: text } of jobs.reviewers.steps) {
      const stated = Object.entries(env).map(([name, value]) => {
        const [, asked = ""] = /^\$\{\{ (.*) \}\}$/.exec(value) ?? [];
        return [name, expressions()[asked] ?? `no ${asked}`];
      });
      const path = readFileSync(pathFile, "utf8").split("\n").filter(Boolean).reverse().join(":");
      const own = withoutSettings("github");
      const ran = await runShell(["bash", "-eo", "pipefail", "-c"], text, {
        ...{ ...own, ...Object.fromEntries(stated), GITHUB_PATH: pathFile },
        PATH: `${path}:${own.PATH}`,
      });
      expect([ran.code, ran.err]).toEqual([0, expect.not.stringContaining("comment-reviewers:")]);
      said = ran.out;
    }
    expect(said).toBe("The comment was made.\n");
  }, 60_000);

  test("the script of gitlab.yml gets a release and comments", async () => {
    const { reviewers } = readRecipe("gitlab.yml") as { reviewers: { script: string[] } };
    const known = expressions();
    const ran = await runShell(["sh", "-e", "-c"], reviewers.script.join("\n"), {
      ...withoutSettings("gitlab"),
      ROSTER_URL: address,
      ROSTER_API_KEY: key,
      // Variables of the job are in every program's environment.
      REVIEWERS_TOKEN: "token-1",
      FORGE_TOKEN: "token-1",
      REVIEWERS_ARCHIVE: String(known["vars.REVIEWERS_ARCHIVE"]),
      REVIEWERS_ARCHIVE_SHA256: release.checksum,
    });
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining("The comment was made.\n")]);
  }, 60_000);

  test("the script of gitlab-clone.yml comments without a service, and keeps the index where it is cached", async () => {
    const { roster: job } = readRecipe("gitlab-clone.yml") as {
      roster: {
        script: string[];
        variables: Record<string, string>;
        cache: { paths: string[] };
      };
    };
    const project = join(world.path, "project");
    mkdirSync(project);
    const { FORGE_TOKEN, ...variables } = job.variables;
    expect(FORGE_TOKEN).toBe("$REVIEWERS_TOKEN");
    const known = expressions();
    const stated = Object.entries({ ...variables, HOME: project }).map(([name, value]) => {
      return [name, value.replace("$CI_PROJECT_DIR", project)];
    });
    const ran = await runShell(["sh", "-e", "-c"], job.script.join("\n"), {
      ...{ ...withoutSettings("gitlab"), ...Object.fromEntries(stated), CI_PROJECT_DIR: project },
      ...{ REVIEWERS_TOKEN: "token-1", FORGE_TOKEN: "token-1" },
      REVIEWERS_ARCHIVE: String(known["vars.REVIEWERS_ARCHIVE"]),
      REVIEWERS_ARCHIVE_SHA256: release.checksum,
    });
    expect(ran.out).toContain("The comment was made.\n");
    expect(ran.err).not.toContain("comment-reviewers:");
    expect(comments[0]?.body).toContain("Author New One is new here");
    const kept = job.cache.paths.map((path) => existsSync(join(project, path, "clones")));
    expect(kept).toEqual([true]);
  }, 60_000);

  test("a release with another checksum is not run", async () => {
    const { jobs } = readRecipe("github.yml") as { jobs: { reviewers: { steps: Step[] } } };
    const pathFile = join(world.path, "github-path-2");
    writeFileSync(pathFile, "");
    const ran = await runShell(
      ["bash", "-eo", "pipefail", "-c"],
      String(jobs.reviewers.steps[0]?.run),
      {
        ...withoutSettings("github"),
        GITHUB_PATH: pathFile,
        REVIEWERS_ARCHIVE: `file://${release.archive}`,
        REVIEWERS_ARCHIVE_SHA256: "0".repeat(64),
      },
    );
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining("did NOT match")]);
    expect(readFileSync(pathFile, "utf8")).toBe("/usr/lib/roster\n");
  });
});

test("no forge, and a job of no change, are refused", async () => {
  expect((await comment("bitbucket", common())).err).toContain("which forge");
  writeFileSync(join(world.path, "push.json"), JSON.stringify({ ref: "refs/heads/main" }));
  const ran = await comment("github", { GITHUB_EVENT_PATH: join(world.path, "push.json") });
  expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("no pull or merge request")]);
});
