/** Reading in parts must come to the same people as reading at once, and must not read twice. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Facts } from "../../../src/contract/people/facts.ts";
import { eraseFromHistories } from "../../../src/ingest/git/erase/erase-histories.ts";
import { readBrought } from "../../../src/ingest/git/ledger/applied.ts";
import { readStoredHistory } from "../../../src/ingest/git/ledger/histories.ts";
import { forgetLocations, listLocations } from "../../../src/ingest/git/ledger/locations.ts";
import { openLedger } from "../../../src/ingest/ingest.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { ada, ben, git, type InventedCommit, inventRepository } from "./invented-repository.ts";
import { judgeAsOf, openData } from "./opened-data.ts";
import { asOf } from "./read.ts";

const folder = makeFolder("git");
let made = 0;
const cara = "Cara Third <cara@example.net>";

const work: readonly InventedCommit[] = [
  { author: ada, at: "2025-01-01", files: { "old.ts": 'import React from "react";\n'.repeat(3) } },
  { author: ben, at: "2025-01-02", files: { "test/a.py": "import django\n", "x.h": "int x;\n" } },
  { author: "A. Example <ada@example.com>", at: "2025-01-02", files: { "b.go": "package b\n" } },
  { author: ada, at: "2025-01-03", message: `fix: pair\n\nCo-authored-by: ${ben}` },
  { author: ada, at: "2025-01-04", files: {}, message: "Nothing" },
  { author: cara, at: "2025-01-05", rename: ["old.ts", "web/new.ts"], message: "Move it" },
  { author: ben, at: "2024-12-30", parents: [1], files: { "c.cpp": "int c;\n".repeat(9) } },
  { author: ada, at: "2025-01-07", parents: [5, 6], files: {}, message: "Merge" },
  { author: ada, at: "2025-01-03", message: `fix: pair\n\nCo-authored-by: ${ben}` },
  { author: ben, at: "2025-01-09", files: { "x.h": "int y;\n", "d.cpp": "int d;\n" } },
];

/** A repository whose branch can be set to any of its commits, oldest first. */
function invent(commits: readonly InventedCommit[], name = `repository-${made++}`) {
  const path = inventRepository(join(folder, name), commits);
  const all = git(path, "rev-list", "--reverse", "--topo-order", "HEAD").toString().trim();
  const shas = all.split("\n");
  const setTip = (at: number): void => {
    git(path, "update-ref", "refs/heads/main", shas.at(at) ?? "");
  };
  return { path, shas, setTip };
}

describe("what is not read again", () => {
  test("the second run reads nothing and judges nobody; new commits only are read after", async () => {
    const { path, setTip } = invent(work);
    const data = openData();
    setTip(-3);
    expect(await data.statuses([path])).toEqual([["new", 8]]);
    const [judged, revision] = [data.judged(), await data.pool.revision()];
    const again = await data.ingest([path]);
    expect(again.summaries).toMatchObject([{ status: "unchanged", newCommits: 0, commits: 8 }]);
    expect(again.imported).toMatchObject({ added: 0, replaced: 0, unchanged: 3, removed: 0 });
    expect(again.developers.human).toBe(3);
    expect([data.judged(), await data.pool.revision()]).toEqual([judged, revision]);
    setTip(-1);
    expect(await data.statuses([path])).toEqual([["continued", 2]]);
  });

  test("only those whose facts changed are judged anew", async () => {
    // On one day: how far a history was read is told to everybody in it.
    const at = "2020-01-01";
    const { path, setTip } = invent([ada, cara, ben, ben].map((author) => ({ author, at })));
    const data = openData();
    setTip(2);
    await data.ingest([path]);
    await data.ingest([path], { modelVersion: "2" });
    expect(data.judged()).toBe(6);
    const before = data.judged();
    await data.ingest([path], { modelVersion: "2" });
    setTip(3);
    const report = await data.ingest([path], { modelVersion: "2" });
    expect(report.imported).toMatchObject({ replaced: 1, unchanged: 2 });
    expect(data.judged() - before).toBe(1);
  });

  test("a repository that moved is the same one, also when its folder is called otherwise", async () => {
    const { path } = invent(work);
    const data = openData();
    await data.ingest([path]);
    const moved = join(folder, "elsewhere", "further");
    mkdirSync(join(folder, "elsewhere"));
    renameSync(path, moved);
    expect(await data.statuses([moved])).toEqual([["unchanged", 0]]);
    expect(listLocations(data.ledger)).toHaveLength(1);
    const fresh = openData();
    await fresh.ingest([moved]);
    expect(await data.exported()).toBe(await fresh.exported());
    expect((await data.person("Ada Example"))?.repositories[0]?.name).toBe("further");
  });

  test("a bundle that did not change is not unpacked", async () => {
    const { path } = invent(work);
    const bundle = join(folder, "one.bundle");
    git(path, "bundle", "create", "--quiet", bundle, "--all", "HEAD");
    const data = openData();
    expect(await data.statuses([bundle])).toEqual([["new", 10]]);
    expect(await data.statuses([bundle])).toEqual([["unchanged", 0]]);
  });

  test("a fork is another repository: what both have counts once", async () => {
    const { path } = invent(work);
    const fork = join(folder, `fork-${made++}`);
    git(folder, "clone", "--quiet", "--bare", path, fork);
    const [both, one] = [openData(), openData()];
    await one.ingest([path]);
    await both.ingest([fork]);
    await both.ingest([path]);
    expect(listLocations(both.ledger)).toHaveLength(2);
    expect((await both.person("Ben Sample"))?.commits).toEqual(
      (await one.person("Ben Sample"))?.commits,
    );
  });
});

describe("what is read anew", () => {
  test("another mailmap: old commits may have other authors", async () => {
    const { path, setTip } = invent([
      { author: "Ada <ada@old.example.net>" },
      { author: ada },
      { files: { ".mailmap": "Ada Example <ada@example.com> <ada@old.example.net>\n" } },
    ]);
    const data = openData();
    setTip(1);
    await data.ingest([path]);
    expect(await data.pool.size()).toBe(2);
    setTip(2);
    expect(await data.statuses([path])).toEqual([["reread", 3]]);
    expect(await data.pool.size()).toBe(1);
  });

  test("another repository at the same path does not take the first one's place", async () => {
    const first = invent([{ author: ada }], "work/one");
    git(first.path, "config", "remote.origin.url", "https://forge.example.com/acme/one.git");
    const data = openData();
    await data.ingest([first.path]);
    rmSync(first.path, { recursive: true });
    const second = invent([{ author: ben, message: "Begin" }], "work/one");
    git(second.path, "config", "remote.origin.url", "https://forge.example.com/acme/two.git");
    expect(await data.statuses([second.path])).toEqual([["new", 1]]);
    expect(listLocations(data.ledger).map(({ name }) => name)).toEqual(["acme/one", "acme/two"]);
    expect(await data.pool.size()).toBe(2);
  });

  test("a day later commits of that day count, and everybody is judged as of it", async () => {
    const { path } = invent([
      { author: ada, at: "2025-01-01" },
      { author: ben, at: "2026-11-22" },
    ]);
    const data = openData();
    await data.ingest([path]);
    expect((await data.person("Ben Sample"))?.commits?.total).toBe(0);
    await data.ingest([path], { asOf: "2026-11-22" });
    expect((await data.person("Ben Sample"))?.commits?.total).toBe(1);
    const login = (await data.person("Ada Example"))?.login ?? "";
    expect((await data.pool.findAnalyses([login]))[0]).toMatchObject({ asOf: "2026-11-22" });
  });

  test("a pool that was emptied is filled again", async () => {
    const { path } = invent(work);
    const data = openData();
    await data.ingest([path]);
    const pool = openSqlitePool(":memory:", { now: () => new Date("2026-11-21T12:00:00Z") });
    expect((await data.ingest([path], { pool })).imported).toMatchObject({ added: 3 });
    expect(
      (await Array.fromAsync(pool.facts()))
        .flat()
        .map((facts) => JSON.stringify(facts))
        .join("\n"),
    ).toBe(await data.exported());
    await pool.close();
  });
});

describe("a run that is cut off", () => {
  test("leaves the pool as it was, and the next one goes on with the next repository", async () => {
    const three = [
      invent(work, "cut/1"),
      invent([{ author: cara }], "cut/2"),
      invent([{}], "cut/3"),
    ].map(({ path }) => path);
    const data = openData();
    const stop = new AbortController();
    const cut = data.ingest(three, {
      jobs: 1,
      signal: stop.signal,
      onProgress: ({ repositoriesDone }) => {
        if (repositoriesDone === 1) stop.abort(new Error("interrupted"));
      },
    });
    expect(cut).rejects.toThrow("interrupted");
    await cut.catch(() => undefined);
    expect(await data.pool.size()).toBe(0);
    // The one at hand had been read to its end.
    expect(listLocations(data.ledger)).toHaveLength(2);
    expect(await data.statuses(three)).toEqual([
      ["unchanged", 0],
      ["unchanged", 0],
      ["new", 1],
    ]);
    const whole = openData();
    await whole.ingest(three.toReversed());
    expect(await data.exported()).toBe(await whole.exported());
  });
});

test("a person who is erased is in no byte of the file, and the others stay", async () => {
  const { path, setTip } = invent(work);
  setTip(-2);
  const file = join(folder, "ingest.db");
  const now = () => new Date("2026-11-21T12:00:00Z");
  const ledger = openLedger(file, { version: "test", now });
  const data = openData();
  await data.ingest([path], { ledger });
  const [before, login] = [
    await data.person("Cara Third"),
    (await data.person("Ben Sample"))?.login ?? "",
  ];
  const isTheirs = ({ email }: { readonly email: string }) => email === "ben@example.org";
  await eraseFromHistories(ledger, { isTheirLogin: (held) => held === login, isTheirs });
  for (const { id } of listLocations(ledger)) {
    expect(JSON.stringify(readStoredHistory(ledger.sqlite, id))).not.toMatch(/\bben\b|Sample/);
  }
  expect(readFileSync(file).toString("latin1")).not.toContain(login);
  await data.ingest([path], { ledger });
  expect((await data.person("Cara Third"))?.commits).toEqual(before?.commits);
  expect((await data.person("Cara Third"))?.evidence).toEqual(
    before?.evidence as Facts["evidence"],
  );
  setTip(-1);
  await data.ingest([path], { ledger });
  expect((await data.person("Ben Sample"))?.commits?.total).toBe(1);
  ledger.close();
});

test("who had himself forgotten stays away, in the pool and in what is kept", async () => {
  const { path, setTip } = invent(work);
  const data = openData();
  setTip(-2);
  await data.ingest([path]);
  const login = (await data.person("Ben Sample"))?.login ?? "";
  expect(await data.pool.erasing.hide(login)).toMatchObject({ developers: 1 });
  setTip(-1);
  const report = await data.ingest([path], { wantsAuthors: true });
  expect(report.imported).toMatchObject({ suppressed: 1 });
  expect(report.developers.human).toBe(2);
  expect(report.authorsReport.join()).not.toMatch(/ben/i);
  expect(await data.exported()).not.toMatch(/ben@example/);
  for (const { id } of listLocations(data.ledger)) {
    expect(JSON.stringify(readStoredHistory(data.ledger.sqlite, id))).not.toMatch(/\bben\b|Sample/);
  }
  expect(readBrought(data.ledger).has(login)).toBe(false);
  const again = await data.ingest([path]);
  expect(again.summaries).toMatchObject([{ status: "unchanged" }]);
  expect(again.imported).toMatchObject({ added: 0, replaced: 0, removed: 0 });
});

describe("a repository that is forgotten", () => {
  test("takes its people along, but not those whom others know", async () => {
    const [one, two] = [invent(work), invent([{ author: ben, message: "Only here" }])];
    const data = openData();
    await data.ingest([one.path, two.path]);
    const [held, cared] = [await data.person("Ada Example"), await data.person("Cara Third")];
    const told: Facts = {
      ...(held as Facts),
      source: "forge.example.com",
      profile: { name: "Ada Example", location: "Berlin" },
    };
    const load = await data.pool.beginImport("forge.example.com");
    await load.put([judgeAsOf(asOf)(told)]);
    await load.commit();
    await data.ingest([one.path]);
    const place = listLocations(data.ledger).find(({ path }) => path === one.path);
    forgetLocations(data.ledger, [place?.id ?? 0]);
    await data.ingest([]);
    expect(cared).toBeDefined();
    expect(await data.person("Cara Third")).toBeUndefined();
    expect((await data.person("Ben Sample"))?.commits?.total).toBe(1);
    const rest = await data.person("Ada Example");
    expect(rest).toMatchObject({ profile: { location: "Berlin" }, evidence: [] });
    expect(rest?.commits).toBeUndefined();
    expect(rest?.repositories).toEqual([]);
  });
});
