/** What a run costs a real forge. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { addGiteaCrowd } from "../../../../scripts/forges/gitea-people.ts";
import { openProgram, serveProxy } from "../program.ts";
import { hasGitea, openGitea, type SeededGitea } from "./real-gitea.ts";

// Gitea starts in seconds, and the program is started often.
setDefaultTimeout(300_000);

describe.skipIf(!hasGitea)("a real Gitea", () => {
  let gitea: SeededGitea;
  beforeAll(async () => {
    gitea = await openGitea();
    // Beside the four whom everybody sees, and the administrator.
    await addGiteaCrowd(gitea, 448 - 5);
  });
  afterAll(() => gitea?.stop());

  test("448 people cost at most 25 requests, and nothing new stages nothing", async () => {
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
