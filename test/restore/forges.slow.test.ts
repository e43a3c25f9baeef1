/** What forges said is backed up and restored with the rest, and whoever was forgotten since stays so. */
import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inventForge } from "../ingest/forges/invented-forge.ts";
import { openProgram } from "../ingest/forges/program.ts";

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
