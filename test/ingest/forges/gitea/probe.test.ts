/** What a real Gitea answers to an address, before anything of it is kept. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { probeAddress } from "../../../../src/ingest/probe/probe-address.ts";
import { hasGitea, openGitea, type SeededGitea } from "./real-gitea.ts";

describe.skipIf(!hasGitea)("the address of a real Gitea", () => {
  let gitea: SeededGitea;
  beforeAll(async () => {
    gitea = await openGitea();
  }, 120_000);
  afterAll(() => gitea?.stop());

  const probe = (path: string, token = gitea.ordinaryToken): Promise<object> =>
    probeAddress({ address: gitea.url + path, token, home: join(gitea.folder, "probed") });

  test("shows everybody, an organization and a person, as everybody may see them", async () => {
    const host = new URL(gitea.url).host;
    const all = { select: "all", label: `Everybody at ${host}`, people: 5, repositories: 1 };
    const found = {
      ...{ ok: true, kind: "gitea", url: gitea.url, account: "dora" },
      product: expect.stringMatching(/^Gitea 1\.\d+\.\d+$/),
      examples: ["acme/queue"],
    } as const;
    expect(await probe("")).toEqual({ ...found, choices: [all] });
    const acme = { select: "org:acme", label: "acme", people: 3, repositories: 1 };
    expect(await probe("/acme")).toEqual({ ...found, choices: [acme] });
    const ada = { select: "user:ada", label: "ada", people: 1, repositories: 0 };
    expect(await probe("/ada")).toEqual({ ...found, choices: [ada], examples: [] });
    // An administrator sees private and limited accounts, which are not read.
    expect(await probe("", gitea.token)).toMatchObject({ account: "root1", choices: [all] });
  });

  test("of a repository is asked by git, with the token", async () => {
    const url = `${gitea.url}/acme/queue`;
    const queue = { ok: true, kind: "git", choices: [], examples: ["acme/queue"] };
    for (const path of ["/acme/queue", "/acme/queue/src/branch/main"]) {
      expect(await probe(path)).toMatchObject({ ...queue, url, account: "dora" });
    }
    expect(await probe("/ada/private-plans")).toMatchObject({ ok: false, field: "address" });
    expect(await probe("/ada/private-plans", gitea.token)).toMatchObject({ ok: true, kind: "git" });
  });

  test("tells a wrong token, and one with too few rights", async () => {
    const rights = "read:user, read:organization and read:repository";
    const message = `${new URL(gitea.url).host} refuses this token. Make one there with ${rights}, and type it here.`;
    const refused = { ok: false, field: "token", message } as const;
    expect(await probe("", "0123456789".repeat(4))).toEqual(refused);
    expect(await probe("/acme", gitea.makeToken("dora", ["read:user"]))).toEqual(refused);
    expect(await probe("/nobody")).toMatchObject({ ok: false, field: "address" });
  });
});
