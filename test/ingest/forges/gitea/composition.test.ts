/** Runs against a real forge that are killed, and what a run costs it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { addGiteaCrowd } from "../../../../scripts/forges/gitea-people.ts";
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
