/** Every repository that is left out is left out with a reason and with what would help. */
import { expect, test } from "bun:test";
import { chmodSync, chownSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "../../../faults/server-process.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { ada, ben, git, inventRepository } from "../invented-repository.ts";
import { read } from "../read.ts";

const folder = makeFolder("git");
const at = (name: string): string => join(folder, name);
const history = [{ author: ada }, { author: ben }, { author: ada }];
const source = inventRepository(at("source.git"), history, { isLoose: true });
const idOf = (revision: string) => git(source, "rev-parse", revision).toString().trim();

function copy(name: string): string {
  cpSync(source, at(name), { recursive: true });
  return at(name);
}

function bundle(name: string, ...args: string[]): string {
  git(source, "bundle", "create", "-q", at(name), ...args);
  return at(name);
}

function configure(name: string, key: string, value: string): string {
  const path = copy(name);
  git(path, "config", key, value);
  return path;
}

function damage(name: string, revision: string, bytes?: string): string {
  const id = idOf(revision);
  const path = copy(name);
  const file = join(path, "objects", id.slice(0, 2), id.slice(2));
  rmSync(file);
  if (bytes !== undefined) writeFileSync(file, bytes);
  return path;
}

const kinds: Record<string, readonly [make: () => string, reason: RegExp, remedy: RegExp]> = {
  "no path": [() => at("nowhere"), /no such file/, /mounted/],
  "a folder of none": [
    () => {
      mkdirSync(at("plain"));
      return at("plain");
    },
    /none was found below/,
    /4 levels above/,
  ],
  "a folder inside a clone": [
    () => {
      git(folder, "clone", "-q", source, at("outer"));
      mkdirSync(at("outer/inner"));
      return at("outer/inner");
    },
    /none was found below/,
    /4 levels above/,
  ],
  "a plain file": [
    () => {
      writeFileSync(at("notes.txt"), "hello");
      return at("notes.txt");
    },
    /neither a repository nor a bundle/,
    /git bundle create/,
  ],
  "a working tree whose repository is gone": [
    () => {
      mkdirSync(at("orphan"));
      writeFileSync(at("orphan/.git"), `gitdir: ${at("gone")}\n`);
      return at("orphan");
    },
    /not a git repository/,
    /linked working tree/,
  ],
  "no commits": [() => inventRepository(at("empty.git"), []), /it is empty/, /A later run/],
  "no commits at its HEAD": [
    () => {
      const path = inventRepository(at("unborn.git"), [{ author: ada }]);
      git(path, "symbolic-ref", "HEAD", "refs/heads/none");
      return path;
    },
    /HEAD has no commit, but another branch has/,
    /symbolic-ref/,
  ],
  "a newest commit that is missing": [
    () => damage("headless.git", "HEAD"),
    /that HEAD names/,
    /Clone it again/,
  ],
  "an older commit whose bytes are wrong": [
    () => damage("bytes.git", "HEAD~1", "no zlib stream"),
    /objects are missing/,
    /Clone it again/,
  ],
  "a format that is not known": [
    () => {
      const path = configure("format.git", "core.repositoryFormatVersion", "1");
      git(path, "config", "extensions.roundTables", "true");
      return path;
    },
    /newer kind/,
    /new clone/,
  ],
  "settings that are none": [
    () => {
      const path = copy("settings.git");
      writeFileSync(join(path, "config"), "[core\n");
      return path;
    },
    /config failed/,
    /git fsck|clone/,
  ],
  "a pipe in place of an object": [
    () => {
      const path = copy("pipe.git");
      Bun.spawnSync(["mkfifo", join(path, "objects/pack/pack-1.idx")]);
      return path;
    },
    /not a regular file/,
    /Remove it/,
  ],
  "a bundle that needs more": [
    () => bundle("rest.bundle", "main~1..main"),
    /incomplete bundle/,
    /--all/,
  ],
  "a bundle that was cut off": [
    () => {
      const path = bundle("cut.bundle", "--all");
      Bun.spawnSync(["truncate", "-s", "-40", path]);
      return path;
    },
    /damaged bundle/,
    /git bundle verify/,
  ],
};

test.each(Object.entries(kinds))("%s", async (_, [make, reason, remedy]) => {
  const path = make();
  const { refused, summaries } = await read([path, source]);
  expect(refused.map((one) => one.path)).toEqual([path]);
  for (const [key, pattern] of Object.entries({ reason, remedy })) {
    const text = refused[0]?.[key as "reason" | "remedy"];
    expect(text).toMatch(pattern);
    expect(text).toEndWith(".");
  }
  expect(summaries.map((summary) => summary.path)).toEqual([source]);
});

test("git that needs too much memory", async () => {
  const path = inventRepository(
    at("large.git"),
    [
      { author: ada, files: { "a.c": "int a;\n".repeat(900_000) } },
      { author: ada, files: { "a.c": "int b;\n".repeat(900_000) } },
    ],
    { isLoose: true },
  );
  const { refused } = await read([path], { memoryMiB: 4 });
  expect(refused[0]?.reason).toContain("setting ingest.gitMemory");
  expect(refused[0]?.remedy).toContain("Raise that setting");
});

test("SHA-256 and another owner are no reason to leave a repository out", async () => {
  git(folder, "init", "-q", "--bare", "--object-format=sha256", at("sha256.git"));
  const stream = git(source, "fast-export", "--all");
  Bun.spawnSync(["git", "-C", at("sha256.git"), "fast-import", "--quiet"], { stdin: stream });
  git(at("sha256.git"), "symbolic-ref", "HEAD", "refs/heads/main");
  const foreign = copy("foreign.git");
  if (process.getuid?.() === 0) chownSync(foreign, 12_345, 12_345);
  const { refused, summaries } = await read([at("sha256.git"), foreign]);
  expect(refused).toEqual([]);
  expect(summaries.map(({ commits }) => commits)).toEqual([3, 3]);
});

const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

/** Whether this program can be run as somebody else: that needs root, and a checkout that others may read. */
function canRunAsNobody(): boolean {
  if (process.getuid?.() !== 0 || !Bun.which("setpriv")) return false;
  return Bun.spawnSync([...asNobody, ...program, "--version"]).exitCode === 0;
}

test.skipIf(!canRunAsNobody())("what another user may not read (as root only)", () => {
  const closed = copy("closed.git");
  chmodSync(join(closed, "objects"), 0o700);
  const shut = copy("shut.git");
  chmodSync(shut, 0o700);
  mkdirSync(at("data"), { mode: 0o777 });
  for (const path of [folder, at("data")]) chmodSync(path, 0o777);
  const ran = Bun.spawnSync([
    ...asNobody,
    ...program,
    ...["ingest", "git", closed, shut, source, "--json", "--data", at("data/folder")],
  ]);
  const { refused, repositories } = JSON.parse(ran.stdout.toString());
  expect(repositories).toHaveLength(1);
  expect(refused).toHaveLength(2);
  for (const { reason, remedy } of refused) {
    expect(reason).toContain("not readable by this user");
    expect(remedy).toContain("chmod");
  }
});
