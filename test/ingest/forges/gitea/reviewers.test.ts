/**
 * The recipe of packaging/ci on a real forge: Gitea reads the workflow and gives out its task, the engine of Gitea's runner runs it,
 * and it asks a real service.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findWorkflowEngine } from "../../../../scripts/forges/gitea-build.ts";
import { addGiteaPerson, addRepository } from "../../../../scripts/forges/gitea-people.ts";
import { freePort, type ServerProcess, startServer } from "../../../faults/server-process.ts";
import { packRelease, recipes } from "../../../packaging/tools.ts";
import { mirror, openProgram, type Program } from "../program.ts";
import { type ActionsRunner, type ActionsTask, registerRunner } from "./actions-runner.ts";
import { openPullRequest, pushChange } from "./pull-requests.ts";
import { hasGitea, openGitea, type SeededGitea } from "./real-gitea.ts";

// Gitea starts in seconds, and each run fetches, asks and comments.
setDefaultTimeout(300_000);

const marker = "<!-- roster: who may review this change -->";
const hostile = "@erin [x](https://evil.example) **b** :tada: #1 `c` | &lt;i&gt; 9755baf4";
const hostileFile = `ledger/${hostile} <img src=x>.go`.replace("https://", "");
const repository = "/repos/acme/ledger";

interface Comment {
  readonly id: number;
  readonly body: string;
  readonly user: { readonly login: string };
}

const isReady = hasGitea && findWorkflowEngine() !== undefined;

describe.skipIf(!isReady)("reviewers in a comment, on a real Gitea", () => {
  let gitea: SeededGitea;
  let roster: Program;
  let service: ServerProcess;
  let runner: ActionsRunner;
  let key: string;
  let frankToken: string;
  /** Every token of a job, and the key. */
  const secrets = new Set<string>();

  beforeAll(async () => {
    gitea = await openGitea();
    for (const login of ["erin", "frank", "reviewers-bot"]) await addGiteaPerson(gitea, { login });
    frankToken = gitea.makeToken("frank", ["write:repository"]);
    await addRepository(gitea, { owner: "acme", name: "ledger", commits: inventLedger() });
    await gitea.call("POST", `${repository}/issues`, { title: "The first" });
    await gitea.call("PUT", `${repository}/collaborators/ben`, { permission: "write" });
    roster = openProgram();
    await roster.ingestGit(mirror(gitea.url, "acme/ledger", gitea.folder));
    await roster.ingestGitea(gitea.url, gitea.ordinaryToken);
    const made = await roster.call(
      ...["account", "create", "ci@example.com", "--plan", "enterprise", "--json"],
    );
    key = /rst_\w+/.exec(made)?.[0] as string;
    secrets.add(key);
    service = await startServer(roster.data, await freePort());
    await setSecret("ROSTER_API_KEY", key);
    await setVariable("ROSTER_URL", service.address);
    const { archive, checksum } = packRelease(join(gitea.folder, "release"));
    await setVariable("REVIEWERS_ARCHIVE", `file://${archive}`);
    await setVariable("REVIEWERS_ARCHIVE_SHA256", checksum);
    runner = await registerRunner(gitea, join(gitea.folder, "runner"));
  });
  afterAll(async () => {
    await service?.kill();
    roster?.[Symbol.dispose]();
    await gitea?.stop();
  });

  const setSecret = (name: string, data: string) =>
    gitea.call("PUT", `${repository}/actions/secrets/${name}`, { data });
  const setVariable = (name: string, value: string) =>
    gitea.call("POST", `${repository}/actions/variables/${name}`, { value });
  const listComments = (number: number) =>
    gitea.call<Comment[]>("GET", `${repository}/issues/${number}/comments`);
  const listOwn = async (number: number) =>
    (await listComments(number)).filter(({ body, user }) => {
      return body.startsWith(marker) && user.login !== "dora";
    });

  const push = (to: string, branch: string, author: string, files: Record<string, string>) => {
    const isFork = to.startsWith("frank/");
    const as = isFork ? { login: "frank", token: frankToken } : undefined;
    pushChange(gitea, { to, branch, author, files, as });
  };
  const openPull = (head: string, login: string) =>
    openPullRequest(gitea, repository, { head, login });

  async function take(): Promise<ActionsTask> {
    const task = await runner.takeTask();
    if (!task) throw new Error("Gitea gave out no task");
    for (const secret of Object.values(task.secrets)) secrets.add(secret);
    return task;
  }

  /** Runs the next task, and looks meanwhile whether anybody on the machine could read a secret. */
  async function runNext() {
    const task = await take();
    let isRunning = true;
    const watching = (async () => {
      const seen: string[] = [];
      for (; isRunning; await Bun.sleep(2)) seen.push(...readArguments());
      return seen.filter((text) => [...secrets].some((secret) => text.includes(secret)));
    })();
    const ran = await runner.runTask(task).finally(() => {
      isRunning = false;
    });
    expect(await watching).toEqual([]);
    for (const secret of secrets) expect(ran.log).not.toContain(secret);
    return { ...ran, task };
  }

  let pull: number;
  test("a pull request gets one comment, and somebody's own with the marker stays", async () => {
    push("acme/ledger", "change", "Ben Forge <ben@corp.example>", {
      "ledger/step1.go": "package ledger\n\nfunc Changed() {}\n",
      [hostileFile]: "package ledger\n\nfunc Other() {}\n",
      [`ledger/new <b>${hostile.replaceAll("/", "")}</b>.go`]: "package ledger\n",
    });
    pull = await openPull("change", "ben");
    const pasted = { body: `${marker}\n\nI write this myself.` };
    await gitea.call("POST", `${repository}/issues/${pull}/comments`, pasted, { login: "dora" });
    const { log, code, task } = await runNext();
    expect(log).toContain("The comment was made.");
    expect([code, task.event]).toEqual([0, "pull_request_target"]);
    const [first, own, ...others] = await listComments(pull);
    expect([first?.body, others]).toEqual([pasted.body, []]);
    expect(own?.body).toStartWith(`${marker}\n\n### Suggested reviewers\n`);
    expect(own?.body).toContain("<code>ada</code>");
    const [people, told] = own?.body.split("</table>") ?? [];
    expect(people).not.toContain("<code>ben</code>");
    expect(told).toMatch(
      /<p>Author <code>ben<\/code> Ben Forge: 4 commits here since [\d-]{10}\. Knows best <code>ledger<\/code> \d+ %\.<\/p>/,
    );
    const { assignees, requested_reviewers } = await gitea.call<Record<string, unknown>>(
      "GET",
      `${repository}/pulls/${pull}`,
    );
    expect([assignees ?? [], requested_reviewers ?? []]).toEqual([[], []]);
  });

  test("another push edits it, and one that changes nothing leaves it", async () => {
    const [before] = await listOwn(pull);
    push("acme/ledger", "change", "Ben Forge <ben@corp.example>", { "ledger/later.go": "//\n" });
    expect((await runNext()).log).toContain("The comment was edited.");
    const [after, ...others] = await listOwn(pull);
    expect([after?.id, others]).toEqual([before?.id as number, []]);
    expect(after?.body).toContain("ledger/later.go");
    await gitea.call("PATCH", `${repository}/pulls/${pull}`, { state: "closed" });
    await gitea.call("PATCH", `${repository}/pulls/${pull}`, { state: "open" });
    expect((await runNext()).log).toContain("The comment is up to date.");
    const [first] = await listComments(pull);
    expect(first?.body).toBe(`${marker}\n\nI write this myself.`);
  });

  test("what others wrote is shown as they wrote it, links nowhere and notifies nobody", async () => {
    const page = await (await fetch(`${gitea.url}/acme/ledger/pulls/${pull}`)).text();
    const shown = /<h3[^>]*>\s*(?:<[^>]*>)*Suggested reviewers[\s\S]*?by Roster\./.exec(page)?.[0];
    const inner = shown?.slice(shown.indexOf("</h3>") + 5) ?? "";
    const text = inner
      .replace(/<[^>]*>/g, "")
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    expect(text).toContain(hostileFile);
    expect(text).toContain(`ledger/new <b>${hostile.replaceAll("/", "")}</b>.go`);
    expect(text.replaceAll(" ", "")).toContain(hostile.replaceAll(" ", ""));
    const elements = new Set(
      [...inner.matchAll(/<\/?(\w+)([^>]*?)\/?>/g)].map(([, name = "", rest]) => name + rest),
    );
    expect([...elements].sort().join(" ")).toBe("br code p table tbody td th thead tr");
    const told = async () =>
      (await gitea.call<unknown[]>("GET", "/notifications?all=true", undefined, { login: "erin" }))
        .length;
    await Bun.sleep(1000);
    expect(await told()).toBe(0);
    type Entry = { type: string };
    const entries = await gitea.call<Entry[]>("GET", `${repository}/issues/1/timeline`);
    expect((entries ?? []).map(({ type }) => type)).toEqual([]);
    // So that it is known what a mention and a reference would do.
    const plain = { body: "@erin, see #1" };
    await gitea.call("POST", `${repository}/issues/${pull}/comments`, plain, { login: "dora" });
    for (let tries = 0; tries < 100 && (await told()) === 0; tries++) await Bun.sleep(100);
    expect(await told()).toBe(1);
    const later = await gitea.call<Entry[]>("GET", `${repository}/issues/1/timeline`);
    expect(later.map(({ type }) => type)).toContain("comment_ref");
  });

  let forkPull: number;
  const pushToFork = (path: string) =>
    push("frank/ledger", "fork-change", "frank <frank@corp.example>", {
      [path]: "package ledger\n",
    });

  test("a fork's pull request has a comment, by the target's workflow and not its own", async () => {
    await gitea.call("POST", `${repository}/forks`, {}, { login: "frank" });
    const own = readFileSync(join(recipes, "gitea.yml"), "utf8")
      .replace("\n  pull_request_target:", "\n  pull_request:")
      .replace("group: reviewers-", "group: own-")
      .replace("run: comment-reviewers gitea", `run: echo "stolen \${ROSTER_API_KEY:-nothing}"`);
    push("frank/ledger", "fork-change", "frank <frank@corp.example>", {
      "ledger/step2.go": "package ledger\n\nfunc Forked() {}\n",
      ".gitea/workflows/reviewers.yml": own,
    });
    forkPull = await openPull("frank:fork-change", "frank");
    const { log, task } = await runNext();
    expect(task.workflow).not.toContain("stolen");
    expect(log).toContain("The comment was made.");
    expect((await listOwn(forkPull)).map(({ user }) => user.login)).toEqual(["gitea-actions"]);
    // Gitea asks somebody with rights before it runs what a stranger wrote.
    expect(await runner.takeTask(5)).toBeUndefined();
  });

  test("a fork's own workflow that Gitea runs for a writer has no secret to print", async () => {
    await gitea.call("PUT", `${repository}/collaborators/frank`, { permission: "write" });
    pushToFork("ledger/again.go");
    const events: string[] = [];
    for (let task = await runner.takeTask(5); task; task = await runner.takeTask(5)) {
      events.push(task.event);
      if (task.event === "pull_request") {
        expect(Object.keys(task.secrets).sort()).toEqual(["GITEA_TOKEN", "GITHUB_TOKEN"]);
      }
      const { log } = await runner.runTask(task);
      if (task.event === "pull_request") expect(log).toContain("stolen nothing");
      for (const secret of secrets) expect(log).not.toContain(secret);
    }
    expect(events.sort()).toEqual(["pull_request", "pull_request_target"]);
    await gitea.call("PUT", `${repository}/collaborators/frank`, { permission: "read" });
  });

  test("in a private repository a fork's has one of a bot's own token", async () => {
    await gitea.call("PATCH", repository, { private: true });
    const pushAndRun = async (path: string) => {
      pushToFork(path);
      const { task, log } = await runNext();
      expect(task.event).toBe("pull_request_target");
      return log;
    };
    expect(await pushAndRun("ledger/unread.go")).toContain(
      "the token may not read the comments of the change (HTTP 404)",
    );
    await gitea.call("PUT", `${repository}/collaborators/reviewers-bot`, { permission: "read" });
    const rights = ["read:user", "read:repository", "write:issue"];
    await setSecret("REVIEWERS_TOKEN", gitea.makeToken("reviewers-bot", rights));
    expect(await pushAndRun("ledger/first.go")).toContain("The comment was made.");
    expect(await pushAndRun("ledger/second.go")).toContain("The comment was edited.");
    const own = (await listOwn(forkPull)).map(({ user }) => user.login);
    // Somebody else's comment is not edited, and what the job's own account wrote before is that.
    expect(own).toEqual(["gitea-actions", "reviewers-bot"]);
    await gitea.call("PATCH", repository, { private: false });
  });

  test("where Roster does not answer the log says why, and nothing else happens", async () => {
    const [before] = await listOwn(pull);
    await service.kill();
    push("acme/ledger", "change", "Ben Forge <ben@corp.example>", { "ledger/last.go": "//\n" });
    const { log, code } = await runNext();
    expect(log).toContain("no Roster service answers");
    expect(log).toContain("Roster gave no answer, and no comment was changed");
    expect(code).toBe(0);
    expect((await listOwn(pull))[0]).toEqual(before as Comment);
  });

  test("no secret is left in any file of the runner", () => {
    const left = readdirSync(join(gitea.folder, "runner"), {
      recursive: true,
      withFileTypes: true,
    });
    const files = left.filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(5);
    const telling = files.filter(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name));
      return [...secrets].some((secret) => bytes.includes(secret));
    });
    expect(telling.map(({ name }) => name)).toEqual([]);
  });
});

/** The argument lists of all processes of this machine. */
function readArguments(): string[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/cmdline`, "latin1");
    } catch {
      return [];
    }
  });
}

function inventLedger() {
  const day = (before: number) => Math.floor(Date.now() / 1000) - before * 86_400;
  const authors = [
    ...["Ada Forge <ada@corp.example>", "Ben Forge <ben@corp.example>"],
    `${hostile} <hostile@elsewhere.example>`,
  ];
  const steps = Array.from({ length: 12 }, (_, at) => ({
    author: authors[at % authors.length] as string,
    at: day(60 - at),
    files: {
      [at % 3 === 2 ? hostileFile : `ledger/step${at}.go`]:
        `package ledger\n\nfunc Step${at}() int { return ${at} }\n`,
    },
  }));
  const workflow = readFileSync(join(recipes, "gitea.yml"), "utf8");
  const files = { ".gitea/workflows/reviewers.yml": workflow };
  return [...steps, { author: authors[0] as string, at: day(40), files }];
}
