/**
 * Opens data folders that other releases filled (`fill-folder.ts` says how): who had a key, a session or an assistant
 * still has it, and who was forgotten stays out.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Facts } from "../../src/contract/people/facts.ts";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { openCommandLine } from "../interfaces/cli/command-line.ts";
import { archives, unpackFolder } from "./filled-folders.ts";
import { addCommits } from "./repository.ts";

interface Answer {
  readonly success: boolean;
  readonly data?: { readonly results: readonly { readonly login: string }[] };
  readonly meta: { readonly quota: { readonly used: number } };
}

const read = (response: Response) => response.json() as Promise<Answer>;

for (const archive of archives) {
  describe(`a folder of ${archive}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "roster-upgrade-"));
    const known = unpackFolder(archive, folder);
    const { logins, forgotten, cookie = "", clientId = "", refreshToken = "" } = known;
    const [coder = ""] = logins;
    const line = openCommandLine(() => new Date(known.at));
    let roster: TestAppliance;

    beforeAll(async () => {
      roster = await openTestAppliance({
        ...{ folder: join(folder, "data"), people: [], now: known.at },
        config: { publicUrl: known.address },
      });
    });
    afterAll(() => {
      rmSync(folder, { recursive: true });
      line.close();
    });

    const ask = (path: string, init: RequestInit = {}) =>
      roster.handle(new Request(`${known.address}${path}`, init));
    const get = (login: string, key = known.key) =>
      ask(`/v1/users/${login}`, { headers: { "x-api-key": key } });

    test("goes on counting where it was, and holds each person once", async () => {
      const first = await read(await get(coder));
      expect([first.success, first.meta.quota.used]).toEqual([true, known.used + 1]);
      const headers = { "x-api-key": known.key, "content-type": "application/json" };
      const body = JSON.stringify({ location: "Worldwide" });
      const found = await read(await ask("/v1/search", { method: "POST", headers, body }));
      expect(found.data?.results.map(({ login }) => login).sort()).toEqual([...logins].sort());
    });

    test("finds people by the repositories that their facts name, also those judged long ago", async () => {
      const { pool, search } = roster.modules;
      const everybody = (await Array.fromAsync(pool.facts())).flat();
      const names = everybody.flatMap(({ repositories }) =>
        repositories.filter(({ commits = 0 }) => commits > 0).map(({ name }) => name),
      );
      for (const name of new Set(names)) {
        const query = { location: "Worldwide", repositories: [name], maxResults: 1, offset: 0 };
        const those = names.filter((each) => each === name).length;
        expect([name, (await search.find(query)).total]).toEqual([name, those]);
      }
      expect(names.length).toBeGreaterThan(0);
    });

    test("refuses the key that was replaced", async () => {
      expect((await get(coder, known.oldKey)).status).toBe(401);
    });

    test.if(forgotten !== undefined)("does not find who was forgotten", async () => {
      expect((await get(forgotten?.login ?? "")).status).toBe(404);
    });

    test.if(cookie !== "")("knows the browser that was signed in", async () => {
      const page = await ask("/account", { headers: { cookie } });
      expect(page.status).toBe(200);
      expect(await page.text()).toContain(known.email);
    });

    test.if(clientId !== "")("takes the assistant's refresh token", async () => {
      const form = { grant_type: "refresh_token", client_id: clientId };
      const body = new URLSearchParams({ ...form, refresh_token: refreshToken });
      const response = await ask("/oauth2/token", { method: "POST", body });
      const { access_token: token } = (await response.json()) as { access_token: string };
      expect(response.status).toBe(200);
      const listed = await ask("/mcp", {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      });
      expect(await listed.text()).toContain("search_developers");
    });

    test("holds the same people when the repository is read again with another commit", async () => {
      await roster.close();
      const repository = join(folder, "repository");
      const { email } = forgotten ?? { email: "carl@example.com" };
      addCommits(repository, { name: "Carl Gone", email }, 1);
      const run = (...argv: string[]) =>
        line.run(...argv, "--data", join(folder, "data"), "--json");
      expect(await run("ingest", "git", repository)).toMatchObject({ code: 0 });
      const file = join(folder, "exported.jsonl");
      expect(await run("export", file)).toMatchObject({ code: 0 });
      const exported = readFileSync(file, "utf8");
      const people = exported
        .split("\n")
        .filter(Boolean)
        .map((text) => JSON.parse(text) as Facts);
      // Some became one with another: then a login of before is a former one.
      const found = people.flatMap(({ login, formerLogins = [] }) => [login, ...formerLogins]);
      expect(found).toEqual(expect.arrayContaining([...logins]));
      for (const login of logins) expect((await run("get", login)).code).toBe(0);
      if (!forgotten) return;
      expect((await run("get", forgotten.login)).code).toBe(4);
      expect(exported).not.toContain(forgotten.email);
    });
  });
}
