/** A repository may take so long and no longer, whatever git is doing; the others are read, and nothing is left running. */
import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../../temporary-folder.ts";
import { ada, ben, git, inventRepository } from "../invented-repository.ts";
import { openData } from "../opened-data.ts";

const folder = makeFolder("git");
const at = (name: string): string => join(folder, name);

/** Every command of git is needed for this one: a mailmap, trailers, manifests, code, lines that change in place. */
const stuck = inventRepository(at("a-stuck.git"), [
  {
    author: ada,
    files: { ".mailmap": `${ada} <a@old.example>\n`, "package.json": "{}", "a.go": "package a\n" },
  },
  { author: ben, files: { "a.go": "package  a\n" }, message: `Both\n\nCo-authored-by: ${ada}` },
  { author: ben, files: { "b.go": "package b\n" } },
]);
const bundled = at("a-stuck.bundle");
git(stuck, "bundle", "create", "-q", bundled, "--all");
const other = inventRepository(at("b-other.git"), [{ author: "Cara Third <cara@example.net>" }]);

let hung = 0;

interface HangingGit {
  readonly program: string;
  /** There once it has hung. */
  readonly begun: string;
  /** How its sleeping child is found again. */
  readonly nap: string;
}

/** A git that does its work, but hangs in one command the first time, with a child of its own. */
function hangAt(command: string): HangingGit {
  hung += 1;
  const nap = `600.${process.pid}${String(hung).padStart(2, "0")}`;
  const [begun, program] = [at(`begun-${hung}`), at(`git-that-hangs-${hung}`)];
  const hang = `if [ ! -e ${begun} ]; then echo > ${begun}; sleep ${nap} & wait; fi`;
  const script = `#!/bin/sh\ncase " $* " in *" ${command} "*) ${hang};; esac\nexec git "$@"\n`;
  writeFileSync(program, script, { mode: 0o755 });
  return { program, begun, nap };
}

function isNapping(nap: string): boolean {
  return Bun.spawnSync(["pgrep", "-f", `sleep ${nap}`]).exitCode === 0;
}

/** The one that does not hang must be read in it, on a busy machine too. */
const timeoutMs = 8000;

// At the same time: each waits until its time is over.
test.concurrent.each([
  ["config", stuck],
  ["rev-parse", stuck],
  ["rev-list", stuck],
  ["ls-tree", stuck],
  ["cat-file", stuck],
  ["log", stuck],
  ["diff-tree", stuck],
  ["check-mailmap", stuck],
  ["list-heads", bundled],
  ["unbundle", bundled],
])(
  "that hangs in git %s is left out, and the next run reads it",
  async (command, path) => {
    const { program, begun, nap } = hangAt(command);
    const data = openData();
    const { refused, summaries } = await data.ingest([path, other], {
      jobs: 1,
      timeoutMs,
      program,
    });
    expect(existsSync(begun)).toBe(true);
    expect(refused).toEqual([
      {
        path,
        reason: "not read within 8 seconds (setting ingest.timeout).",
        remedy: expect.stringContaining("more time"),
      },
    ]);
    expect(summaries.map((summary) => summary.path)).toEqual([other]);
    // Killed with its children; the system takes a moment to bury them.
    while (isNapping(nap)) await Bun.sleep(10);
    expect(await data.statuses([path, other], { program })).toEqual([
      ["new", 3],
      ["unchanged", 0],
    ]);
  },
  300_000,
);

test("what was read of it before stays, and is where the next run goes on", async () => {
  const data = openData();
  const tip = git(stuck, "rev-parse", "HEAD").toString().trim();
  git(stuck, "update-ref", "refs/heads/main", `${tip}~1`);
  await data.ingest([stuck, other]);
  const before = await data.exported();
  git(stuck, "update-ref", "refs/heads/main", tip);
  const { program } = hangAt("log");
  const { refused, imported } = await data.ingest([stuck, other], { jobs: 1, timeoutMs, program });
  expect(refused).toHaveLength(1);
  expect(imported).toMatchObject({ added: 0, removed: 0 });
  expect(await data.exported()).toBe(before);
  expect(await data.statuses([stuck])).toEqual([["continued", 1]]);
}, 300_000);
