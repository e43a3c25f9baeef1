/** Repositories of a real Gitea, mirrored and read: people of a place with what they did. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  addGiteaCrowd,
  addRepository,
  commitsOfEach,
} from "../../../../scripts/forges/gitea-people.ts";
import { run } from "../../git/invented-repository.ts";
import { openProgram, serveProxy } from "../program.ts";
import { hasGitea, openGitea, type SeededGitea } from "./real-gitea.ts";

// Gitea starts in seconds, and the program is started often.
setDefaultTimeout(300_000);

describe.skipIf(!hasGitea)("people and mirrors of a real Gitea", () => {
  let gitea: SeededGitea;
  beforeAll(async () => {
    gitea = await openGitea();
    // Beside the four whom everybody sees, and the administrator.
    await addGiteaCrowd(gitea, 448 - 5);
    for (let at = 0; at < 3; at++) {
      const login = `person00${at * 4}`;
      await addRepository(gitea, {
        ...{ owner: login, name: "server" },
        commits: Array.from({ length: 24 - at * 6 }, (_, step) => ({
          // What was done lately counts most.
          at: Math.floor(Date.now() / 1000) - (24 - step) * 5 * 86_400,
          author: `Person ${at} <${login}@corp.example>`,
          message: "feat(server): handle one more route, because callers asked",
          files: {
            [`api/route${step}.go`]: `package api\n\nimport "net/http"\n\nfunc Route${step}(w http.ResponseWriter) {}\n`,
          },
        })),
      });
    }
  });
  afterAll(() => gitea?.stop());

  test("448 people cost at most 25 requests, and nothing new stages nothing", async () => {
    await using proxy = serveProxy(gitea.url, () => undefined);
    using roster = openProgram();
    await roster.ingestGitea(proxy.url, gitea.token);
    expect(proxy.asked.length).toBeLessThanOrEqual(25);
    expect(await roster.people()).toHaveLength(448);
    const report = JSON.parse(await roster.ingestGitea(proxy.url, gitea.token, "--json"));
    expect(report).toMatchObject({ added: 0, replaced: 0, removed: 0 });
  });

  test("answer a place, a role and a language with people in the order of their work", async () => {
    using roster = openProgram();
    const mirrors = join(roster.folder, "mirrors");
    const ingest = () => roster.ingestGitea(gitea.url, gitea.ordinaryToken, "--mirror", mirrors);
    await ingest();
    const people = await roster.people();
    expect(people).toHaveLength(448);
    const working = people.filter(({ commits }) => commits !== undefined);
    expect(working.map(({ login, commits }) => [login, commits?.total]).sort()).toEqual([
      ["ada", commitsOfEach],
      ["ben", commitsOfEach],
      ["cleo", commitsOfEach],
      ["person000", 24],
      ["person004", 18],
      ["person008", 12],
    ]);
    const question = ["--role", "backend", "--skills", "Go", "--json"];
    const text = await roster.call("search", "Berlin", ...question);
    const { results } = JSON.parse(text).data as { results: { login: string }[] };
    const logins = results.map(({ login }) => login);
    expect(logins.slice(0, 3)).toEqual(["person000", "person004", "person008"]);
    const before = await roster.exportAll();
    await ingest();
    expect(await roster.exportAll()).toBe(before);
    const queue = join(mirrors, new URL(gitea.url).host.replace(":", "+"), "acme/queue.git");
    expect(run(queue, ["rev-list", "--count", "HEAD"]).toString().trim()).toBe("36");
    expect(existsSync(join(queue, "../../ada/private-plans.git"))).toBe(false);
    expect(run(queue, ["config", "--list"]).toString()).not.toContain(gitea.ordinaryToken);

    await gitea.call("PATCH", "/repos/acme/queue", { private: true });
    // Whatever an administrator's token may read.
    const token = [gitea.url, gitea.token, "--mirror", mirrors, "--json"] as const;
    const { warnings } = JSON.parse(await roster.ingestGitea(...token));
    expect(warnings).toEqual([expect.stringContaining("roster ingest forget acme/queue")]);
  });
});
