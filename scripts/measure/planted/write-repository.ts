import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { History, PlantedCommit } from "./history.ts";

/** Makes a bare repository of a history, by git itself. The same history gives the same commits. */
export function writeRepository(path: string, { commits }: History): void {
  mkdirSync(dirname(path), { recursive: true });
  git(["init", "--quiet", "--bare", "--initial-branch=main", path]);
  git(["-C", path, "fast-import", "--quiet", "--done"], asStream(commits));
}

function git(args: readonly string[], input?: Buffer): void {
  const done = Bun.spawnSync(["git", ...args], {
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      LC_ALL: "C",
    },
    ...(input && { stdin: input }),
  });
  if (done.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr.toString()}`);
}

function asStream(commits: readonly PlantedCommit[]): Buffer {
  const parts: string[] = [];
  const data = (text: string) => parts.push(`data ${Buffer.byteLength(text)}\n${text}\n`);
  for (const [at, { author, at: seconds, message, files, isMerge }] of commits.entries()) {
    const who = `${author.name} <${author.email}> ${seconds} +0000`;
    parts.push(`commit refs/heads/main\nmark :${at + 1}\nauthor ${who}\ncommitter ${who}\n`);
    data(message);
    if (at > 0) parts.push(`from :${at}\n`);
    if (isMerge && at > 1) parts.push(`merge :${at - 1}\n`);
    for (const [path, content] of Object.entries(files)) {
      parts.push(`M 100644 inline ${path}\n`);
      data(content);
    }
    parts.push("\n");
  }
  parts.push("done\n");
  return Buffer.from(parts.join(""));
}
