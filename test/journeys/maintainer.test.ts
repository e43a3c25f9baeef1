/**
 * A maintainer with the executable, a repository on a forge, and no server: the forge's own runner does the job of packaging/ci. It
 * suggests reviewers, tells about the author, and is the gate for drifted ownership.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findWorkflowEngine } from "../../scripts/forges/gitea-build.ts";
import { addGiteaPerson, addRepository } from "../../scripts/forges/gitea-people.ts";
import { type ActionsRunner, registerRunner } from "../ingest/forges/gitea/actions-runner.ts";
import { openPullRequest, pushChange } from "../ingest/forges/gitea/pull-requests.ts";
import { hasGitea, openGitea, type SeededGitea } from "../ingest/forges/gitea/real-gitea.ts";
import { git } from "../ingest/git/invented-repository.ts";
import { packRelease, recipes } from "../packaging/tools.ts";
import { type Desk, executable, expectDone, isBuilt, openDesk } from "./desk.ts";

// Gitea starts in seconds, and each run of the job reads the history.
setDefaultTimeout(300_000);

const isReady = isBuilt && hasGitea && findWorkflowEngine() !== undefined;
if (!isReady) process.stderr.write("SKIPPED: a maintainer without a server, for want of a Gitea\n");
const ownersHelp = isReady && Bun.spawnSync([executable, "owners", "check", "--help"]).stdout;
const hasOwners = String(ownersHelp).startsWith("Usage: roster owners check");
if (isReady && !hasOwners)
  process.stderr.write("SKIPPED: the gate, for want of `roster owners check`\n");

const marker = "<!-- roster: who may review this change -->";
const repository = "/repos/acme/tool";
const baseline = ".gitea/owners-baseline.json";
const [ada, ben, cleo] = [
  ...[
    "Ada Forge <ada@old.example>",
    "Ben Forge <ben@corp.example>",
    "Cleo Forge <cleo@corp.example>",
  ],
] as const;
const nia = "Nia New <nia@home.example>";
const source = (of: string, lines: number) => `package ${of}\n${`var _ = "${of}"\n`.repeat(lines)}`;

describe.skipIf(!isReady)("a maintainer without a server", () => {
  let gitea: SeededGitea;
  let desk: Desk;
  let runner: ActionsRunner;
  let niaToken: string;

  beforeAll(async () => {
    gitea = await openGitea();
    desk = openDesk();
    await addGiteaPerson(gitea, { login: "nia" });
    niaToken = gitea.makeToken("nia", ["write:repository"]);
    await addRepository(gitea, { owner: "acme", name: "tool", commits: inventTool() });
    await gitea.call("PUT", `${repository}/collaborators/ben`, { permission: "write" });
    const { archive, checksum } = packRelease(join(gitea.folder, "release"));
    const variables = {
      REVIEWERS_ARCHIVE: `file://${archive}`,
      REVIEWERS_ARCHIVE_SHA256: checksum,
    };
    for (const [name, value] of Object.entries(variables))
      await gitea.call("POST", `${repository}/actions/variables/${name}`, { value });
    runner = await registerRunner(gitea, join(gitea.folder, "runner"));
  });
  afterAll(async () => {
    await desk?.clear();
    await gitea?.stop();
  });

  /** Runs the job of the pull request that was opened or pushed to last. @returns the comments of ours, too. */
  async function runJob(pull: number) {
    const task = await runner.takeTask();
    if (!task) throw new Error("Gitea gave out no task");
    expect(task.event).toBe("pull_request_target");
    // Nothing but the token that Gitea makes for the job.
    expect(Object.keys(task.secrets).sort()).toEqual(["GITEA_TOKEN", "GITHUB_TOKEN"]);
    const ran = await runner.runTask(task);
    const all = await gitea.call<{ body: string }[]>(
      "GET",
      `${repository}/issues/${pull}/comments`,
    );
    return {
      ...ran,
      comments: all.map(({ body }) => body).filter((body) => body.startsWith(marker)),
    };
  }

  let newcomersPull: number;
  const pushAsNia = (path: string) => {
    const as = { login: "nia", token: niaToken };
    pushChange(gitea, {
      ...{ to: "nia/tool", branch: "first", author: nia, as },
      files: { [path]: source("core", 5) },
    });
  };

  test("sees in the comment who may review a newcomer's change, and that they are new", async () => {
    await gitea.call("POST", `${repository}/forks`, {}, { login: "nia" });
    pushAsNia("core/one.go");
    newcomersPull = await openPullRequest(gitea, repository, { head: "nia:first", login: "nia" });
    const { log, comments, code } = await runJob(newcomersPull);
    expect(log).toContain("The comment was made.");
    const [people = "", told = ""] = comments[0]?.split("</table>") ?? [];
    expect(people).toContain("Ben Forge");
    expect(people).not.toContain("Nia New");
    expect(told).toContain(
      "<p>Author Nia New is new here: this is their first change. Welcome.</p>",
    );
    expect(comments).toHaveLength(1);
    if (!hasOwners) return;
    // Nothing of the change ran, and the gate is closed by what Ada left.
    expect(code).not.toBe(0);
    expect(log).toContain("ada@old.example");
  });

  test("sees of a known author what they did here, and where", async () => {
    pushChange(gitea, {
      ...{ to: "acme/tool", branch: "more", author: ben },
      files: { "core/one.go": source("core", 30) },
    });
    const pull = await openPullRequest(gitea, repository, { head: "more", login: "ben" });
    const { comments } = await runJob(pull);
    const [people = "", told = ""] = comments[0]?.split("</table>") ?? [];
    expect(people).toContain("Cleo Forge");
    expect(people).not.toContain("Ben Forge");
    expect(told).toMatch(
      /<p>Author <code>\S+<\/code> Ben Forge: 6 commits to files here and 1 review since \d+ \w+ \d{4}\. Knows best <code>core<\/code> \d+ %\. 1 commit marked as written with an AI assistant\.<\/p>/,
    );
  });

  test.skipIf(!hasOwners)(
    "accepts in a baseline what has drifted, and the gate opens",
    async () => {
      const clone = join(desk.folder, "tool");
      git(desk.folder, "clone", "--quiet", `${gitea.url}/acme/tool.git`, clone);
      const closed = await desk.shell(`cd ${clone} && ../roster owners check`);
      expect([closed.exitCode, closed.stdout]).toEqual([
        1,
        expect.stringContaining("ada@old.example"),
      ]);
      mkdirSync(join(clone, ".gitea"), { recursive: true });
      const write = `../roster owners check --baseline ${baseline} --write-baseline`;
      expectDone(await desk.shell(`cd ${clone} && ${write}`));
      const accepted = readFileSync(join(clone, baseline), "utf8");
      pushChange(gitea, {
        ...{ to: "acme/tool", branch: "accepted", author: ben },
        files: { [baseline]: accepted },
      });
      const pull = await openPullRequest(gitea, repository, { head: "accepted", login: "ben" });
      const { code, log } = await runJob(pull);
      expect([code, log]).toEqual([0, expect.stringContaining("The comment was made.")]);
    },
  );

  test("learns from a shallow checkout that nobody can be called new", async () => {
    const clone = join(desk.folder, "shallow");
    git(desk.folder, "clone", "--quiet", "--depth=1", `${gitea.url}/acme/tool.git`, clone);
    writeFileSync(join(clone, "paths"), "core/one.go\n");
    const ask = `../roster who --diff paths --author "${nia}" --format markdown`;
    const { stdout, stderr, exitCode } = await desk.shell(`cd ${clone} && ${ask}`);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("git fetch --unshallow")]);
    expect(stdout).toContain("Author Nia New is not known here. This may be their first change.");
    expect(stdout).toMatch(/Data begins on \d+ \w+ \d{4}; earlier work may exist\./);
  });
});

/** Ada owns the core and left years ago; Ben and Cleo work on it now. */
function inventTool() {
  const day = (before: number) => Math.floor(Date.now() / 1000) - before * 86_400;
  const owners = "/core/ ada@old.example\n/docs/ cleo@corp.example\n";
  const workflow = readFileSync(join(recipes, "gitea-clone.yml"), "utf8");
  const first = {
    ...{ "core/one.go": source("core", 20), "core/two.go": source("core", 20) },
    ...{ CODEOWNERS: owners, "docs/guide.md": "# Guide\n" },
  };
  return [
    { author: ada, at: day(1600), files: first },
    ...Array.from({ length: 6 }, (_, at) => ({
      ...{ author: ben, at: day(200 - at) },
      files: { [`core/${["one", "two"][at % 2]}.go`]: source("core", 60 + 40 * at) },
      ...(at === 2 && { message: "Grow\n\nCo-authored-by: Claude <noreply@anthropic.com>" }),
    })),
    ...Array.from({ length: 3 }, (_, at) => ({
      ...{ author: cleo, at: day(90 - at) },
      files: { "docs/guide.md": `# Guide\n${"More.\n".repeat(at + 3)}` },
      ...(at === 2 && { message: `Guide\n\nReviewed-by: ${ben}` }),
    })),
    { author: cleo, at: day(20), files: { ".gitea/workflows/roster.yml": workflow } },
  ];
}
