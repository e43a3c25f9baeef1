/** Repositories whose refs are a reftable: the tables are written here, so that any git makes the rest. */
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../../temporary-folder.ts";
import { ada, ben, git, inventRepository } from "../invented-repository.ts";
import { read } from "../read.ts";

const folder = makeFolder("reftable");
const at = (name: string): string => join(folder, name);

const [, major, minor] = /(\d+)\.(\d+)/.exec(git(folder, "version").toString()) ?? [];
const readsTables = Number(major) * 1000 + Number(minor) >= 2045;
const old = "its refs are stored as a reftable, which needs git 2.45 or newer; git";

type Refs = Readonly<Record<string, string>>;

function toNumber(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, bytes - Math.min(bytes, 6), Math.min(bytes, 6));
  return buffer;
}

/** A table of git's format: one block of refs, sorted, each an id in hex or the name of another ref. */
function writeTable(path: string, refs: Refs): void {
  const records = Object.entries(refs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => {
      const isName = value.startsWith("refs/");
      const size = (name.length << 3) | (isName ? 3 : 1);
      const length = size < 128 ? [size] : [0x80 | ((size >> 7) - 1), size & 127];
      const bytes = isName ? [value.length, ...Buffer.from(value)] : Buffer.from(value, "hex");
      return Buffer.from([0, ...length, ...Buffer.from(name), 0, ...bytes]);
    });
  const header = Buffer.concat([
    ...[Buffer.from("REFT"), toNumber(1, 1), toNumber(4096, 3)],
    ...[toNumber(1, 8), toNumber(1, 8)],
  ]);
  const body = Buffer.concat(records);
  const end = header.length + 4 + body.length + 5;
  const block = [Buffer.from("r"), toNumber(end, 3), body, toNumber(header.length + 4, 3)];
  const footer = Buffer.concat([header, Buffer.alloc(40)]);
  const sum = toNumber(Bun.hash.crc32(footer), 4);
  mkdirSync(path, { recursive: true });
  const table = Buffer.concat([header, ...block, toNumber(1, 2), footer, sum]);
  writeFileSync(join(path, "0x000000000001-0x000000000001-00000001.ref"), table);
  writeFileSync(join(path, "tables.list"), "0x000000000001-0x000000000001-00000001.ref\n");
}

/** Replaces the refs of a folder of git by a table, as `git init --ref-format=reftable` lays it out. */
function toTable(directory: string, refs: Refs): void {
  writeTable(join(directory, "reftable"), refs);
  for (const name of ["refs", "packed-refs"]) {
    rmSync(join(directory, name), { recursive: true, force: true });
  }
  mkdirSync(join(directory, "refs"));
  writeFileSync(join(directory, "refs/heads"), "this repository uses the reftable format\n");
  writeFileSync(join(directory, "HEAD"), "ref: refs/heads/.invalid\n");
}

const history = [
  { author: ada, files: { "a.ts": "a\n" } },
  { author: ben, files: { "b.ts": "b\n" } },
];

/** A repository whose branch `main` has both commits and `side` the first. */
function invent(name: string): string {
  const path = inventRepository(at(name), history);
  storeAsTable(path);
  return path;
}

function storeAsTable(path: string): void {
  const tip = git(path, "rev-parse", "main").toString().trim();
  const first = git(path, "rev-parse", "main~1").toString().trim();
  git(path, "config", "core.repositoryFormatVersion", "1");
  git(path, "config", "extensions.refStorage", "reftable");
  toTable(path, { HEAD: "refs/heads/main", "refs/heads/main": tip, "refs/heads/side": first });
}

/** Each path holds so many commits, or is left out with the reason where the installed git is too old to read it. */
async function expectCommits(path: string, commits: number, program?: string) {
  const { summary, refused, people } = await read([path], program ? { program } : {});
  if (readsTables && !program) expect(summary?.commits ?? refused).toBe(commits);
  else expect(refused[0]?.reason).toStartWith(old);
  return people.map(({ profile }) => profile.name);
}

test("a reftable is read, or refused plainly by an older git", async () => {
  await expectCommits(invent("plain.git"), 2);
});

test("a linked working tree is read by its own HEAD", async () => {
  const path = at("shared.git");
  const tip = git(inventRepository(path, history), "rev-parse", "main").toString().trim();
  storeAsTable(path);
  for (const [name, head, commits] of [
    ["on-a-branch", "refs/heads/side", 1],
    ["detached", "", 2],
  ] as const) {
    const own = join(path, "worktrees", name);
    mkdirSync(own, { recursive: true });
    toTable(own, { HEAD: head || tip });
    writeFileSync(join(own, "commondir"), "../..\n");
    writeFileSync(join(own, "gitdir"), `${at(name)}/.git\n`);
    mkdirSync(at(name));
    writeFileSync(at(`${name}/.git`), `gitdir: ${own}\n`);
    writeFileSync(at(`${name}/.mailmap`), "Ada Renamed <ada@example.com>\n");
    const names = await expectCommits(at(name), commits);
    if (readsTables) expect(names).toContain("Ada Renamed");
  }
});

test("an older git is told, whichever is installed", async () => {
  const program = at("older-git");
  const script = `#!/bin/sh\ncase "$*" in *version) echo git version 2.39.5;; *) exec git "$@";; esac\n`;
  writeFileSync(program, script, { mode: 0o755 });
  await expectCommits(invent("too-new.git"), 0, program);
});

test("a pipe in place of a table is refused", async () => {
  const path = invent("pipe.git");
  rmSync(join(path, "reftable/tables.list"));
  Bun.spawnSync(["mkfifo", join(path, "reftable/tables.list")]);
  expect((await read([path])).refused[0]?.reason).toContain("is not a regular file");
});
