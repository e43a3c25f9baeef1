/** Repositories with pipes, devices and loops in place of files: none keeps a run waiting, and the others are read. */
import { beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { git, inventRepository } from "../ingest/git/invented-repository.ts";
import { read } from "../ingest/git/read.ts";
import { makeFolder } from "../temporary-folder.ts";
import { startIngest } from "./ingest-process.ts";

const folder = makeFolder("git");
const at = (...names: string[]): string => join(folder, ...names);
const good = inventRepository(at("good.git"), [{}, {}]);

beforeAll(() => {
  git(folder, "clone", "--quiet", good, at("clone"));
  git(at("clone"), "repack", "--quiet", "-a", "-d");
  git(at("clone"), "pack-refs", "--all");
});

/** Replaces a file of a clone. */
type Put = (path: string) => void;

const pipe: Put = (path) => void Bun.spawnSync(["mkfifo", path]);
const zero: Put = (path) => symlinkSync("/dev/zero", path);
const loop: Put = (path) => symlinkSync(path, path);
const emptyFolder: Put = (path) => void mkdirSync(path);
const text =
  (content: string): Put =>
  (path) =>
    writeFileSync(path, content);

const isRead = "read";
const noFile = /is not a regular file/;
const notRead = /not readable/;

const cases: readonly (readonly [path: string, put: Put, expected: RegExp | typeof isRead])[] = [
  [".mailmap", pipe, isRead],
  [".mailmap", zero, isRead],
  [".mailmap", emptyFolder, isRead],
  [".gitattributes", pipe, isRead],
  ["file-0.js", pipe, isRead],
  [".git", pipe, noFile],
  [".git", zero, noFile],
  [".git", loop, /not a git repository/],
  [".git", text("gitdir: .git\n"), /not readable|not a git repository/],
  [".git", text("gitdir: /dev/zero\n"), /not readable|not a git repository/],
  [".git/HEAD", pipe, noFile],
  [".git/HEAD", zero, noFile],
  [".git/HEAD", loop, notRead],
  [".git/HEAD", emptyFolder, noFile],
  [".git/HEAD", text("ref: refs/heads/a\n"), /HEAD has no commit/],
  [".git/HEAD", text("ref: refs/../../../../../../../../dev/zero\n"), noFile],
  [".git/HEAD", text("x".repeat(100_000)), /is larger than/],
  [".git/config", pipe, noFile],
  [".git/config", zero, noFile],
  [".git/config", text("[core\n".repeat(100)), /git config failed/],
  [".git/config", text(`#${"x".repeat(2_000_000)}`), /is larger than/],
  [".git/config", text("[core]\nrepositoryFormatVersion = 7\n"), /newer kind/],
  [".git/config.worktree", pipe, isRead],
  [".git/commondir", pipe, noFile],
  [".git/commondir", text("/dev"), /not a git repository/],
  [".git/packed-refs", pipe, noFile],
  [".git/packed-refs", zero, noFile],
  [".git/refs/heads/main", pipe, noFile],
  [".git/refs/heads/main", zero, noFile],
  [".git/refs/heads/main", text("ref: refs/heads/main\n"), /HEAD has no commit/],
  [".git/refs/heads/other", pipe, isRead],
  [".git/refs/replace", pipe, isRead],
  [".git/shallow", pipe, noFile],
  [".git/index", pipe, isRead],
  [".git/info/attributes", pipe, isRead],
  [".git/info/exclude", pipe, isRead],
  [".git/info/grafts", pipe, isRead],
  [".git/logs/HEAD", pipe, isRead],
  [".git/objects", pipe, /not a git repository/],
  [".git/objects", loop, /not readable/],
  [".git/objects/pack", pipe, noFile],
  [".git/objects/pack/pack-1.idx", pipe, noFile],
  [".git/objects/pack/pack-1.idx", zero, noFile],
  [".git/objects/pack/multi-pack-index", pipe, noFile],
  [".git/objects/pack/pack-1.promisor", text(""), isRead],
  [".git/objects/00/00", pipe, noFile],
  [".git/objects/info/commit-graph", pipe, noFile],
  [".git/objects/info/commit-graphs/commit-graph-chain", pipe, noFile],
  [".git/objects/info/alternates", pipe, noFile],
  [".git/objects/info/alternates", zero, noFile],
  [".git/objects/info/alternates", text("PIPE\n"), isRead],
  [".git/objects/info/alternates", text("/dev/zero\n/etc\n"), isRead],
  [".git/objects/info/alternates", text(".\n../objects\n../../.git/objects\n"), isRead],
  [".git/objects/info/alternates", text("../../../round/objects\n"), isRead],
  [".git/objects/info/alternates", text("/tmp\n".repeat(100_000)), /is larger than/],
];

test("what is no file keeps nobody waiting", async () => {
  mkdirSync(at("round/objects/info"), { recursive: true });
  writeFileSync(at("round/objects/info/alternates"), `${at("round/objects")}\n../objects/.\n`);
  const shelf = at("files");
  for (const [number, [path, put]] of cases.entries()) {
    const made = join(shelf, String(number));
    cpSync(at("clone"), made, { recursive: true });
    const place = join(made, path);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(dirname(place), { recursive: true });
    put(place);
  }
  const paths = [...cases.keys()].map((number) => join(shelf, String(number)));
  const signal = AbortSignal.timeout(200_000);
  const { summaries, refused } = await read([...paths, good], { signal });
  const found = new Map([
    ...summaries.map(({ path, commits }) => [path, `read ${commits}`] as const),
    ...refused.map(({ path, reason }) => [path, reason] as const),
  ]);
  expect(found.get(good)).toBe("read 2");
  const unlike = cases.flatMap(([path, put, expected], number) => {
    const said = found.get(paths[number] as string) ?? "nothing";
    const isAsExpected = expected === isRead ? said === "read 2" : expected.test(said);
    return isAsExpected ? [] : [`${path} ${put.name}: ${said}`];
  });
  expect(unlike).toEqual([]);
}, 300_000);

/** A git that hangs in repositories called `stuck`, with a child, and ignores SIGTERM and SIGINT. */
function hangingGit(): string {
  const bin = at("bin");
  mkdirSync(bin, { recursive: true });
  mkdirSync(at("pids"), { recursive: true });
  const real = Bun.which("git");
  const script = `#!/bin/sh
case "$(readlink "$GIT_DIR/objects")" in *stuck*)
  trap '' TERM INT
  sleep 1000 & echo $! >${at("pids")}/$!
  echo $$ >${at("pids")}/$$
  wait; wait; sleep 1000
esac
exec ${real} "$@"
`;
  writeFileSync(join(bin, "git"), script);
  chmodSync(join(bin, "git"), 0o755);
  return `${bin}:${process.env["PATH"]}`;
}

const isAlive = (pid: string): boolean => {
  const state = existsSync(`/proc/${pid}/stat`) && readFileSync(`/proc/${pid}/stat`, "latin1");
  return state !== false && !/\) Z /.test(state);
};

const startedPids = (): string[] => readdirSync(at("pids"));
/** Killed processes take a moment to end. */
async function untilNoneIsAlive(): Promise<void> {
  while (startedPids().some(isAlive)) await Bun.sleep(10);
}

test("a repository that takes longer than it may is left out, its processes ended, and the others are read", async () => {
  inventRepository(at("shelf/stuck.git"), [{}]);
  inventRepository(at("shelf/sound.git"), [{}, {}, {}]);
  const run = startIngest(at("data"), ["--timeout", "5s", at("shelf")], { PATH: hangingGit() });
  const { code, read: found, refused, err } = await run.ended();
  expect(refused).toEqual({ "stuck.git": "not read within 5 seconds (setting ingest.timeout)." });
  expect(err).toContain("left out");
  expect(found).toEqual({ "sound.git": 3 });
  expect(code).toBe(3);
  expect(startedPids().length).toBeGreaterThan(1);
  await untilNoneIsAlive();
}, 300_000);

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} ends a run in which git hangs, and git with it`, async () => {
    rmSync(at("pids"), { recursive: true, force: true });
    const run = startIngest(at(`data-${signal}`), [at("shelf")], { PATH: hangingGit() });
    while (startedPids().length < 2) await Bun.sleep(20);
    run.child.kill(signal);
    expect((await run.ended()).code).toBe(130);
    await untilNoneIsAlive();
  }, 300_000);
}

test("a git that is too old, or does not say its age, is named before anything is read", async () => {
  for (const [version, said] of [
    ["git version 2.30.2", "git 2.30.2 is too old: reading repositories needs 2.32 or newer"],
    ["something else", "git does not say which version it is"],
  ] as const) {
    const program = at("old-git");
    writeFileSync(program, `#!/bin/sh\necho "${version}"\n`);
    chmodSync(program, 0o755);
    await expect(read([good], { program })).rejects.toThrow(said);
  }
});
