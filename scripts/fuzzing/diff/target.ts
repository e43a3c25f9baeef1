/**
 * Reads changes as git writes them, with the function that `roster who --diff` uses. For an intact patch, it must name
 * the paths that git says are touched; for a damaged one, it must come to an end.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDiffPaths } from "../../../src/contract/diff-paths.ts";
import { run } from "../../../test/ingest/git/invented-repository.ts";
import { asBytes, printed } from "../bytes.ts";
import { defineTarget, type OpenTarget } from "../campaign.ts";
import { crashIn, runProgram } from "../program.ts";
import { type Change, changes, type FileState, type Spoiling } from "./changes.ts";

/**
 * The most seconds of processor time for a megabyte. A reader that takes longer needs time in proportion to the square of
 * the input.
 */
const secondsMax = 10;
const longBytes = 2 ** 20;

export const openDiffTarget: OpenTarget = async (folder) => {
  const data = join(folder, "data");
  const known = join(folder, "known");
  mkdirSync(known);
  makeCommits(known, [[{ path: "x", mode: "100644", lines: ["x"], isCutOff: false }]]);
  const read = await runProgram(folder, ["ingest", "git", known, "--data", data]);
  if (read.exitCode !== 0) throw new Error(`ingest ended with ${read.exitCode}: ${read.stderr}`);
  const tally = { whole: 0, spoiled: 0, run: 0 };
  let memory = 0;
  return defineTarget<Change>({
    cases: changes,
    tryCase: async (change) => {
      const { patch, touched } = writePatch(join(folder, "work"), change);
      if (change.spoilings.length === 0) {
        compare(patch, touched);
        tally.whole += 1;
      } else tally.spoiled += 1;
      const spoiled = change.spoilings.reduce(spoil, patch);
      readInTime(spoiled);
      const piece = spoiled.slice(0, 1 + ((change.spoilings[0]?.at ?? 20) % 200));
      readInTime(spoiled + piece.repeat(Math.ceil(longBytes / Math.max(1, piece.length))));
      if (!change.isRun) return;
      const file = join(folder, "patch");
      writeFileSync(file, asBytes(spoiled));
      const argv = ["who", "--repository", "known", "--diff", file, "--data", data, "--json"];
      const ran = await runProgram(folder, argv);
      memory = ran.memory;
      tally.run += 1;
      const crash = crashIn(ran.stderr);
      if (crash) throw new Error(`crash: ${crash}`);
      if (![0, 2, 4].includes(ran.exitCode)) {
        throw new Error(`who ended with ${ran.exitCode}: ${ran.stderr.slice(0, 300)}`);
      }
    },
    reproduce: (change) => {
      const { patch } = writePatch(join(folder, "work"), change);
      const spoiled = change.spoilings.reduce(spoil, patch);
      return `printf '%b' '${printed(spoiled)}' | roster who --diff - # of ${JSON.stringify(change)}`;
    },
    memory: () => memory,
    isLasting: false,
    notes: () => `; ${tally.whole} whole, ${tally.spoiled} spoiled, ${tally.run} by the program`,
    end: async () => [],
  });
};

interface Written {
  /** Bytes as text. */
  readonly patch: string;
  readonly touched: readonly string[];
}

function writePatch(folder: string, change: Change): Written {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const { before, after, merged, settings, flags } = change;
  makeCommits(folder, merged ? [before, merged, after] : [before, after]);
  const range = merged ? ["c3"] : ["c1", "c2"];
  const command = merged ? ["diff-tree", "-c", "-r", "--no-commit-id"] : ["diff"];
  const config = settings.flatMap((setting) => ["-c", setting]);
  const ask = (...argv: string[]) =>
    run(folder, [...config, ...command, ...flags, ...argv, ...range]).toString("latin1");
  const fields = ask("--name-status", "-z").split("\0").slice(0, -1);
  const touched: string[] = [];
  while (fields.length > 0) {
    const status = fields.shift() ?? "";
    touched.push(...fields.splice(0, /^[RC]\d/.test(status) ? 2 : 1));
  }
  const patch = ask("-p");
  const lines = [...change.preamble, patch].join("\n");
  return {
    patch: change.hasReturns ? lines.replaceAll("\n", "\r\n") : lines,
    touched: touched.map(toText),
  };
}

const toText = (bytes: string) => asBytes(bytes).toString("utf8");

function compare(patch: string, touched: readonly string[]): void {
  const expected = [...new Set(touched)].sort();
  const found = [...new Set(readDiffPaths(toText(patch)) ?? [])].sort();
  if (Bun.deepEquals(found, expected)) return;
  throw new Error(`git touches ${JSON.stringify(expected)}, read was ${JSON.stringify(found)}`);
}

function readInTime(patch: string): void {
  const before = process.cpuUsage();
  for (const path of readDiffPaths(toText(patch)) ?? []) {
    if (path.includes("\0") && !patch.includes("\0") && !patch.includes("\\0")) {
      throw new Error(`a path with what was not there: ${JSON.stringify(path)}`);
    }
  }
  const seconds = process.cpuUsage(before).user / 1e6;
  if (seconds > secondsMax) throw new Error(`${patch.length} bytes take ${seconds} s`);
}

function spoil(patch: string, spoiling: Spoiling): string {
  const at = spoiling.at % (patch.length + 1);
  if (spoiling.kind === "insert") return patch.slice(0, at) + spoiling.bytes + patch.slice(at);
  const end = at + spoiling.length;
  if (spoiling.kind === "cut") return patch.slice(0, at) + patch.slice(end);
  return patch.slice(0, end) + patch.slice(at);
}

/** Makes one commit for each state, with tags c1, c2 ...; the third merges the first two. */
function makeCommits(folder: string, states: readonly (readonly FileState[])[]): void {
  run(folder, ["init", "--quiet", "--initial-branch=main"]);
  const parts: string[] = [];
  for (const [at, files] of states.entries()) {
    parts.push("reset refs/heads/main\n", `commit refs/heads/main\nmark :${at + 1}\n`);
    parts.push("committer Good <good@example.com> 1700000000 +0000\ndata 1\nx\n");
    if (at === 2) parts.push("from :1\nmerge :2\ndeleteall\n");
    for (const { path, mode, lines, isCutOff } of files) {
      const text = lines.join("\n") + (isCutOff ? "" : "\n");
      parts.push(`M ${mode} inline ${quote(path)}\ndata ${text.length}\n${text}\n`);
    }
    parts.push(`reset refs/tags/c${at + 1}\nfrom :${at + 1}\n\n`);
  }
  run(folder, ["fast-import", "--quiet", "--force"], asBytes(parts.join("")));
}

const quote = (path: string) =>
  `"${[...path].map((byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`).join("")}"`;
