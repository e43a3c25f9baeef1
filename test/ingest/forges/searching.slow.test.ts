/** Searches of which only the first people are wanted, by the whole program. */
import { expect, test } from "bun:test";
import { serveGithub } from "./github-double.ts";
import { inventForge } from "./invented-forge.ts";
import { openProgram } from "./program.ts";

test("the same search again has the new limit, and people beyond GitHub's last page are missed aloud", async () => {
  await using github = serveGithub({ people: 3, found: 1200 });
  using roster = openProgram();
  const search = async (...more: string[]) => {
    const command = ["ingest", "github", "--url", github.url, "--search", "location:Berlin"];
    const { people, warnings } = JSON.parse(await roster.call(...command, ...more, "--json"));
    return [people, warnings.length];
  };
  expect(await search("--limit", "2", "--dry-run")).toEqual([2, 0]);
  expect(await search("--limit", "2")).toEqual([2, 0]);
  expect((await roster.people()).map(({ login }) => login)).toEqual(["dev0", "dev1"]);
  expect(await search()).toEqual([3, 1]);
  const command = ["ingest", "github", "--url", github.url, "--limit"];
  const alone = await roster.attempt([...command, "2", "--org", "acme"]);
  expect([alone.code, alone.err]).toEqual([2, expect.stringContaining("--limit")]);
  const none = await roster.attempt([...command, "0", "--search", "x"]);
  expect([none.code, none.err]).toEqual([2, expect.stringContaining("from 1 to 1000000")]);
}, 300_000);

test("a source of the settings has a limit for its searches", async () => {
  await using gitea = inventForge();
  for (let id = 1; id <= 10; id++) gitea.accounts.set(id, { login: `person${id}` });
  using roster = openProgram();
  const configure = (limit: number) =>
    Bun.write(
      `${roster.data}/roster.toml`,
      `[[sources]]\nid = "corp"\nkind = "gitea"\nurl = "${gitea.url}"\nselect = ["search:person"]\nlimit = ${limit}\n`,
    );
  // In the middle of the second page of three.
  await configure(5);
  await roster.call("sources", "refresh");
  expect(await roster.people()).toHaveLength(5);
  expect(gitea.asked.filter(({ url }) => url.includes("users/search"))).toHaveLength(2);
  await configure(0);
  expect((await roster.attempt(["sources", "refresh"])).err).toContain("limit must be");
}, 300_000);
