import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { type GitIngestReport, type GitProgress, ingestGit } from "../../../ingest/ingest.ts";
import { type CliContext, createUsageFault } from "../cli-context.ts";
import { createProgress, type Step } from "../progress.ts";
import { CommandFault, exitCodes } from "../terminal.ts";
import {
  createForgetRepositoryCommand,
  createListRepositoriesCommand,
  showIngest,
} from "./ledger-commands.ts";

/** `ingest git PATH...`, and what it leaves behind. */
export function createIngestCommand(session: CliContext): Command {
  return new Command("ingest")
    .summary("Bring people into the pool from where they work")
    .addCommand(gitCommand(session))
    .addCommand(createListRepositoriesCommand(session))
    .addCommand(createForgetRepositoryCommand(session));
}

function gitCommand(session: CliContext): Command {
  const command = new Command("git")
    .summary("Read the history of git repositories")
    .description(
      "Reads clones, bare mirrors and bundles, or folders of them; changes nothing in them and needs no " +
        "network. Everybody found appears at one moment, or nobody; demo people make room. What was read " +
        "is kept: the next run reads new commits only, people are counted over every repository known, and " +
        "a run that was cut off goes on where it ended.",
    )
    .argument(
      "[paths...]",
      "repositories, bundles, or folders that hold some; none: count anew what is known",
    )
    .option("--jobs <N>", "repositories read at a time (default: 2)")
    .option("--timeout <DURATION>", "leave out a repository that takes longer (default: 1h)")
    .option("--git-memory <MIB>", "leave out one for which git needs more (default: 2048)")
    .option("--authors-report <FILE>", "also write `commits<TAB>name <email>` for every author");
  session.countingOptions(command);
  command.addHelpText(
    "after",
    "\nExamples:\n  roster ingest git ~/mirrors --authors-report authors.tsv\n" +
      "  roster ingest git --identity-alias-file aliases.txt",
  );
  return command.action(async (paths: string[], flags: Record<string, string>) => {
    await session.withModules(
      flags,
      async ({ modules, judge, modelVersion, vocabulary, ledger, identityFiles }) => {
        const asOf = session.asOf(flags);
        const files = identityFiles();
        if (paths.length === 0 && ledger().places().length === 0) {
          throw createUsageFault(
            "no repository is known yet: name some, or a folder that holds them",
          );
        }
        const jobs = readJobs(flags["jobs"]);
        const { timeoutMs, gitMemoryMiB: memoryMiB } = session.config(flags).ingest;
        const progress = createProgress(session.terminal, session.wiring.now);
        let report: GitIngestReport;
        try {
          report = await ingestGit({
            paths,
            pool: modules.pool,
            judge: judge(asOf),
            modelVersion: modelVersion(),
            vocabulary,
            asOf,
            jobs,
            timeoutMs,
            memoryMiB,
            ledger: ledger(),
            files,
            wantsAuthors: flags["authorsReport"] !== undefined,
            signal: session.signal,
            onProgress: (at) => progress.show(toStep(at)),
          });
        } finally {
          progress.stop();
        }
        if (flags["authorsReport"]) writeReport(flags["authorsReport"], report.authorsReport);
        showIngest(session.terminal, report, Boolean(flags["json"]));
        return report.imported ? exitCodes.ok : exitCodes.refused;
      },
      { create: true, search: false },
    );
  });
}

function toStep({
  path,
  commits,
  commitsInAll,
  repositoriesDone,
  repositories,
}: GitProgress): Step {
  return {
    done: commits,
    total: Math.max(commits, commitsInAll),
    unit: "commits",
    label: `${repositoriesDone} of ${repositories} done, at ${path}`,
  };
}

function readJobs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > jobsMax) {
    throw createUsageFault(`--jobs must be a whole number from 1 to ${jobsMax}, got "${text}"`);
  }
  return jobs;
}

/** More only take memory from each other. */
const jobsMax = 64;

function writeReport(path: string, lines: readonly string[]): void {
  try {
    // Latin-1 gives back the very bytes that the repositories have.
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""), "latin1");
  } catch (error) {
    const message = `the authors report ${path} cannot be written: ${(error as Error).message}`;
    throw new CommandFault(exitCodes.fault, message);
  }
}
