/** A clone in which commits are made, and from which they are pushed as people do. */

import type { Signature } from "../planted/people.ts";
import { toCommand } from "./write-repository.ts";

export interface Pusher {
  /** Adds a commit of one file to the branch of HEAD. It is not pushed yet. */
  commit(author: Signature, at: number): void;
  push(): void;
}

/** @throws when the mirror cannot be cloned or its HEAD names no branch. */
export function openPusher(mirror: string, clone: string): Pusher {
  runGit("clone", "-q", "--bare", "--shared", mirror, clone);
  const git = (...args: string[]) => runGit("-C", clone, ...args);
  const branch = git("symbolic-ref", "HEAD");
  let made = 0;
  return {
    commit(author, at) {
      made += 1;
      const files = new Map([["src/pushed.ts", `export const pushed = ${made};\n`]]);
      const message = `Count what was pushed, up to ${made}`;
      const work = { branch, from: `${branch}^0`, author, at, message, files };
      runGit("-C", clone, "fast-import", "--quiet", { input: toCommand(work) });
    },
    push() {
      git("push", "-q", mirror, branch);
    },
  };
}

/** @returns standard output. @throws with what git says when it fails. */
export function runGit(...args: readonly (string | { readonly input: string })[]): string {
  const command = args.filter((arg) => typeof arg === "string");
  const given = args.find((arg) => typeof arg !== "string");
  const stdin = given ? Buffer.from(given.input) : "ignore";
  const { stdout, stderr, success } = Bun.spawnSync(["git", ...command], { stdin });
  if (!success) throw new Error(`git ${command.join(" ")}: ${stderr.toString().trim()}`);
  return stdout.toString().trim();
}
