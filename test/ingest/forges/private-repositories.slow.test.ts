/** Repositories that are no longer public, and what had been mirrored of them. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { readForgeContent } from "../../../src/ingest/forges/forge-content.ts";
import { listLocations } from "../../../src/ingest/git/ledger/locations.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { inventRepository } from "../git/invented-repository.ts";
import { openForgeData, setOrigin } from "./ingesting.ts";
import { inventForge } from "./invented-forge.ts";

const folder = makeFolder("git");

test("a repository that is private now leaves, is not asked for again, and its mirror is named", async () => {
  await using forge = inventForge();
  forge.accounts.set(1, { login: "ada", name: "Ada Forge", email: "ada@corp.example" });
  forge.repositories.set(7, { owner: 1, name: "app", stars: 5 });
  const home = join(folder, new URL(forge.url).host.replace(":", "+"));
  const path = join(home, "ada/app.git");
  inventRepository(path, [{ author: "Ada <ada@corp.example>", files: { "a.go": "package a\n" } }]);
  setOrigin(path, `${forge.url}/ada/app.git`);
  const data = openForgeData();
  await data.ingestGit([path]);
  await data.ingestFrom(forge.url);
  const starsOf = async () => (await data.facts("ada"))?.repositories.map(({ stars }) => stars);
  expect(await starsOf()).toEqual([5]);

  forge.repositories.set(7, { owner: 1, name: "app", stars: 5, isPrivate: true });
  const access = { waitMax: 0, mirror: { folder: folder } };
  const asked = forge.asked.length;
  for (let times = 0; times < 2; times++) {
    const { warnings } = await data.ingestFrom(forge.url, { access });
    expect(warnings).toEqual([
      `ada/app is no longer among the forge's public repositories that are read: its mirror ${path} and its history in the pool remain until \`roster ingest forget ada/app\`.`,
    ]);
    expect(readForgeContent(data.forges).repositories).toEqual([]);
    expect(await starsOf()).not.toEqual([5]);
    expect((await data.facts("ada"))?.commits?.total).toBe(1);
  }
  expect(forge.asked.slice(asked).filter(({ url }) => url.includes("app.git"))).toEqual([]);
  rmSync(path, { recursive: true });
  const { warnings: without } = await data.ingestFrom(forge.url, { access });
  expect(without.join()).toContain("read: its history in the pool remains until");

  const [place] = listLocations(data.ledger);
  await data.ingest([], { files: data.openFiles(), forgetting: [place?.id ?? 0] });
  expect((await data.ingestFrom(forge.url, { access })).warnings).toEqual([]);
});

test("what another source of the forge still shows is not called private", async () => {
  await using forge = inventForge();
  forge.accounts.set(1, { login: "ada", name: "Ada Forge", email: "ada@corp.example" });
  forge.repositories.set(7, { owner: 1, name: "app", stars: 5 });
  const home = join(folder, new URL(forge.url).host.replace(":", "+"));
  const path = setOrigin(inventRepository(join(home, "ada/app.git"), [{}]), forge.url);
  const data = openForgeData();
  await data.ingestGit([path]);
  await data.ingestFrom(forge.url, { id: "whole" });
  const access = { waitMax: 0, mirror: { folder: folder } };
  const selections = [{ kind: "user", name: "nobody" }] as const;
  const { warnings } = await data.ingestFrom(forge.url, { id: "part", selections, access });
  expect(warnings.filter((warning) => warning.includes("no longer"))).toEqual([]);
});
