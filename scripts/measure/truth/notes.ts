import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fingerprintSha } from "../../../src/ingest/git/commit/fingerprints.ts";
import { findAgentByTool } from "../../../src/ingest/git/credit/agents.ts";
import { openGit } from "../../../src/ingest/git/git-command.ts";
import { openLedger } from "../../../src/ingest/git/ledger/ledger.ts";
import { listPlaces } from "../../../src/ingest/git/ledger/places.ts";
import type { KeptNote } from "../../../src/ingest/git/notes/judge-note.ts";
import { readKeptNotes } from "../../../src/ingest/git/notes/note-rows.ts";
import { readRepositories } from "../../../src/ingest/git/read-repositories.ts";
import { findRepositories } from "../../../src/ingest/git/repository/find-repositories.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { askGit } from "../git/ask-git.ts";
import { type CountedNote, countNote } from "../git/count-notes.ts";
import { defineMeasurement, type Findings, UnusableInput } from "../measurement.ts";
import { repositoriesAt } from "../repositories-at.ts";
import { atLeast, toShare } from "../rows.ts";

export const measurement = defineMeasurement({
  about: "Notes of git-ai, against a count of its own and against git-ai itself.",
  takes: "PATH...",
  options: { tool: "" },
  run: ({ paths, tool, work }) => truthOfNotes(paths, { tool, work }),
});

interface Case {
  readonly name: string;
  readonly note: KeptNote;
  readonly counted: CountedNote;
  /** What git-ai itself says; undefined without it, and for notes that are not believed. */
  readonly told: ReturnType<typeof askTool> | undefined;
}

/**
 * Compares what ingest keeps of each note on a commit of HEAD, merges apart, with a count of single lines in the note and in the
 * commit. With `tool`, an executable of git-ai, the believed ones are compared with `git-ai stats` too. That leaves out files that
 * it takes for generated and lines that the commit did not add, counts a line twice that two entries name, and takes the people of
 * the first notes (`human`) for an agent; commits of which one of these holds are no cases of `notes.tool.lines`. It runs on clones,
 * since it writes into repositories.
 *
 * @param paths clones, bare mirrors, or folders that contain some.
 */
export async function truthOfNotes(
  paths: readonly string[],
  { tool, work }: { readonly tool: string; readonly work: string },
): Promise<Findings> {
  const cases: Case[] = [];
  const skipped: string[] = [];
  for (const [at, path] of repositoriesAt(paths).entries()) {
    const notes = await readKept(path);
    const clone = join(work, `${at}.git`);
    if (tool) askGit(work, ["clone", "--quiet", "--mirror", "--shared", path, clone]);
    try {
      let uncompared = 0;
      for (const commit of listNoted(path)) {
        const note = notes.get(fingerprintSha(commit));
        const name = `${path} ${commit}`;
        if (!note) {
          skipped.push(`${name}: ingest has no note`);
          continue;
        }
        const counted = tryCount(path, commit);
        if (!counted) uncompared += 1;
        else {
          const isAsked = tool !== "" && note.verdict === "believed";
          const told = isAsked ? askTool(tool, { clone, commit, work }) : undefined;
          cases.push({ name, note, counted, told });
        }
      }
      if (uncompared > 0)
        skipped.push(`${path}: ${uncompared} commits that git cannot compare, or texts of no note`);
    } finally {
      // It starts a service at its first command; there is none where it was asked nothing.
      if (tool) spawnSync(tool, ["bg", "shutdown", "--hard"], toPlace({ cwd: clone, work }));
    }
  }
  return { ...describe(cases), skipped };
}

function describe(cases: readonly Case[]): Findings {
  const misses: string[] = [];
  const share = (name: string, some: readonly Case[], isRight: (one: Case) => boolean) => {
    const wrong = some.filter((one) => !isRight(one));
    misses.push(...wrong.map((one) => `${name} ${one.name}: ${explain(one)}`));
    return toShare(`${name} (${some.length})`, some.length - wrong.length, some.length);
  };
  const believed = cases.filter(({ note }) => note.verdict === "believed");
  const told = believed.filter((one) => one.told !== undefined);
  const plain = told.filter(
    ({ counted, told }) =>
      counted.repeated + counted.foreign + counted.old === 0 && counted.added === told?.added,
  );
  const rows = [
    atLeast(1, share("notes.verdicts", cases, isSameVerdict)),
    atLeast(
      1,
      share("notes.lines", believed, ({ note, counted }) => isSame(note, counted.lines)),
    ),
  ];
  if (told.length > 0) {
    const total = ({ note }: Case) => Object.values(note.lines).reduce((sum, n) => sum + n, 0);
    rows.push(
      atLeast(
        0.98,
        share("notes.tool.agents", told, ({ note, told }) => hasAgents(note, told)),
      ),
      atLeast(
        0.999,
        share("notes.tool.lines", plain, (one) => total(one) === one.told?.lines),
      ),
    );
  }
  const counts =
    `${cases.length} notes, ${believed.length} believed` +
    (told.length > 0
      ? `; git-ai was asked about ${told.length}, and counts ${told.length - plain.length} in another way`
      : "");
  return { rows, counts, misses };
}

function isSameVerdict({ note, counted }: Case): boolean {
  return (note.verdict === "believed") === counted.fits;
}

function isSame(note: KeptNote, lines: ReadonlyMap<string, number>): boolean {
  return Bun.deepEquals(note.lines, Object.fromEntries(lines));
}

/** Of agents without a name git-ai tells lines and no tool. */
function hasAgents({ lines }: KeptNote, told: Case["told"]): boolean {
  const named = [...(told?.agents ?? [])].sort().join();
  return Object.keys(lines).sort().join() === named;
}

function explain({ note, counted, told }: Case): string {
  const { lines, ...rest } = counted;
  return JSON.stringify({
    ...{ kept: note.verdict, lines: note.lines, counted: Object.fromEntries(lines), ...rest },
    ...(told && { told: { ...told, agents: [...told.agents] } }),
  });
}

async function readKept(path: string): Promise<ReadonlyMap<bigint, KeptNote>> {
  const ledger = openLedger(":memory:", { version: "", now: () => new Date(0) });
  try {
    const vocabulary = createVocabulary();
    await readRepositories(openGit(), findRepositories([path]), { ledger, vocabulary });
    const [place] = listPlaces(ledger);
    if (!place) throw new UnusableInput(`${path} cannot be read.`);
    return readKeptNotes(ledger.sqlite, place.id);
  } finally {
    ledger.close();
  }
}

/** The commits of HEAD that have notes, without merges. */
function listNoted(path: string): readonly string[] {
  const list = (args: readonly string[]) => askGit(path, args).toString("latin1").split("\n");
  const noted = new Set(list(["notes", "--ref=ai", "list"]).map((line) => line.split(" ")[1]));
  return list(["rev-list", "--no-merges", "HEAD"]).filter((commit) => noted.has(commit));
}

function tryCount(path: string, commit: string): CountedNote | undefined {
  try {
    return countNote(path, commit);
  } catch (error) {
    if (error instanceof UnusableInput || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface ToolStats {
  readonly ai_accepted: number;
  readonly git_diff_added_lines: number;
  readonly tool_model_breakdown: Readonly<Record<string, { readonly ai_accepted: number }>>;
}

function askTool(
  tool: string,
  { clone, commit, work }: { clone: string; commit: string; work: string },
) {
  const text = runTool(tool, ["stats", commit, "--json"], { cwd: clone, work });
  const stats = JSON.parse(text) as ToolStats;
  const agents = new Set<string>();
  let left = stats.ai_accepted;
  for (const [name, { ai_accepted }] of Object.entries(stats.tool_model_breakdown)) {
    agents.add(findAgentByTool(name.split("::")[0] ?? ""));
    left -= ai_accepted;
  }
  if (left > 0) agents.add("unnamed");
  return { lines: stats.ai_accepted, added: stats.git_diff_added_lines, agents };
}

interface Surroundings {
  readonly cwd: string;
  readonly work: string;
}

function toPlace({ cwd, work }: Surroundings) {
  return { cwd, env: { ...process.env, HOME: work } };
}

function runTool(tool: string, args: readonly string[], { cwd, work }: Surroundings): string {
  const done = spawnSync(tool, args, toPlace({ cwd, work }));
  if (done.status !== 0) throw new UnusableInput(`${tool} ${args.join(" ")}: ${done.stderr}`);
  return done.stdout.toString("utf8");
}
