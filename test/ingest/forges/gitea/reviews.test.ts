/** Reviews of a real forge: walked, found by `who`, and forgotten. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { addReviewedChange } from "../../../../scripts/forges/gitea-people.ts";
import { mirror, openProgram, type Program, serveProxy } from "../program.ts";
import { hasGitea, openGitea, type SeededGitea } from "./real-gitea.ts";

// Gitea starts in seconds, and the program is started often.
setDefaultTimeout(300_000);

interface Named {
  readonly login: string;
  readonly evidence: { readonly reviews: number };
  readonly reasons: readonly string[];
}

/** Who should review a change of the file. */
async function askWho(roster: Program): Promise<ReadonlyMap<string, Named>> {
  const list = join(roster.folder, "paths");
  await Bun.write(list, "queue/step0.go\n");
  const said = await roster.call("who", "--repository", "acme/queue", "--diff", list, "--json");
  const { people } = JSON.parse(said).data as { readonly people: readonly Named[] };
  return new Map(people.map((one) => [one.login, one]));
}

describe.skipIf(!hasGitea)("reviews in a real Gitea", () => {
  let gitea: SeededGitea;
  beforeAll(async () => {
    gitea = await openGitea();
  });
  afterAll(() => gitea?.stop());

  test("are walked once, name reviewers, and go with the person for good", async () => {
    using roster = openProgram();
    await roster.ingestGit(mirror(gitea.url, "acme/queue", gitea.folder));
    const number = await addReviewedChange(gitea);
    await using proxy = serveProxy(gitea.url, () => {});
    const countAsked = async () => {
      const from = proxy.asked.length;
      await roster.ingestGitea(proxy.url, gitea.ordinaryToken);
      return proxy.asked.slice(from).filter(({ url }) => url.includes("/pulls")).length;
    };
    expect(await countAsked()).toBe(3);
    expect(await countAsked()).toBe(1);
    const find = async (login: string) =>
      (await roster.people()).find((one) => one.login === login) as
        | { readonly credits?: Record<string, { readonly count: number }> }
        | undefined;
    expect((await find("cleo"))?.credits).toMatchObject({ approved: { count: 1 } });
    expect((await find("ben"))?.credits).toMatchObject({ changesRequested: { count: 1 } });
    expect((await find("dora"))?.credits).toBeUndefined();
    const named = await askWho(roster);
    expect(named.get("cleo")?.evidence.reviews).toBe(1);
    expect(named.get("cleo")?.reasons.join(" ")).toContain("Reviewed 1 change to these files.");
    expect(named.get("ben")?.evidence.reviews).toBe(1);

    // A review of its own, and the merge, bring a change to the top.
    const review = { event: "APPROVED", body: "" };
    const path = `/repos/acme/queue/pulls/${number}`;
    await Bun.sleep(1100);
    await gitea.call("POST", `${path}/reviews`, review, { login: "ben" });
    expect(await countAsked()).toBe(3);
    // Gitea dismisses what somebody said of a change before.
    expect(Object.keys((await find("ben"))?.credits ?? {})).toEqual(["approved"]);
    await Bun.sleep(1100);
    await gitea.call("POST", `${path}/merge`, { Do: "squash" });
    expect(await countAsked()).toBe(3);

    const { id } = await gitea.call<{ id: number }>("GET", "/users/cleo");
    const countKept = () => {
      using forges = new Database(join(roster.data, "forges.db"), { readonly: true });
      return forges.query("SELECT number FROM review WHERE number = ?").all(String(id)).length;
    };
    expect(countKept()).toBe(1);
    await roster.call("forget", "cleo");
    expect(countKept()).toBe(0);
    await gitea.call("POST", "/admin/users/cleo/rename", { new_username: "clea" });
    await Bun.sleep(1100);
    const remark = { event: "COMMENT", body: "A remark that nobody keeps" };
    await gitea.call("POST", `${path}/reviews`, remark, { login: "dora" });
    await countAsked();
    expect(countKept()).toBe(0);
    expect([...(await askWho(roster)).keys()].sort()).toEqual(["ada", "ben"]);
    for (const word of ["nobody keeps", "Cleo Forge", "clea"]) {
      expect([word, roster.filesWith(word)]).toEqual([word, []]);
    }
  });
});
