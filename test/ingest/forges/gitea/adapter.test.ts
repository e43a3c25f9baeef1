/** The Gitea adapter against the Gitea that it was written for. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { commitsOfEach, giteaPeople } from "../../../../scripts/forges/gitea-people.ts";
import { createForgeClient } from "../../../../src/ingest/forges/adapters/client.ts";
import { createGiteaAdapter, getGiteaApi } from "../../../../src/ingest/forges/adapters/gitea.ts";
import { walk } from "../walk.ts";
import { hasGitea, openGitea, type SeededGitea } from "./real-gitea.ts";

describe.skipIf(!hasGitea)("the Gitea adapter", () => {
  let gitea: SeededGitea;
  beforeAll(async () => {
    gitea = await openGitea();
  });
  afterAll(() => gitea?.stop());

  const open = (token: string) => {
    const api = getGiteaApi(gitea.url);
    const client = createForgeClient({ source: "corp", kind: "gitea", api, token, waitMax: 0 });
    return { client, adapter: createGiteaAdapter(client) };
  };
  const shown = giteaPeople.filter(({ visibility }) => visibility === undefined);

  test.each(["ordinary", "administrator"])(
    "reads what everybody may see with the token of an %s",
    async (who) => {
      const { adapter } = open(who === "ordinary" ? gitea.ordinaryToken : gitea.token);
      const { accounts, repositories } = await walk(adapter, [{ kind: "all" }]).catch((error) => {
        // The addresses are an administrator's; a refresh goes on without them.
        if (who === "ordinary") return walkWithoutAddresses(adapter);
        throw error;
      });
      const logins = accounts.map(({ login }) => login).filter((login) => login !== "root1");
      expect(logins.sort()).toEqual(shown.map(({ login }) => login).sort());
      expect(repositories.map(({ name }) => name)).toEqual(["acme/queue"]);
      expect(repositories[0]).toMatchObject({ stars: 1, topics: ["go", "queue"] });
      const ada = accounts.find(({ login }) => login === "ada");
      expect(ada?.profile).toMatchObject({ name: "Ada Forge", location: "Berlin, Germany" });
      expect(ada?.profile.followers).toBe(1);
      // An administrator is shown the real addresses instead, and so never sees the host.
      expect(adapter.noreplyHost()).toBe(who === "ordinary" ? gitea.noreplyHost : undefined);
      expect(accounts.flatMap(({ addresses }) => addresses).some((each) => each.isPublished)).toBe(
        false,
      );
    },
  );

  async function walkWithoutAddresses(adapter: ReturnType<typeof open>["adapter"]) {
    const steps = adapter.steps([{ kind: "all" }]).filter(({ ask }) => ask !== "addresses");
    return walk({ ...adapter, steps: () => steps }, []);
  }

  test("finds the members of an organization and of a team", async () => {
    for (const selection of [
      { kind: "org", name: "acme" },
      { kind: "team", name: "acme/core" },
    ] as const) {
      const { accounts } = await walk(open(gitea.token).adapter, [selection]);
      const logins = accounts.map(({ login }) => login).filter((login) => login !== "root1");
      expect(logins.sort()).toEqual(["ada", "ben", "cleo"]);
    }
  });

  test("names the account behind each of the three kinds of address", async () => {
    const commits = await gitea.call<{ sha: string; author: { login: string } }[]>(
      "GET",
      "/repos/acme/queue/commits?limit=50",
    );
    expect(commits).toHaveLength(3 * commitsOfEach);
    const samples = commits
      .slice(0, 3)
      .map(({ sha: commit }) => ({ repository: "acme/queue", commit }));
    const authors = await open(gitea.ordinaryToken).adapter.findCommitAuthors([
      ...samples,
      { repository: "acme/queue", commit: "0".repeat(40) },
      { repository: "acme/none", commit: "0".repeat(40) },
    ]);
    const logins = authors.map((author) => (typeof author === "string" ? author : author.login));
    expect(logins.slice(0, 3).sort()).toEqual(["ada", "ben", "cleo"]);
    expect(logins.slice(3)).toEqual(["unknown commit", "unknown commit"]);
  });

  test("asks for accounts by number, and those who are gone or hidden are nobody", async () => {
    const numbers: string[] = [];
    for (const login of ["ben", "private-petra", "limited-lena"]) {
      const { id } = await gitea.call<{ id: number }>("GET", `/users/${login}`);
      numbers.push(String(id));
    }
    const accounts = await open(gitea.token).adapter.readAccounts([...numbers, "99999"]);
    expect(accounts.map((account) => account?.login)).toEqual(["ben", ...Array(3).fill(undefined)]);
  });
});
