import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { type GitIngestReport, ingestGit } from "../../../ingest/ingest.ts";
import { CommandFault, exitCodes } from "../exit-code.ts";
import { openProgress } from "../progress.ts";
import type { Session } from "../session.ts";
import { json, table } from "../terminal.ts";

/** `ingest git PATH...`. */
export function ingestCommand(session: Session): Command {
  return new Command("ingest")
    .summary("Bring people into the pool from where they work")
    .addCommand(gitCommand(session));
}

function gitCommand(session: Session): Command {
  const command = new Command("git")
    .summary("Read the history of git repositories")
    .description(
      "Reads clones, bare mirrors and bundles, or folders of them; changes nothing in them and needs no " +
        "network. Everybody found appears at one moment, or nobody; demo people make room.",
    )
    .argument("<paths...>", "repositories, bundles, or folders that hold some")
    .option("--authors-report <FILE>", "also write `commits<TAB>name <email>` for every author");
  session.judgingOptions(command);
  command.addHelpText(
    "after",
    "\nExample:\n  roster ingest git ~/mirrors --authors-report authors.tsv",
  );
  return command.action(async (paths: string[], flags: Record<string, string>) => {
    await session.withRooms(
      flags,
      async ({ rooms, judge, vocabulary }) => {
        const asOf = session.asOf(flags);
        const progress = openProgress(session.terminal, session.wiring.now);
        let report: GitIngestReport;
        try {
          report = await ingestGit({
            paths,
            pool: rooms.pool,
            judge: judge(asOf),
            vocabulary,
            asOf,
            signal: session.signal,
            onProgress: ({ path, commits, commitsInAll, repositoriesDone, repositories }) =>
              progress.show({
                done: commits,
                total: commitsInAll,
                unit: "commits",
                label: `${repositoriesDone + 1} of ${repositories} ${path}`,
              }),
          });
        } finally {
          progress.stop();
        }
        if (flags["authorsReport"]) writeReport(flags["authorsReport"], report.authorsReport);
        show(session, flags, report);
        return report.summaries.length > 0 ? exitCodes.ok : exitCodes.refused;
      },
      { create: true, search: false },
    );
  });
}

function writeReport(path: string, lines: readonly string[]): void {
  try {
    // Latin-1 gives back the very bytes that the repositories have.
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""), "latin1");
  } catch (error) {
    const message = `the authors report ${path} cannot be written: ${(error as Error).message}`;
    throw new CommandFault(exitCodes.fault, message);
  }
}

/** The one repository's summary; of several what adds up, and the distinct authors. */
function totals({ summaries, authorsReport }: GitIngestReport) {
  const [first, ...others] = summaries;
  if (first && others.length === 0) return first;
  const sum = (field: "commits" | "merges" | "human" | "bot" | "assistant") =>
    summaries.reduce((total, summary) => total + summary[field], 0);
  return {
    commits: sum("commits"),
    merges: sum("merges"),
    human: sum("human"),
    bot: sum("bot"),
    assistant: sum("assistant"),
    authors: authorsReport.length,
  };
}

function show(session: Session, flags: Record<string, unknown>, report: GitIngestReport): void {
  const { terminal } = session;
  const { summaries, refused, suggestions, developers, imported } = report;
  for (const { path, reason } of refused) terminal.note(`left out ${path}: ${reason}`);
  if (flags["json"]) {
    json(terminal, {
      ...totals(report),
      repositories: summaries,
      refused,
      suggestions: suggestions.length,
      developers,
      ...imported,
    });
    return;
  }
  if (summaries.length === 0) return;
  const columns = ["commits", "merges", "human", "bot", "assistant", "authors", "people"] as const;
  table(
    terminal,
    ["repository", ...columns],
    summaries.map((summary) => [summary.path, ...columns.map((column) => String(summary[column]))]),
  );
  if (!imported) return;
  const { added, replaced, unchanged, removed, suppressed } = imported;
  terminal.note(
    `${developers.human} people, ${developers.bot} bots, ${developers.assistant} assistants: ` +
      `${added} added, ${replaced} replaced, ${unchanged} unchanged` +
      (suppressed > 0 ? `, ${suppressed} suppressed` : "") +
      (removed > 0 ? `; ${removed} demo people made room` : ""),
  );
  if (suggestions.length > 0) {
    terminal.note(
      `${suggestions.length} pairs may be one person each; nothing was done about them`,
    );
  }
}
