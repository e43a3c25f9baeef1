import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMailmap } from "../../scripts/measure/git/mailmap.ts";
import { truthOfAliases } from "../../scripts/measure/truth-aliases.ts";
import { git, inventRepository } from "../ingest/git/invented-repository.ts";

const folder = mkdtempSync(join(tmpdir(), "roster-truth-"));
afterAll(() => rmSync(folder, { recursive: true }));

const mailmap = [
  "# Who is whom.",
  "Ada Example <ada@example.com> <ada@old.example.com>",
  "Ada Example <ada@example.com> ada <ada@example.com>",
  "Ben Sample <ben@example.org> Ben <team@example.net>",
  "Cara Third <cara@example.net> <team@example.org>",
  "Dora Fourth <dora@example.net> D <team@example.org>",
];
const authors = [
  "Ada Example <ada@example.com>",
  "ada <ada@example.com>",
  "Ada <ada@old.example.com>",
  "Ben Sample <ben@example.org>",
  "Ben <team@example.net>",
  // Of this one the file says nothing: it gives the address to Ben by his name only.
  "Eve <team@example.net>",
  "Cara <team@example.org>",
  "D <team@example.org>",
];
const repository = inventRepository(
  join(folder, "one.git"),
  authors.map((author, at) => ({
    author,
    files: at === 0 ? { ".mailmap": `${mailmap.join("\n")}\n` } : { [`${at}`]: "x" },
  })),
);

test("the mailmap speaks of what it changes, and of addresses that it gives to somebody", () => {
  const listed = readMailmap(repository)?.filter(({ isListed }) => isListed) ?? [];
  const names = listed.map(({ name, email, properName }) => `${name} <${email}> ${properName}`);
  expect(names.sort()).toEqual([
    "Ada <ada@old.example.com> ada example",
    "Ada Example <ada@example.com> ada example",
    "Ben <team@example.net> ben sample",
    "Ben Sample <ben@example.org> ben sample",
    "Cara <team@example.org> cara third",
    "D <team@example.org> dora fourth",
    "ada <ada@example.com> ada example",
  ]);
});

test("what is merged without the mailmap is held against it: right, wrong and missed", async () => {
  const { rows, misses, counts } = await truthOfAliases([repository]);
  // One address has both of Ada's names; one has Cara and Dora; Ada's old address and Ben's two are missed.
  expect(rows).toEqual([
    { name: "aliases.precision", value: 1 / 2, bar: 0.99, met: false },
    { name: "aliases.recall", value: 1 / 4, bar: 0, met: true },
  ]);
  expect(misses.filter((miss) => miss.includes("the mailmap has two"))).toEqual([
    expect.stringMatching(/(Cara|D) <team@example.org> \| (Cara|D) <team@example.org>$/),
  ]);
  expect(counts).toContain("2 judged pairs merged, 1 of them wrongly, 3 not merged");
});

test("a clone's mailmap is hidden as a mirror's is, and one without is passed over", async () => {
  const clone = join(folder, "clone");
  git(folder, "clone", "--quiet", repository, clone);
  const plain = inventRepository(join(folder, "plain.git"), [{}]);
  const { rows, parts, skipped } = await truthOfAliases([clone, plain]);
  expect(rows).toEqual((await truthOfAliases([repository])).rows);
  expect(parts).toHaveLength(1);
  expect(skipped).toEqual([expect.stringContaining("has no .mailmap")]);
  expect(truthOfAliases([plain])).rejects.toThrow("has no .mailmap");
});
