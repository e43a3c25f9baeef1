import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findAgentMarks } from "../../../src/ingest/git/credit/agent-marks.ts";
import { openGit } from "../../../src/ingest/git/git-command.ts";
import { runLog } from "../../../src/ingest/git/read/read-log.ts";
import { askGit } from "../git/ask-git.ts";
import { nameRepository } from "../git/read-authors.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { repositoriesAt } from "../repositories-at.ts";
import { atLeast, type Row, toShare } from "../rows.ts";

const bar = 0.98;

export const measurement = defineMeasurement({
  about: "Marks of agents in commits, against commits that were read by people.",
  takes: "PATH...",
  run: ({ paths }) => truthOfAgents(paths),
});

interface Judged {
  readonly repository: string;
  readonly commit: string;
  readonly agent: string;
  readonly found: string;
  readonly verdict: "yes" | "no";
}

interface Case extends Judged {
  readonly isMarked: boolean;
}

/**
 * Compares the marks of agents with commits that people have read (`judged-agents.tsv`, by commit id), and with another
 * source: merges name branches such as `copilot/fix-...`, so the commits of these are by an agent. `recall` is the share
 * of the latter with any mark. It is a lower bound, because people push to such branches, too.
 * @param paths clones, bare mirrors, or folders that contain some. Judgements about other repositories are left out.
 */
export async function truthOfAgents(paths: readonly string[]): Promise<Findings> {
  const judged = Map.groupBy(readJudged(), ({ repository }) => repository);
  const cases: Case[] = [];
  const branches: { readonly agent: string; readonly isMarked: boolean }[] = [];
  const misses: string[] = [];
  for (const path of repositoriesAt(paths)) {
    const rows = judged.get(nameRepository(path).replace("+", "/")) ?? [];
    const named = listBranchCommits(path);
    const marks = await readMarks(path, [...rows.map(({ commit }) => commit), ...named.keys()]);
    for (const row of rows) {
      const found = marks.get(row.commit);
      if (found) cases.push({ ...row, isMarked: found.includes(row.agent) });
    }
    for (const [commit, agent] of named) {
      const isMarked = (marks.get(commit)?.length ?? 0) > 0;
      branches.push({ agent, isMarked });
      if (!isMarked) misses.push(`${path} ${commit}: on a branch of ${agent}, and has no mark`);
    }
  }
  for (const { repository, commit, agent, verdict, isMarked } of cases) {
    if (isMarked === (verdict === "yes")) continue;
    misses.push(`${repository} ${commit}: ${agent} ${isMarked ? "is not in it" : "has no mark"}`);
  }
  const read = cases.filter(({ found }) => found !== "prose");
  const byAgent = Map.groupBy(read, ({ agent }) => agent);
  const prose = cases.filter(({ found }) => found === "prose");
  return {
    rows: [
      toPrecision("agents.precision", read),
      ...[...byAgent].map(([agent, some]) => toPrecision(`agents.precision.${agent}`, some)),
      toRecall("agents.recall", branches),
      ...[...Map.groupBy(branches, ({ agent }) => agent)].map(([agent, some]) =>
        toRecall(`agents.recall.${agent}`, some),
      ),
    ],
    counts:
      `${cases.length} judged commits, ${countMarked(cases)} marked; ${branches.length} of branches named for agents, ` +
      `${countMarked(branches)} marked; ${prose.length} say it in prose alone, ${countMarked(prose)} marked`,
    misses,
  };
}

function countMarked(some: readonly { readonly isMarked: boolean }[]): number {
  return some.filter(({ isMarked }) => isMarked).length;
}

function toPrecision(name: string, some: readonly Case[]): Row {
  const marked = some.filter(({ isMarked }) => isMarked);
  const right = marked.filter(({ verdict }) => verdict === "yes").length;
  return atLeast(bar, toShare(`${name} (${marked.length})`, right, marked.length));
}

function toRecall(name: string, some: readonly { readonly isMarked: boolean }[]): Row {
  return toShare(`${name} (${some.length})`, countMarked(some), some.length);
}

function readJudged(): readonly Judged[] {
  const text = readFileSync(join(import.meta.dir, "../judged-agents.tsv"), "utf8");
  const [, ...lines] = text.split("\n").filter((line) => line && !line.startsWith("#"));
  return lines.map((line) => {
    const [repository = "", commit = "", agent = "", found = "", verdict = ""] = line.split("\t");
    return { repository, commit, agent, found, verdict: verdict === "yes" ? "yes" : "no" };
  });
}

/** @returns the agents that ingest finds in each commit. Missing commits are left out. */
async function readMarks(
  directory: string,
  shas: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  await runLog(openGit(), directory, { options: ["-s", "--ignore-missing"], shas }, (commit) =>
    found.set(commit.sha, findAgentMarks(commit).agents),
  );
  return found;
}

const branchOfAgent =
  /^Merge .*?(?:from|branch) '?\S*?\b(copilot|claude|codex|cursor|devin|jules|gemini|openhands|opencode|kiro|junie|aider|sweep)\//i;

/** @returns for each commit that is not a merge, the agent that the merged branch is named for. */
function listBranchCommits(path: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const merges = askGit(path, ["log", "--merges", "--since=2023-01-01", "--format=%H %s"]);
  for (const line of merges.toString("utf8").split("\n")) {
    const [sha = "", ...subject] = line.split(" ");
    const agent = branchOfAgent.exec(subject.join(" "))?.[1]?.toLowerCase();
    if (!agent) continue;
    const own = askGit(path, ["rev-list", "--no-merges", `${sha}^1..${sha}^2`]).toString("latin1");
    for (const commit of own.split("\n").filter(Boolean)) found.set(commit, agent);
  }
  return found;
}
