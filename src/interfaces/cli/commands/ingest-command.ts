import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { readTokenFile } from "../../../config/config.ts";
import { Fault } from "../../../contract/fault.ts";
import { isGitAddress, parseGitAddress } from "../../../contract/git-address.ts";
import {
  type AddressRequest,
  chooseJobs,
  compareRecount,
  listLocations,
  readApplied,
} from "../../../ingest/ingest.ts";
import { type CliContext, createUsageFault, findWholeNumber } from "../cli-context.ts";
import { exitCodes } from "../exit-code.ts";
import { readGit } from "../read-git.ts";
import { addSettings, createRemovalsOption, readingSettings, toFlag } from "../setting-options.ts";
import { printTable } from "../table.ts";
import { printJson } from "../terminal.ts";
import { createForgeCommands } from "./forge-command.ts";
import { createForgetRepositoryCommand, createListRepositoriesCommand } from "./ledger-commands.ts";
import { createIngestPeopleCommand } from "./people-command.ts";
import { showIngest } from "./show-ingest.ts";

export function createIngestCommand(context: CliContext): Command {
  const command = new Command("ingest")
    .summary("Add people to the pool from git, forges and lists of people")
    .addCommand(createGitCommand(context));
  for (const forge of createForgeCommands(context)) command.addCommand(forge);
  return command
    .addCommand(createIngestPeopleCommand(context))
    .addCommand(createListRepositoriesCommand(context))
    .addCommand(createForgetRepositoryCommand(context));
}

function createGitCommand(context: CliContext): Command {
  const command = new Command("git")
    .summary("Read the history of git repositories")
    .description(
      "Reads git repositories: clones, bare mirrors, bundles, or folders of them. It does not change them and needs no " +
        "network. It mirrors a repository that you name by its address into the data folder, and fetches it again in later " +
        "runs. New people appear when the run ends, all at once. The first run removes the demo people. Later runs read " +
        "only new commits. If you stop a run, the next run continues.",
    )
    .argument(
      "[paths...]",
      "repositories, bundles, or folders of them; addresses such as https://HOST/acme/tool or git@HOST:acme/tool; without " +
        "paths, recalculates everyone and reads no repository",
    )
    .option(
      "--token-file <FILE>",
      "file with the token for the addresses, which only its owner may read",
    )
    .addOption(
      new Option("--allow <PROTOCOL>", "also take addresses that begin with this").choices(
        allowable,
      ),
    );
  addReadingOptions(context, command);
  command.addHelpText(
    "after",
    "\nExamples:\n  roster ingest git ~/mirrors --authors-report authors.tsv\n" +
      "  roster ingest git https://git.corp.example/acme/tool --token-file git.token\n" +
      "  roster ingest git --identity-alias-file aliases.txt\n  roster ingest git --diff",
  );
  return command.action(async (given: string[], flags: Record<string, string>) => {
    if (flags["diff"]) return showRecount(context, given, flags);
    const addresses = readAddresses(given, flags);
    const paths = given.filter((text) => !isAddress(text));
    const ingest = async (folder: DataFolder) => {
      const [path = ""] = paths;
      const place = addresses[0]?.address.url ?? resolve(path);
      const what = given.length === 1 ? place : `${given.length} places`;
      context.noteRun({ kind: given.length === 0 ? "recount" : "ingest", what });
      if (given.length === 0 && listLocations(folder.ledger()).length === 0) {
        throw createUsageFault(
          "no repository is known yet: name repositories, or a folder of repositories",
        );
      }
      const report = await readGit(context, folder, flags, {
        ...{ paths, addresses },
        canRemoveMany: Boolean(flags["allowRemovals"]),
        anew: Boolean(flags["anew"]),
        wantsAuthors: flags["authorsReport"] !== undefined,
        jobs: findWholeNumber(flags, "jobs", 1, jobsMax) ?? chooseJobs(),
      });
      if (flags["authorsReport"]) writeReport(flags["authorsReport"], report.authorsReport);
      context.noteReport(showIngest(context.terminal, report, Boolean(flags["json"])));
      const isComplete = report.refused.every(({ isEmpty }) => isEmpty) && report.imported;
      return isComplete ? exitCodes.ok : exitCodes.refused;
    };
    await context.withModules(flags, ingest, { create: true });
  });
}

const allowable = ["http", "file"] as const;

const isAddress = (text: string) => isGitAddress(text) && !existsSync(text);

/** @throws Fault `usage` for an address that must not be fetched, or a token that could reach another server. */
function readAddresses(
  given: readonly string[],
  flags: Record<string, string>,
): readonly AddressRequest[] {
  const { tokenFile, allow } = flags;
  const allowed = allowable.filter((protocol) => protocol === allow);
  const addresses = given.filter(isAddress).map((text) => parseGitAddress(text, allowed));
  const unused = ["tokenFile", "allow"].find((name) => flags[name] !== undefined);
  if (unused && addresses.length === 0)
    throw createUsageFault(`${toFlag(unused)} needs an address`);
  const servers = new Set(addresses.map(({ protocol, host }) => `${protocol}://${host}`));
  if (tokenFile !== undefined && !(servers.size === 1 && /^http/.test([...servers].join()))) {
    throw createUsageFault(
      "--token-file needs https addresses of one host, to which the token belongs",
    );
  }
  if (tokenFile !== undefined) readTokenFile(tokenFile);
  return addresses.map((address) => ({ address, tokenFile: tokenFile && resolve(tokenFile) }));
}

async function showRecount(
  context: CliContext,
  paths: readonly string[],
  flags: Record<string, string>,
): Promise<void> {
  if (paths.length > 0) {
    throw createUsageFault("--diff reads no repository: leave out the paths");
  }
  const show = async ({ modules, ledger, identityFiles }: DataFolder) => {
    const { terminal } = context;
    const asOf = readApplied(ledger())?.asOf ?? context.asOf(flags);
    const sources = { ledger: ledger(), pool: modules.pool, files: identityFiles(), asOf };
    const { joined, split } = await compareRecount(sources);
    if (flags["json"]) return printJson(terminal, { joined, split });
    const changes = [
      ...joined.map(({ login, was, evidence }) => [
        login,
        `one, who was ${was.join(", ")}`,
        [...new Set(evidence.map(({ evidence: kind, detail }) => `${kind} ${detail}`))].join("; "),
      ]),
      ...split.map(({ login, into }) => [login, `several: ${into.join(", ")}`, ""]),
    ];
    if (changes.length > 0) printTable(terminal, ["login", "would be", "because of"], changes);
    terminal.note(
      `${joined.length} people would come from joins, ${split.length} would be split. Nothing was written; without --diff, ` +
        "people are counted again.",
    );
  };
  await context.withModules(flags, show, { isReading: true });
}

function addReadingOptions(context: CliContext, command: Command): void {
  command.option(
    "--jobs <N>",
    "number of repositories to read at a time (default: one for each processor, at most 4)",
  );
  addSettings(command, readingSettings)
    .addOption(createRemovalsOption())
    .option("--anew", "read everything again from the beginning, even if nothing has changed")
    .option("--diff", "show which people a new run would join or split, and write nothing")
    .option(
      "--authors-report <FILE>",
      "also write a file with a line `commits<TAB>name <email>` for every author",
    );
  context.quietOption(context.countingOptions(command));
}

const jobsMax = 64;

function writeReport(path: string, lines: readonly string[]): void {
  try {
    // Each character of the lines stands for one byte, so Latin-1 writes the original bytes.
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""), "latin1");
  } catch (error) {
    const message = `the authors report ${path} cannot be written: ${(error as Error).message}`;
    throw new Fault("system", message);
  }
}
