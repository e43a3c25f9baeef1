/** Git and a real forge together: who is who, whatever was read first. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { addGiteaCrowd, commitsOfEach } from "../../../../scripts/forges/gitea-people.ts";
import { mirror, openProgram, serveProxy } from "../program.ts";
import { hasGitea, openGitea, type SeededGitea } from "./real-gitea.ts";

// Gitea starts in seconds, and the program is started often.
setDefaultTimeout(300_000);

describe.skipIf(!hasGitea)("git and a real Gitea", () => {
  let gitea: SeededGitea;
  let queue: string;
  beforeAll(async () => {
    gitea = await openGitea();
    queue = mirror(gitea.url, "acme/queue", gitea.folder);
  });
  afterAll(() => gitea?.stop());

  test("noreply, profile's and second address: three people with place and commits", async () => {
    using roster = openProgram();
    await roster.ingestGit(queue);
    await roster.ingestGitea(gitea.url, gitea.ordinaryToken);
    const people = (await roster.people()).filter(({ commits }) => commits !== undefined);
    expect(people.map(({ login }) => login).sort()).toEqual(["ada", "ben", "cleo"]);
    for (const { profile, commits, accounts, login } of people) {
      expect(profile.location).toStartWith("Berlin");
      expect(commits?.total).toBe(commitsOfEach);
      expect(accounts).toEqual([
        { forge: new URL(gitea.url).host, login, id: expect.any(String) as unknown as string },
      ]);
    }
    const found = JSON.parse(await roster.call("search", "Berlin", "--json"));
    const logins = found.data.results.map((one: { login: string }) => one.login);
    expect(logins.slice(0, 3).sort()).toEqual(["ada", "ben", "cleo"]);
  });

  test("any order of runs gives the same bytes, and git's commits as without a forge", async () => {
    const git = (roster: ReturnType<typeof openProgram>) => roster.ingestGit(queue);
    const forge = (roster: ReturnType<typeof openProgram>) =>
      roster.ingestGitea(gitea.url, gitea.ordinaryToken);
    const exported: string[] = [];
    for (const order of [
      [git, forge],
      [forge, git, forge],
      [git, forge, forge],
      [forge, forge, git, git, forge],
    ]) {
      using roster = openProgram();
      for (const step of order) await step(roster);
      exported.push(await roster.exportAll());
    }
    for (const other of exported.slice(1)) expect(other).toBe(exported[0] as string);
    using alone = openProgram();
    await git(alone);
    const without = (await alone.people()).map(({ commits }) => commits);
    const lines = (exported[0] as string).split("\n").filter(Boolean);
    const beside = lines.map((line) => JSON.parse(line).commits).filter(Boolean);
    const sort = (all: unknown[]) => all.map((one) => JSON.stringify(one)).sort();
    expect(sort(beside)).toEqual(sort(without));
  });

  test("an import killed at any request leaves the pool, and the next one goes on", async () => {
    let atRequest = (_: number): void => undefined;
    await using proxy = serveProxy(gitea.url, (number) => atRequest(number));
    using unbroken = openProgram();
    await unbroken.ingestGit(queue);
    const before = await unbroken.exportAll();
    await unbroken.ingestGitea(proxy.url, gitea.ordinaryToken);
    const requests = proxy.asked.length;
    const after = await unbroken.exportAll();
    for (let killedAt = 1; killedAt <= Math.min(requests, 10); killedAt++) {
      using roster = openProgram();
      await roster.ingestGit(queue);
      const start = proxy.asked.length;
      const child = roster.spawn([
        ...["ingest", "gitea", "--url", proxy.url, "--all"],
        ...["--token-file", `${unbroken.folder}/token`],
      ]);
      atRequest = (number) => {
        if (number - start === killedAt) child.kill("SIGKILL");
      };
      await child.exited;
      atRequest = () => undefined;
      expect(await roster.exportAll()).toBe(before);
      await roster.ingestGitea(proxy.url, gitea.ordinaryToken);
      expect(await roster.exportAll()).toBe(after);
      expect(proxy.asked.length - start).toBeLessThanOrEqual(requests + 1);
    }
  });

  test("448 people cost at most 25 requests, and nothing new stages nothing", async () => {
    // Beside the four whom everybody sees, and the administrator.
    await addGiteaCrowd(gitea, 448 - 5);
    await using proxy = serveProxy(gitea.url, () => undefined);
    using roster = openProgram();
    await roster.ingestGitea(proxy.url, gitea.token);
    expect(proxy.asked.length).toBeLessThanOrEqual(25);
    expect(await roster.people()).toHaveLength(448);
    const first = await roster.exportAll();
    const said = await roster.ingestGitea(proxy.url, gitea.token, "--json");
    const report = JSON.parse(said);
    expect(report).toMatchObject({ added: 0, replaced: 0, removed: 0 });
    expect(await roster.exportAll()).toBe(first);
  });
});
