/** Prints the report of a run of `ingest git`. */
import { formatCounted } from "../../../contract/format.ts";
import type { CopyOf, GitIngestReport, RepositorySummary } from "../../../ingest/ingest.ts";
import { printTable } from "../table.ts";
import { printJson, type Terminal } from "../terminal.ts";

/** @returns the report in the form of `--json`. */
export function showIngest(terminal: Terminal, report: GitIngestReport, asJson: boolean): object {
  const { refused, summaries, suggestions, developers, aliases, unheeded, authors, imported } =
    report;
  for (const { path, reason, remedy } of refused) {
    terminal.note(`left out ${path}: ${reason} ${remedy}`);
  }
  const repositories = {
    read: summaries.filter(({ status }) => status === "new" || status === "continued").length,
    unchanged: summaries.filter(({ status }) => status === "unchanged").length,
    reread: summaries.filter(({ status }) => status === "reread").length,
  };
  const shown = {
    ...sumUp(summaries, authors),
    ...{ repositories: summaries, repositoriesRead: repositories, refused },
    ...{ suggestions, developers, aliases, unheeded },
    ...(report.unasked && { unasked: report.unasked }),
    ...imported,
  };
  if (asJson) printJson(terminal, shown);
  else showText(terminal, report, repositories);
  return shown;
}

function showText(
  terminal: Terminal,
  report: GitIngestReport,
  repositories: Readonly<Record<"read" | "unchanged" | "reread", number>>,
): void {
  const { summaries, authors, imported } = report;
  if (summaries.length > 0) {
    showTable(terminal, summaries);
    const { newCommits, counted, excluded } = sumUp(summaries, authors);
    const reasons = Object.entries(excluded).map(([reason, commits]) => `${commits} ${reason}`);
    terminal.note(
      `repositories: ${repositories.read} read, ${repositories.unchanged} unchanged, ${repositories.reread} read again`,
    );
    if (report.ofOlderForm > 0) {
      const some = formatCounted(report.ofOlderForm, "repository was", "repositories were");
      terminal.note(
        `this version reads commits in another way: ${some} read again from the beginning`,
      );
    }
    terminal.note(
      `commits: ${newCommits} read now; ${counted} count` +
        (reasons.length > 0 ? `, left out ${reasons.join(", ")}` : ""),
    );
    for (const { path, name, copyOf, lacks, notes } of summaries) {
      if (copyOf) terminal.note(`copy ${path}: ${describeCopy(name, copyOf)}`);
      if (lacks) terminal.note(`incomplete ${path}: ${lacks.reason} ${lacks.remedy}`);
      if (notes) terminal.note(`notes of ${path}: ${describeNotes(notes)}`);
    }
  }
  if (imported) showPeople(terminal, report, imported);
  for (const { source, addresses } of report.unasked ?? []) {
    const some = formatCounted(addresses, "address", "addresses");
    terminal.note(
      `the forge of source ${source} was not asked yet about ${some} in commits of its repositories: until its next ` +
        "run, these authors may be listed apart from their accounts",
    );
  }
}

function describeCopy(name: string, { name: counted, path }: CopyOf): string {
  return path === undefined
    ? `all commits of ${name} are in ${counted} too, and count there. Profiles and searches name ${counted}.`
    : `it has the commits of ${path} too. They count once, under the name ${counted}.`;
}

/** Describes git-ai notes in words: the lines that agents wrote, and the notes that are not believed. */
export function describeNotes(notes: NonNullable<RepositorySummary["notes"]>): string {
  const { assisted, unassisted, lines } = notes;
  const wrote = Object.values(lines).reduce((sum, some) => sum + some, 0);
  const list = (some: readonly (readonly [number, string])[]) =>
    some.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`);
  const doubted = list([
    [notes.contradicted, "that their commit contradicts"],
    [notes.malformed, "malformed"],
    [notes.large, "too large"],
    [notes.missing, "whose text is missing"],
  ]);
  const idle = list([
    [notes.merge, "on merges"],
    [notes.absent, "on commits that are not in the history"],
  ]);
  return [
    `stated, not proved: agents wrote ${wrote} lines of ${assisted} commits, and none of ${unassisted}`,
    ...(doubted.length > 0 ? [`not believed: ${doubted.join(", ")}`] : []),
    ...(idle.length > 0 ? [`without effect: ${idle.join(", ")}`] : []),
  ].join("; ");
}

function showPeople(
  terminal: Terminal,
  { developers, aliases, suggestions, unheeded }: GitIngestReport,
  imported: NonNullable<GitIngestReport["imported"]>,
): void {
  const { added, replaced, unchanged, removed, demoRemoved, joined, suppressed } = imported;
  terminal.note(
    `${developers.human} people, ${developers.bot} bots, ${developers.assistant} assistants, ${developers.nobody} nobodies, ` +
      `${aliases} aliases merged: ` +
      `${added} added, ${replaced} replaced, ${unchanged} unchanged, ${removed - demoRemoved - joined} removed` +
      (joined > 0 ? `, ${joined} joined with others` : "") +
      (suppressed > 0 ? `, ${suppressed} suppressed` : "") +
      (demoRemoved > 0 ? `; ${demoRemoved} demo people removed` : ""),
  );
  if (suggestions > 0) {
    const some = formatCounted(suggestions, "possible duplicate");
    terminal.note(`${some}: see roster identity suggestions`);
  }
  for (const { origin, reason } of unheeded) terminal.note(`ignored ${origin}: ${reason}`);
}

const counts = ["commits", "merges", "human", "bot", "assistant", "nobody"] as const;
const columns = [...counts, "authors", "people"] as const;
const summed = [...counts, "counted", "incomplete"] as const;

function showTable(terminal: Terminal, summaries: GitIngestReport["summaries"]): void {
  printTable(
    terminal,
    ["repository", "status", "new", ...columns],
    summaries.map((summary) => [
      summary.path,
      summary.status,
      String(summary.newCommits),
      ...columns.map((column) => String(summary[column])),
    ]),
  );
}

/** @returns the figures of a single repository, or the sums of several. `authors` is the number of distinct authors. */
function sumUp(summaries: GitIngestReport["summaries"], authors: number) {
  const [first, ...others] = summaries;
  if (first && others.length === 0) return first;
  const excluded: Record<string, number> = {};
  // Clones of one repository have the same figures.
  const repositories = new Map(summaries.map((one) => [one.copyOf?.path ?? one.path, one]));
  for (const summary of repositories.values()) {
    for (const [reason, commits] of Object.entries(summary.excluded)) {
      excluded[reason] = (excluded[reason] ?? 0) + commits;
    }
  }
  const sum = (field: (typeof summed)[number]) =>
    repositories.values().reduce((total, summary) => total + summary[field], 0);
  const sums = Object.fromEntries(summed.map((field) => [field, sum(field)]));
  const newCommits = summaries.reduce((total, summary) => total + summary.newCommits, 0);
  return { ...(sums as Record<(typeof summed)[number], number>), newCommits, excluded, authors };
}
