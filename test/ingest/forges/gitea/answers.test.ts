/** What the design takes from Gitea's answers, asked of Gitea itself. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasGitea, openGitea, type SeededGitea } from "./real-gitea.ts";

describe.skipIf(!hasGitea)("a real Gitea", () => {
  let gitea: SeededGitea;
  beforeAll(async () => {
    gitea = await openGitea();
  });
  afterAll(() => gitea?.stop());

  test("shows an ordinary token no private person and no private repository", async () => {
    const { data: people } = await gitea.call<{ data: { login: string }[] }>(
      "GET",
      "/users/search?limit=50",
      undefined,
      { token: gitea.ordinaryToken },
    );
    const logins = people.map(({ login }) => login);
    expect(logins).toContain("ada");
    expect(logins).not.toContain("private-petra");
    const { data: repositories } = await gitea.call<{ data: { full_name: string }[] }>(
      "GET",
      "/repos/search?limit=50",
      undefined,
      { token: gitea.ordinaryToken },
    );
    expect(repositories.map(({ full_name }) => full_name)).toEqual(["acme/queue"]);
  });

  test("names the account of a commit by noreply, profile and second address", async () => {
    const commits = await gitea.call<{ author: { login: string } | null }[]>(
      "GET",
      "/repos/acme/queue/commits?limit=50",
      undefined,
      { token: gitea.ordinaryToken },
    );
    const logins = commits.map(({ author }) => author?.login);
    expect([...new Set(logins)].sort()).toEqual(["ada", "ben", "cleo"]);
    expect(logins).toHaveLength(36);
  });
});
