import { join } from "node:path";
import type { RepositorySummary } from "../../../src/ingest/git/report.ts";
import { openLinguist } from "../../../src/ingest/linguist/linguist.ts";
import { Agreement } from "../git/agreement.ts";
import { askGit } from "../git/ask-git.ts";
import { compareCoAuthors } from "../git/co-authors.ts";
import { readExceptions } from "../git/exceptions.ts";
import { compareLanguages, findRubyLinguist } from "../git/languages.ts";
import { readFacts } from "../git/read-repositories.ts";
import { compareSemantic, findCommitlint } from "../git/semantic.ts";
import { defineMeasurement, type Findings, UnusableInput } from "../measurement.ts";
import { repositoriesAt } from "../repositories-at.ts";
import type { Row } from "../rows.ts";

export const measurement = defineMeasurement({
  about: "The reading of git history, against git, Linguist and commitlint.",
  takes: "PATH...",
  run: ({ paths }) => truthOfGit(paths),
});

/**
 * Compares the reading of git history with other programs, repository by repository: authors, commits, merges and
 * co-authors with git itself (`shortlog -sne --no-merges HEAD`, in order, and `rev-list`), the languages of files with
 * Ruby's Linguist, and the semantic form of messages with commitlint.
 *
 * @param paths clones, bare mirrors, or folders that contain some. Git cannot read bundles in this way.
 */
async function truthOfGit(paths: readonly string[]): Promise<Findings> {
  const others = await findOthers();
  const totals = new Map<string, Agreement>();
  const parts: { name: string; rows: readonly Row[] }[] = [];
  const misses: string[] = [];
  let excepted = 0;
  for (const path of repositoriesAt(paths)) {
    const found = await compareOne(path, others);
    for (const agreement of found.agreements) {
      const { name, bar } = agreement;
      const total = totals.get(name) ?? new Agreement(name, bar);
      total.add(agreement);
      totals.set(name, total);
    }
    parts.push({ name: path, rows: found.agreements.map((agreement) => agreement.row()) });
    misses.push(...found.misses.map((miss) => `${path}: ${miss}`));
    excepted += found.excepted;
  }
  const countOf = (name: string): number => totals.get(name)?.all ?? 0;
  return {
    rows: [...totals.values()].map((agreement) => agreement.row()),
    parts,
    counts:
      `${parts.length} repositories, ${countOf("git.authors.agreement")} author lines, ` +
      `${countOf("git.coauthors.agreement")} co-author lines, ` +
      `${countOf("git.languages.agreement")} files besides ${excepted} that differ as an exception allows, ` +
      `${countOf("git.semantic.agreement")} messages`,
    misses,
    skipped: others.skipped,
  };
}

type Others = Awaited<ReturnType<typeof findOthers>>;

async function findOthers() {
  const lint = await findCommitlint();
  const ruby = findRubyLinguist();
  return {
    lint,
    ruby,
    linguist: openLinguist(),
    exceptions: readExceptions(join(import.meta.dir, "../linguist-exceptions.tsv")),
    skipped: [
      ...(ruby ? [] : ["git.languages.agreement: needs apt-get install ruby-github-linguist"]),
      ...(lint ? [] : ["git.semantic.agreement: needs bun install in scripts/measure"]),
    ],
  };
}

async function compareOne(path: string, others: Others) {
  const agreements: Agreement[] = [];
  const misses: string[] = [];
  const compared = ({
    agreement,
    misses: found,
  }: {
    agreement: Agreement;
    misses: readonly string[];
  }) => {
    agreements.push(agreement);
    misses.push(...found);
  };
  await compareHistory(path, agreements, misses);
  compared(await compareCoAuthors(path));
  let excepted = 0;
  if (others.ruby) {
    const languages = await compareLanguages(path, others);
    compared(languages);
    excepted = languages.excepted;
  }
  if (others.lint) compared(await compareSemantic(path, others.lint));
  return { agreements, misses, excepted };
}

async function compareHistory(
  path: string,
  agreements: Agreement[],
  misses: string[],
): Promise<void> {
  const { summary, lines } = await readOne(path);
  const truth = linesOf(path, ["shortlog", "-sne", "--no-merges", "HEAD"]);
  const authors = new Agreement("git.authors.agreement", 1);
  misses.push(...authors.compareSets(lines, truth));
  const order = new Agreement("git.authors.order", 1);
  order.count(lines.join("\n") === truth.join("\n"));
  const commits = new Agreement("git.commits.agreement", 1);
  commits.count(summary.commits === countOf(path, []));
  const merges = new Agreement("git.merges.agreement", 1);
  merges.count(summary.merges === countOf(path, ["--merges"]));
  agreements.push(authors, order, commits, merges);
  const byClass = summary.human + summary.bot + summary.assistant;
  if (byClass !== summary.commits - summary.merges) misses.push("classes do not add up");
}

/** Packages and path classes play no part in these figures. */
const noVocabulary = {
  packageSkill: () => undefined,
  textSkills: () => [],
  subjectsOf: () => [],
  pathClasses: () => [],
};

async function readOne(path: string): Promise<{ summary: RepositorySummary; lines: string[] }> {
  const asOf = new Date().toISOString().slice(0, 10);
  const reading = await readFacts([path], { vocabulary: noVocabulary, asOf });
  const [refusal] = reading.refused;
  const [summary] = reading.summaries;
  if (!summary) throw new UnusableInput(`${path}: ${refusal?.reason ?? "nothing was read."}`);
  return { summary, lines: [...reading.authorsReport] };
}

function countOf(path: string, flags: readonly string[]): number {
  return Number(linesOf(path, ["rev-list", "--count", ...flags, "HEAD"])[0]);
}

/** One character for each byte, since names need not be UTF-8. */
function linesOf(path: string, args: readonly string[]): string[] {
  const lines = askGit(path, args).toString("latin1").split("\n");
  return lines.filter(Boolean).map((line) => line.trimStart());
}
