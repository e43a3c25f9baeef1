/** A repository whose commits are the same in every run. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";

export interface Author {
  readonly name: string;
  readonly email: string;
}

export interface Authorship {
  readonly author: Author;
  readonly commits: number;
}

/** Makes it in an empty folder. */
export function makeRepository(folder: string, authors: readonly Authorship[]): void {
  run(folder, { name: "Nobody", email: "nobody@example.com" }, "init", "-q", "-b", "main");
  for (const { author, commits } of authors) addCommits(folder, author, commits);
}

export function addCommits(folder: string, author: Author, commits: number): void {
  for (let commit = 0; commit < commits; commit += 1) {
    appendFileSync(join(folder, "main.go"), `// ${author.name}, ${commit}\n`);
    run(folder, author, "add", "main.go");
    run(folder, author, "commit", "-q", "-m", `feat: add line ${commit}, because a test reads it`);
  }
}

function run(folder: string, { name, email }: Author, ...argv: string[]): void {
  const date = "2026-10-01T12:00:00Z";
  const env = {
    ...{ PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date },
  };
  const { exitCode, stderr } = Bun.spawnSync(["git", ...argv], { cwd: folder, env });
  if (exitCode !== 0) throw new Error(`git ${argv[0]}: ${stderr}`);
}
