/** Runs of the real program over known histories that are killed at drawn moments: the next one ends as if nothing had happened. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openProgram } from "../ingest/forges/program.ts";
import { type InventedCommit, inventRepository } from "../ingest/git/invented-repository.ts";
import { isLong } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";

const kills = isLong ? 20 : 2;

/** People who share commits, name each other in trailers and have two addresses each. */
function inventCommits(count: number, repository: string): InventedCommit[] {
  return Array.from({ length: count }, (_, at) => {
    const number = at % 9;
    const host = at % 2 === 0 ? "home.example" : "work.example";
    return {
      author: `Person Number${number} <person${number}@${host}>`,
      at: 1_700_000_000 + at * 40_000,
      message:
        `Change ${at} of ${repository}, because it was wrong\n\n` +
        `Reviewed-by: Person Number${(number + 1) % 9} <person${(number + 1) % 9}@home.example>\n` +
        `Co-authored-by: Person Number${(number + 2) % 9} <person${(number + 2) % 9}@work.example>\n`,
      files: { [`src/${at % 7}.go`]: `package main // ${at}\n` },
    };
  });
}

/** Repositories as they are at a step: each has more commits than before, the second is a fork, the third is rewritten. */
function writeRepositories(folder: string, step: number): void {
  rmSync(folder, { recursive: true, force: true });
  const one = inventCommits(20 + 3 * step, "one");
  inventRepository(join(folder, "one.git"), one);
  inventRepository(join(folder, "fork.git"), [...one.slice(0, 15), ...inventCommits(step, "fork")]);
  inventRepository(join(folder, "rewritten.git"), inventCommits(12 + (step % 3), `round ${step}`));
}

test("runs that are killed at any moment lose and double nothing", async () => {
  const random = createRandom(drawSeed("killed runs"));
  using roster = openProgram();
  const folder = join(roster.folder, "mirrors");
  writeRepositories(folder, 0);
  await roster.ingestGit(folder);
  writeRepositories(folder, 1);
  const began = performance.now();
  await roster.ingestGit(folder);
  const usual = performance.now() - began;
  for (let kill = 0; kill < kills; kill++) {
    writeRepositories(folder, kill + 2);
    const run = roster.spawn(["ingest", "git", folder]);
    await Bun.sleep(random() * usual);
    run.kill("SIGKILL");
    await run.exited;
    await roster.ingestGit(folder);
    using fresh = openProgram();
    await fresh.ingestGit(folder);
    expect(await roster.exportAll()).toBe(await fresh.exportAll());
  }
}, 300_000);
