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

/**
 * A git that does its work, but hangs in one command the first time, with a child of its own.
 * @returns the program, a file that is there once it has hung, and what its sleeping child is found by.
 */
function hangAt(command: string) {
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
    const how = { jobs: 1, timeoutMs, program };
    const { refused, summaries } = await data.ingest([path, other], how);
    expect(existsSync(begun)).toBe(true);
    const reason = "not read within 8 seconds (setting ingest.timeout).";
    expect(refused).toEqual([{ path, reason, remedy: expect.stringContaining("more time") }]);
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
