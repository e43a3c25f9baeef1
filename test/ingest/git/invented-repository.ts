/** Makes small real repositories with git itself: `fast-import` takes names, dates and bytes as they are. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../temporary-folder.ts";

export interface InventedCommit {
  /** `Name <address>`; bytes where the name is no valid UTF-8. */
  readonly author?: string | Buffer;
  /** Seconds since 1970, or a day `YYYY-MM-DD` at noon UTC. */
  readonly at?: number | string;
  /** When it was made, in the same forms; default: when it was written. */
  readonly committedAt?: number | string;
  readonly zone?: string;
  readonly message?: string;
  /** Contents by path; null deletes. */
  readonly files?: Readonly<Record<string, string | null>>;
  readonly rename?: readonly [from: string, to: string];
  /** Earlier commits by index in the list; default: the one before; empty: another beginning. */
  readonly parents?: readonly number[];
}

export const ada = "Ada Example <ada@example.com>";
export const ben = "Ben Sample <ben@example.org>";

export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "roster-git-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs git apart from the machine's own settings. @returns standard output. */
export function git(directory: string, ...args: string[]): Buffer {
  return run(directory, args);
}

export function run(directory: string, args: readonly string[], input?: Buffer): Buffer {
  const done = Bun.spawnSync(["git", "-C", directory, ...args], {
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
    ...(input && { stdin: input }),
  });
  if (done.exitCode !== 0) throw new Error(`git ${args[0]}: ${done.stderr.toString()}`);
  return Buffer.from(done.stdout);
}

/**
 * Makes a bare repository whose main branch ends at the last commit. Its objects lie in one pack, which is written once: a file
 * for each, as git leaves few of them, takes three times as long.
 * @param isLoose for tests that take single objects away.
 * @returns its path.
 */
export function inventRepository(
  path: string,
  commits: readonly InventedCommit[],
  { isLoose = false } = {},
): string {
  // What `git init --bare` leaves, without its process and its example hooks.
  for (const folder of ["objects", "refs", "info"])
    mkdirSync(join(path, folder), { recursive: true });
  if (!existsSync(join(path, "HEAD"))) {
    writeFileSync(join(path, "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(path, "config"), emptyConfig);
  }
  if (commits.length > 0) {
    const packed = isLoose ? [] : ["-c", "fastimport.unpackLimit=1"];
    // Permissive: zones that no clock has must come through.
    const importing = ["fast-import", "--quiet", "--date-format=raw-permissive"];
    run(path, ["-c", "core.fsync=none", ...packed, ...importing], asStream(commits));
  }
  return path;
}

/** @returns what makes repositories in folders of their own, which are removed after the tests. */
export function openInventor(name = "tool.git") {
  const folder = makeFolder("git");
  let made = 0;
  return (commits: readonly InventedCommit[], called = name): string =>
    inventRepository(join(folder, String(made++), called), commits);
}

const emptyConfig = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n";

/** As `git shortlog` says it, without its padding. */
export function shortlog(path: string, ...args: string[]): string[] {
  const output = run(path, ["shortlog", "-sne", "--no-merges", ...args, "HEAD"]);
  return output
    .toString("latin1")
    .split("\n")
    .filter(Boolean)
    .map((line) => line.trimStart());
}

function asStream(commits: readonly InventedCommit[]): Buffer {
  const parts: Buffer[] = [];
  const put = (text: string): number => parts.push(Buffer.from(text));
  const data = (text: string): void => {
    const bytes = Buffer.from(text);
    put(`data ${bytes.length}\n`);
    parts.push(bytes);
    put("\n");
  };
  for (const [at, commit] of commits.entries()) {
    const author = Buffer.from(commit.author ?? ada);
    const zone = commit.zone ?? "+0000";
    const seconds = secondsOf(commit.at ?? 1_700_000_000 + at * 86_400);
    if (commit.parents?.length === 0) put("reset refs/heads/main\n\n");
    put(`commit refs/heads/main\nmark :${at + 1}\nauthor `);
    parts.push(author);
    put(` ${seconds} ${zone}\ncommitter `);
    parts.push(author);
    put(` ${secondsOf(commit.committedAt ?? seconds)} ${zone}\n`);
    data(commit.message ?? `Change number ${at}`);
    const parents = commit.parents ?? (at > 0 ? [at - 1] : []);
    for (const [order, parent] of parents.entries()) {
      put(`${order === 0 ? "from" : "merge"} :${parent + 1}\n`);
    }
    if (commit.rename) put(`R ${commit.rename[0]} ${commit.rename[1]}\n`);
    for (const [path, content] of Object.entries(
      commit.files ?? (commit.rename ? {} : { [`file-${at}.js`]: `const value = ${at};\n` }),
    )) {
      if (content === null) put(`D ${quote(path)}\n`);
      else {
        put(`M 100644 inline ${quote(path)}\n`);
        data(content);
      }
    }
    put("\n");
  }
  return Buffer.concat(parts);
}

function quote(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

function secondsOf(at: number | string): number {
  return typeof at === "number" ? at : Date.parse(`${at}T12:00:00Z`) / 1000;
}
