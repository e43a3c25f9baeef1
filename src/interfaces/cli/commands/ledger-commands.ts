import { Command } from "commander";
import {
  type GitIngestReport,
  ingestGit,
  type KnownClone,
  type RepositorySummary,
} from "../../../ingest/ingest.ts";
import type { CliContext } from "../cli-context.ts";
import { CommandFault, exitCodes, printJson, printTable, type Terminal } from "../terminal.ts";

/** `ingest list`: the repositories that people are counted over. */
export function createListRepositoriesCommand(session: CliContext): Command {
  const command = new Command("list")
    .summary("Show the repositories that are known")
    .description("Every repository read so far: where it was, up to which commit, and when.");
  session.commonOptions(command);
  return command.action(async (flags: Record<string, string>) => {
    await session.withModules(
      flags,
      async ({ ledger }) => {
        const rows = ledger().places().map(asRow);
        if (flags["json"]) printJson(session.terminal, rows);
        else if (rows.length === 0) session.terminal.note("no repository was read yet");
        else {
          printTable(
            session.terminal,
            ["name", "path", "tip", "read at", "commits", "people"],
            rows.map((row) => [
              row.name,
              row.path,
              row.tip.slice(0, 12),
              row.readAt,
              String(row.commits),
              row.people === undefined ? "" : String(row.people),
            ]),
          );
        }
        return exitCodes.ok;
      },
      { search: false },
    );
  });
}

function asRow({ name, path, head, readAt, commits, summary }: KnownClone) {
  // Read, and not yet counted: the run was cut off.
  const counted = summary as RepositorySummary | undefined;
  return { name, path, tip: head, readAt, commits, people: counted?.people };
}

/** `ingest forget REPOSITORY`. */
export function createForgetRepositoryCommand(session: CliContext): Command {
  const command = new Command("forget")
    .summary("Take a repository out again, and what it told of people")
    .description(
      "Forgets what was read of a repository and counts everybody anew without it; people of whom " +
        "nothing else is known leave the pool. The repository itself is not touched.",
    )
    .argument("<repository>", "name or path as `ingest list` shows it");
  session.countingOptions(command);
  command.addHelpText("after", "\nExample:\n  roster ingest forget example/tool");
  return command.action(async (wanted: string, flags: Record<string, string>) => {
    await session.withModules(
      flags,
      async ({ modules, judge, modelVersion, vocabulary, ledger, identityFiles }) => {
        const files = identityFiles();
        const known = ledger().places();
        const meant = known.filter(({ name, path }) => name === wanted || path === wanted);
        if (meant.length === 0) {
          const message = `no repository "${wanted}" is known; \`roster ingest list\` shows all`;
          throw new CommandFault(exitCodes.notFound, message);
        }
        const asOf = session.asOf(flags);
        const { pool } = modules;
        ledger().forget(meant.map(({ id }) => id));
        const report = await ingestGit({
          paths: [],
          ledger: ledger(),
          files,
          pool,
          judge: judge(asOf),
          modelVersion: modelVersion(),
          vocabulary,
          asOf,
          signal: session.signal,
        });
        session.terminal.note(`forgotten: ${meant.map(({ path }) => path).join(", ")}`);
        showIngest(session.terminal, report, Boolean(flags["json"]));
        return exitCodes.ok;
      },
      { search: false },
    );
  });
}

/** What a run of `ingest git` says at its end. */
export function showIngest(
  terminal: Terminal,
  { refused, summaries, ...report }: GitIngestReport,
  asJson: boolean,
): void {
  for (const { path, reason } of refused) terminal.note(`left out ${path}: ${reason}`);
  const { suggestions, developers, aliases, unheeded, authors, imported } = report;
  const repositories = {
    read: summaries.filter(({ status }) => status === "new" || status === "continued").length,
    unchanged: summaries.filter(({ status }) => status === "unchanged").length,
    reread: summaries.filter(({ status }) => status === "reread").length,
  };
  if (asJson) {
    printJson(terminal, {
      ...totals(summaries, authors),
      repositories: summaries,
      repositoriesRead: repositories,
      refused,
      suggestions,
      developers,
      aliases,
      unheeded,
      ...imported,
    });
    return;
  }
  if (summaries.length > 0) {
    showTable(terminal, summaries);
    const { newCommits, counted, excluded } = totals(summaries, authors);
    const reasons = Object.entries(excluded).map(([reason, commits]) => `${commits} ${reason}`);
    terminal.note(
      `repositories: ${repositories.read} read, ${repositories.unchanged} unchanged, ${repositories.reread} read anew`,
    );
    terminal.note(
      `commits: ${newCommits} read now; ${counted} count` +
        (reasons.length > 0 ? `, left out ${reasons.join(", ")}` : ""),
    );
  }
  if (imported) showPeople(terminal, { ...report, imported });
}

function showPeople(
  terminal: Terminal,
  {
    developers,
    aliases,
    suggestions,
    unheeded,
    imported,
  }: Pick<GitIngestReport, "developers" | "aliases" | "suggestions" | "unheeded"> & {
    readonly imported: NonNullable<GitIngestReport["imported"]>;
  },
): void {
  const { added, replaced, unchanged, removed, demoRemoved, suppressed } = imported;
  terminal.note(
    `${developers.human} people, ${developers.bot} bots, ${developers.assistant} assistants, ` +
      `${aliases} aliases merged: ` +
      `${added} added, ${replaced} replaced, ${unchanged} unchanged, ${removed - demoRemoved} removed` +
      (suppressed > 0 ? `, ${suppressed} suppressed` : "") +
      (demoRemoved > 0 ? `; ${demoRemoved} demo people made room` : ""),
  );
  if (suggestions > 0) {
    terminal.note(
      `${suggestions} pairs may be one person each; nothing was done about them: roster identity suggestions`,
    );
  }
  for (const { origin, reason } of unheeded) terminal.note(`not followed: ${origin}: ${reason}`);
}

const columns = ["commits", "merges", "human", "bot", "assistant", "authors", "people"] as const;

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

/** The one repository's figures; of several what adds up, and the distinct authors. */
function totals(summaries: GitIngestReport["summaries"], authors: number) {
  const [first, ...others] = summaries;
  if (first && others.length === 0) return first;
  const sum = (
    field: "commits" | "merges" | "human" | "bot" | "assistant" | "counted" | "newCommits",
  ) => summaries.reduce((total, summary) => total + summary[field], 0);
  const excluded: Record<string, number> = {};
  for (const summary of summaries) {
    for (const [reason, commits] of Object.entries(summary.excluded)) {
      excluded[reason] = (excluded[reason] ?? 0) + commits;
    }
  }
  return {
    commits: sum("commits"),
    merges: sum("merges"),
    human: sum("human"),
    bot: sum("bot"),
    assistant: sum("assistant"),
    counted: sum("counted"),
    newCommits: sum("newCommits"),
    excluded,
    authors,
  };
}
