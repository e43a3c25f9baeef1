import { spawnSync } from "node:child_process";
import { UnusableInput } from "../measurement.ts";

/** @returns what git itself prints for a repository, as bytes. */
export function askGit(path: string, args: readonly string[]): Buffer {
  const done = spawnSync("git", ["-c", "safe.directory=*", "-C", path, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 30,
  });
  if (done.status !== 0) throw new UnusableInput(`${path}: ${done.stderr}`);
  return done.stdout;
}
