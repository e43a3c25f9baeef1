/** Makes hostile repositories on disk, with git's own importer where it allows them and by hand where it does not. */
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../../../test/ingest/git/invented-repository.ts";
import { asBytes } from "../bytes.ts";
import type { Damage } from "./damages.ts";
import type { HostileCommit, HostileRepository } from "./repositories.ts";

/** @param canary a program that must never run. */
export function makeRepository(path: string, hostile: HostileRepository, canary: string): void {
  const { isBare, commits, literal, damages } = hostile;
  const gitFolder = isBare ? path : join(path, ".git");
  mkdirSync(path, { recursive: true });
  runGit(path, ["init", "--quiet", "--initial-branch=main", ...(isBare ? ["--bare"] : [])]);
  if (commits.length > 0) {
    // Permissive, because impossible time zones must come through. Small objects stay loose, so that single ones can be
    // damaged.
    const stream = ["fast-import", "--quiet", "--force", "--date-format=raw-permissive"];
    runGit(path, ["-c", "fastimport.unpackLimit=1000", ...stream], asStream(commits));
    if (literal !== undefined) commitLiterally(path, literal);
  }
  for (const damage of damages) inflict(gitFolder, damage, canary);
}

/** Runs git without this machine's settings. @returns what it prints, trimmed. */
export function runGit(directory: string, args: readonly string[], input?: Buffer): string {
  return run(directory, args, input).toString().trim();
}

function asStream(commits: readonly HostileCommit[]): Buffer {
  const parts: string[] = [];
  const data = (bytes: string) => parts.push(`data ${bytes.length}\n${bytes}\n`);
  for (const [at, { author, seconds, zone, message, files, parents }] of commits.entries()) {
    const mark = at + 1;
    // Each commit is a root unless it names a parent.
    parts.push("reset refs/heads/main\n");
    parts.push(`commit refs/heads/main\nmark :${mark}\n`);
    for (const who of ["author", "committer"]) parts.push(`${who} ${author} ${seconds} ${zone}\n`);
    data(message);
    const marks = parents.map((back) => mark - back).filter((parent) => parent > 0);
    for (const [order, parent] of marks.entries())
      parts.push(`${order === 0 ? "from" : "merge"} :${parent}\n`);
    for (const { mode, path, content } of files) {
      if (mode === "160000") parts.push(`M 160000 ${"1".repeat(40)} ${quoted(path)}\n`);
      else {
        parts.push(`M ${mode} inline ${quoted(path)}\n`);
        data(content);
      }
    }
    parts.push("\n");
  }
  return asBytes(parts.join(""));
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}"`;
}

function commitLiterally(path: string, literal: string): void {
  const [tree = "", parent = ""] = runGit(path, ["rev-parse", "HEAD^{tree}", "HEAD"]).split("\n");
  const bytes = literal.replaceAll("{tree}", tree).replaceAll("{parent}", parent);
  const made = runGit(
    path,
    ["hash-object", "-t", "commit", "-w", "--literally", "--stdin"],
    asBytes(bytes),
  );
  writeFileSync(
    join(path, runGit(path, ["rev-parse", "--git-dir"]), "refs/heads/main"),
    `${made}\n`,
  );
}

function inflict(gitFolder: string, damage: Damage, canary: string): void {
  const filled = (text: string) =>
    text.replaceAll("{canary}", canary).replaceAll("{folder}", dirname(canary));
  if (damage.kind === "object") {
    breakObject(join(gitFolder, "objects"), damage);
    return;
  }
  if (damage.kind === "config") {
    // A link is not followed, because it may lead to a file of this machine.
    const config = join(gitFolder, "config");
    if (lstatSync(config).isFile()) appendFileSync(config, asBytes(filled(damage.text)));
    return;
  }
  const path = join(gitFolder, damage.path);
  // A bare repository has no working tree.
  const isBeside = damage.path.startsWith("../");
  if (isBeside && !gitFolder.endsWith("/.git")) return;
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  if (damage.kind === "file") writeFileSync(path, asBytes(filled(damage.content)), { mode: 0o755 });
  else if (damage.kind === "link") symlinkSync(damage.to, path);
  else Bun.spawnSync(["mkfifo", path]);
}

function breakObject(folder: string, { how, pick }: Extract<Damage, { kind: "object" }>): void {
  const loose = [...new Bun.Glob("??/*").scanSync(folder)].sort();
  const picked = loose[pick % Math.max(1, loose.length)];
  if (picked === undefined) return;
  const path = join(folder, picked);
  const bytes = readFileSync(path);
  rmSync(path);
  if (how === "cut") writeFileSync(path, bytes.subarray(0, bytes.length >> 1));
  if (how === "empty") writeFileSync(path, "");
  if (how === "spoil")
    writeFileSync(
      path,
      bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 0x55 : byte)),
    );
}
