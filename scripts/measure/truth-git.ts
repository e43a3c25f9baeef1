import { spawnSync } from "node:child_process";
import { type RepositorySummary, readRepositories } from "../../src/ingest/git/git.ts";
import { listPlaces } from "../../src/ingest/git/repositories/repositories.ts";
import { type Truth, type TruthRow, UnreadableTruth } from "./truth-report.ts";

/**
 * Holds the reading of git history against git itself, repository by repository: the authors report
 * line for line against `git shortlog -sne --no-merges HEAD`, order included, and the numbers of
 * commits and merges against `git rev-list --count`.
 *
 * @param paths clones, bare mirrors, or folders that hold some; bundles have no git to ask.
 */
export async function truthOfGit(paths: readonly string[]): Promise<Truth> {
  const misses: string[] = [];
  const authors = new Agreement("git.authors.agreement");
  const order = new Agreement("git.authors.order");
  const commits = new Agreement("git.commits.agreement");
  const merges = new Agreement("git.merges.agreement");
  for (const path of repositoriesAt(paths)) {
    const { summary, lines } = await readOne(path);
    const truth = linesOf(path, ["shortlog", "-sne", "--no-merges", "HEAD"]);
    misses.push(...authors.compareSets(path, lines, truth));
    order.count(lines.join("\n") === truth.join("\n"), 1);
    commits.count(summary.commits === countOf(path, []), 1);
    merges.count(summary.merges === countOf(path, ["--merges"]), 1);
    const byClass = summary.human + summary.bot + summary.assistant;
    if (byClass !== summary.commits - summary.merges) misses.push(`${path}: classes do not add up`);
  }
  return {
    rows: [authors, order, commits, merges].map((agreement) => agreement.row()),
    counts: `${order.all} repositories, ${authors.all} author lines, ${authors.agreed} of them agree`,
    misses,
  };
}

class Agreement {
  agreed = 0;
  all = 0;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  count(agrees: boolean, weight: number): void {
    this.all += weight;
    if (agrees) this.agreed += weight;
  }

  /** Counts each line that either side has. @returns those that only one has. */
  compareSets(path: string, ours: readonly string[], theirs: readonly string[]): string[] {
    const [mine, truth] = [new Set(ours), new Set(theirs)];
    const wrong = [
      ...[...mine.difference(truth)].map((line) => `${path}: only Roster has ${line}`),
      ...[...truth.difference(mine)].map((line) => `${path}: only git has ${line}`),
    ];
    this.all += mine.union(truth).size;
    this.agreed += mine.intersection(truth).size;
    return wrong;
  }

  row(): TruthRow {
    const value = this.all === 0 ? 0 : this.agreed / this.all;
    return { name: this.#name, value, bar: 1, met: value === 1 };
  }
}

function repositoriesAt(paths: readonly string[]): readonly string[] {
  return listPlaces(paths).map((place) => {
    if ("reason" in place) throw new UnreadableTruth(`${place.path}: ${place.reason}`);
    if (place.kind === "bundle") {
      throw new UnreadableTruth(`${place.path} is a bundle; clone it to compare it with git.`);
    }
    return place.directory;
  });
}

/** Packages and path classes play no part in these figures. */
const noVocabulary = { packageSkill: () => undefined, pathClasses: () => [] };

async function readOne(path: string): Promise<{ summary: RepositorySummary; lines: string[] }> {
  const asOf = new Date().toISOString().slice(0, 10);
  const reading = await readRepositories([path], { vocabulary: noVocabulary, asOf });
  const [refusal] = reading.refused;
  const [summary] = reading.summaries;
  if (!summary) throw new UnreadableTruth(`${path}: ${refusal?.reason ?? "nothing was read."}`);
  return { summary, lines: [...reading.authorsReport] };
}

function countOf(path: string, flags: readonly string[]): number {
  return Number(linesOf(path, ["rev-list", "--count", ...flags, "HEAD"])[0]);
}

/** A character per byte, since names need not be UTF-8. */
function linesOf(path: string, args: readonly string[]): string[] {
  const done = spawnSync("git", ["-c", "safe.directory=*", "-C", path, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 28,
  });
  if (done.status !== 0) throw new UnreadableTruth(`${path}: ${done.stderr}`);
  const lines = done.stdout.toString("latin1").split("\n");
  return lines.filter(Boolean).map((line) => line.trimStart());
}
