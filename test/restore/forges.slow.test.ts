/** What forges said is backed up and restored with the rest, and whoever was forgotten since stays so. */
import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setOrigin } from "../ingest/forges/ingesting.ts";
import { inventForge } from "../ingest/forges/invented-forge.ts";
import { openProgram } from "../ingest/forges/program.ts";
import { inventRepository } from "../ingest/git/invented-repository.ts";

test("forges.db goes through a backup, and erasures are repeated in an older one", async () => {
  await using forge = inventForge();
  using roster = openProgram();
  forge.accounts.set(1, { login: "ada", name: "Ada Forge", location: "Berlin" });
  forge.accounts.set(2, { login: "quilla", name: "Quilla Vanish", location: "Berlin" });
  await roster.ingestGitea(forge.url, "secret-token");
  const before = await roster.exportAll();
  const archive = join(roster.folder, "all.tar.zst");
  await roster.call("backup", archive);
  const verified = JSON.parse(await roster.call("backup", "--verify", archive, "--json"));
  expect(JSON.stringify(verified)).toContain("forges.db");
  await roster.call("forget", "quilla");
  expect(roster.filesWith("Quilla")).toEqual([]);
  await roster.call("restore", archive);
  expect((await roster.people()).map(({ login }) => login)).toEqual(["ada"]);
  const kept = (path: string) => !path.includes("before-restore");
  expect(roster.filesWith("Quilla").filter(kept)).toEqual([]);
  const examined = await roster.attempt(["doctor", "--json"]);
  expect(examined.out.replace(/\s/g, "")).toContain('"about":"forges.db","text":"whole"');

  rmSync(roster.data, { recursive: true });
  await roster.call("restore", archive);
  expect(await roster.exportAll()).toBe(before);
  expect(existsSync(join(roster.data, "forges.db"))).toBe(true);
  // Nothing has changed on the forge, and it was asked before.
  const again = JSON.parse(await roster.ingestGitea(forge.url, "secret-token", "--json"));
  expect(again).toMatchObject({ added: 0, replaced: 0, removed: 0 });
  expect(await roster.exportAll()).toBe(before);
}, 300_000);

test("reviews go through a backup, and those of who was forgotten since do not", async () => {
  await using forge = inventForge();
  using roster = openProgram();
  const logins = ["team", "ada", "cara", "quilla"];
  for (const [at, login] of logins.entries()) {
    forge.accounts.set(at + 1, { login, name: `${login} Forge`, email: `${login}@corp.example` });
  }
  forge.repositories.set(1, { owner: 1, name: "queue", stars: 1 });
  const at = "2026-11-10T10:00:00Z";
  const reviews = [3, 4].map((by) => ({ by, at }));
  forge.changes.set(1, [{ author: 2, updated: at, paths: ["pay/a.ts"], reviews }]);
  const ada = "ada Forge <ada@corp.example>";
  const path = inventRepository(join(roster.folder, "queue.git"), [
    { author: ada, at: "2026-11-01", files: { "pay/a.ts": "1\n", "pay/b.ts": "1\n" } },
  ]);
  setOrigin(path, `${forge.url}/team/queue.git`);
  await roster.ingestGit(path);
  await roster.ingestGitea(forge.url, "secret-token");
  const ask = (...more: string[]) =>
    roster.call("who", "--paths", "pay/a.ts", "--as-of", "2026-11-20", ...more);
  const before = await ask();
  for (const login of ["cara", "quilla"]) expect(before).toContain(login);
  expect(before).toContain("1 review of these files.");
  // Whoever reviewed lately is not away, even without a commit.
  expect(await ask("--json")).not.toContain("Has not");

  const archive = join(roster.folder, "all.tar.zst");
  await roster.call("backup", archive);
  await roster.call("forget", "quilla");
  const after = await ask();
  expect(after).not.toContain("quilla");
  await roster.call("restore", archive);
  expect(await ask()).toBe(after);

  rmSync(roster.data, { recursive: true });
  await roster.call("restore", archive);
  expect(await ask()).toBe(before);
}, 300_000);
