import { resolve } from "node:path";
import { Command } from "commander";
import { type DataFolder, listLogins, refreshForge } from "../../../appliance/appliance.ts";
import { readTokenFile } from "../../../config/config.ts";
import { describeMismatch } from "../../../contract/complaint.ts";
import type { ForgeKind } from "../../../contract/forge-kinds.ts";
import { readTextFile } from "../../../contract/text-file.ts";
import {
  type ForgeIngestReport,
  type ForgeSelection,
  type KnownForge,
  type KnownSource,
  knownForges,
  listSources,
  toForgeName,
  tryForge,
  type WalkProgress,
} from "../../../ingest/ingest.ts";
import { type CliContext, createUsageFault, type Flags, findWholeNumber } from "../cli-context.ts";
import type { Step } from "../progress.ts";
import { addSettings, createRemovalsOption, readingSettings } from "../setting-options.ts";
import { printJson } from "../terminal.ts";

export function createForgeCommands(context: CliContext): readonly Command[] {
  const forges = Object.entries(knownForges) as [ForgeKind, KnownForge][];
  return forges.map(([kind, forge]) => createForgeCommand(context, kind, forge));
}

function createForgeCommand(context: CliContext, kind: ForgeKind, forge: KnownForge): Command {
  const command = new Command(kind)
    .summary(`Read people and public repositories of ${forge.name}`)
    .description(
      `Reads the public accounts of ${forge.name}: names, places, biographies, followers, and the stars of their public ` +
        "repositories. It also asks the forge which accounts wrote the commits that `roster ingest git` has read. It stores no private " +
        "repositories and no hidden accounts, and contacts no other host. Choose the accounts: --all, or a selection. " +
        "Each run also reads the selections of earlier runs again. If you stop a run, the next run continues.",
    );
  addForgeOptions(command, forge);
  context.quietOption(context.countingOptions(command.addOption(createRemovalsOption())));
  addSettings(command, readingSettings);
  command.addHelpText(
    "after",
    `\nExamples:\n  ${forge.examples.join("\n  ")}\nThe rights that a token needs: docs/forges.md`,
  );
  return command.action((flags: Flags) => run(context, kind, flags));
}

const groupingFlags = {
  org: ["--org <NAME>", "members of an organisation"],
  team: ["--team <ORG/TEAM>", "members of a team"],
  group: ["--group <PATH>", "members of a group"],
} as const;

function addForgeOptions(command: Command, { url, groupings, exceptFromAll }: KnownForge): void {
  const several = (value: string, before: readonly string[] = []) => [...before, value];
  if (url === undefined) command.requiredOption("--url <URL>", "address of the forge in a browser");
  else command.option("--url <URL>", "address of the forge in a browser", url);
  command.option("--token-file <FILE>", "file with the token, which only its owner may read");
  command.option(
    "--all",
    `all public accounts${exceptFromAll === undefined ? "" : `; ${exceptFromAll}`}`,
  );
  for (const grouping of groupings) {
    const [flag, description] = groupingFlags[grouping];
    command.option(flag, description, several);
  }
  command
    .option("--user <LOGIN>", "one account", several)
    .option("--users <FILE>", "file with one login per line")
    .option("--search <WORDS>", "accounts that the forge finds for these words", several)
    .option("--limit <N>", "maximum number of accounts to read from each search")
    .option("--id <NAME>", "name of this source (default: its host)")
    .option("--ca-file <FILE>", "certificates of a private authority, in PEM")
    .option(
      "--wait <MINUTES>",
      "maximum number of minutes to wait when the forge limits requests (default: 15)",
    )
    .option("--requests-per-hour <N>", "maximum number of requests to send in an hour")
    .option("--max-people <N>", "maximum number of accounts to read from a list (default: 100000)")
    .option(
      "--mirror <DIR>",
      "also mirror the public repositories of these people into this folder, and read the commits",
    )
    .option("--dry-run", "show what would be read, and write nothing");
}

async function run(context: CliContext, kind: ForgeKind, flags: Flags): Promise<void> {
  const url = readUrl(flags["url"]);
  const selections = readSelections(flags);
  const text = (name: string) => (flags[name] === undefined ? undefined : String(flags[name]));
  const [tokenFile, caFile, mirror] = [text("tokenFile"), text("caFile"), text("mirror")];
  const access = {
    token: tokenFile === undefined ? undefined : readTokenFile(tokenFile),
    authorities: caFile === undefined ? undefined : readTextFile(caFile),
    waitMax: (findWholeNumber(flags, "wait", 0, 24 * 60) ?? 15) * 60_000,
    requestsPerHour: findWholeNumber(flags, "requestsPerHour", 0, 1_000_000),
    mirror: mirror === undefined ? undefined : { folder: resolve(mirror) },
    maxPeople: findWholeNumber(flags, "maxPeople", 1, 10_000_000),
    environment: context.config(flags).environment,
    signal: context.signal,
  };
  const { timeoutMs, gitMemoryMiB: memoryMiB } = context.config(flags).ingest;
  const source = { id: readId(flags["id"] ?? toForgeName(url)), kind, url, selections };
  const { now } = context.wiring;
  const read = async (folder: DataFolder) => {
    if (!flags["dryRun"]) context.noteRun({ kind: "refresh", source: source.id });
    type Report = ForgeIngestReport & { readonly unfinished?: string };
    const report = await context.withProgress((show): Promise<Report> => {
      const onProgress = createWalkDisplay(show);
      const request = { source, access, now, onProgress, signal: context.signal };
      if (flags["dryRun"]) return tryForge({ ...request, pool: folder.modules.pool });
      const earlier = listSources(folder.findForges());
      const isFirst = !earlier.some(({ id }) => id === source.id);
      if (isFirst && new URL(url).hostname === "github.com") context.terminal.note(githubTerms);
      return refreshForge(folder, {
        ...{ ...request, timeoutMs, memoryMiB },
        source: { ...source, selections: addSelections(earlier, source) },
        ...{ asOf: context.asOf(flags), canRemoveMany: Boolean(flags["allowRemovals"]) },
      });
    }, folder.modules.pool);
    const { unfinished, ...rest } = report;
    noteUnfinished(context, unfinished);
    showForge(context, flags, rest);
  };
  await context.withModules(flags, read, { create: true });
}

const githubTerms =
  "GitHub's acceptable use policies, sections 7 and 8, limit the use of its information, also for recruiting. Check " +
  "that your use is allowed (docs/forges.md).";

/** Adds this run's selections, such as `--org NAME`, to the selections of earlier runs. */
function addSelections(
  earlier: readonly KnownSource[],
  { id, selections }: { readonly id: string; readonly selections: readonly ForgeSelection[] },
): readonly ForgeSelection[] {
  const known = earlier.find((source) => source.id === id)?.selections ?? [];
  const byText = new Map([...known, ...selections].map((one) => [describeSelection(one), one]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function describeSelection(selection: ForgeSelection): string {
  return selection.kind === "all" ? "all" : `${selection.kind}:${selection.name}`;
}

function readUrl(text: unknown): string {
  const url = String(text).replace(/(?<!\/)\/+$/, "");
  const isFit = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  const { username = "", search = "", hash = "" } = isFit ? new URL(url) : {};
  if (isFit && !username && !search && !hash) return url;
  throw createUsageFault(
    "--url must be an http or https address without a user, query or fragment",
  );
}

function readSelections(flags: Flags): readonly ForgeSelection[] {
  const kinds = ["org", "team", "group", "user"] as const;
  const searches = (flags["search"] ?? []) as readonly string[];
  const limit = readLimit(flags, searches);
  const listed =
    flags["users"] === undefined ? [] : listLogins(readTextFile(String(flags["users"])));
  const selections: readonly ForgeSelection[] = [
    ...(flags["all"] ? [{ kind: "all" as const }] : []),
    ...kinds.flatMap((kind) =>
      ((flags[kind] ?? []) as readonly string[]).map((name) => ({ kind, name })),
    ),
    ...searches.map((name) => ({ kind: "search" as const, name, ...limit })),
    ...listed,
  ];
  if (selections.length > 0) return selections;
  const text = "select the people, such as with --org NAME, or everyone with --all";
  throw createUsageFault(text);
}

function readLimit(flags: Flags, searches: readonly string[]): { readonly limit?: number } {
  const limit = findWholeNumber(flags, "limit", 1, 1_000_000);
  if (limit === undefined) return {};
  if (searches.length === 0) throw createUsageFault("--limit needs --search");
  return { limit };
}

function readId(text: unknown): string {
  const id = String(text).toLowerCase().replace(/[:/]/g, "-");
  if (/^[a-z0-9][a-z0-9.-]{0,59}$/.test(id)) return id;
  const rule = "a name of at most 60 small letters, digits, dots and dashes";
  throw createUsageFault(`--id ${describeMismatch(rule, id)}`);
}

/** Creates a function that shows the progress of reading forges. With several sources, their requests are added up. */
export function createWalkDisplay(
  show: (step: Step) => void,
  sources = 1,
): (at: WalkProgress) => void {
  const requests = new Map<string, number>();
  return (at) => {
    requests.set(at.source, at.requests);
    const done = requests.values().reduce((sum, one) => sum + one, 0);
    const label = `${at.what}, ${at.people} people`;
    const source = sources === 1 ? "" : `${at.source}: `;
    show({ done, total: undefined, unit: "requests", label: `${source}${label}` });
  };
}

export function noteUnfinished(
  { terminal }: Pick<CliContext, "terminal">,
  unfinished: string | undefined,
): void {
  if (unfinished !== undefined) terminal.note(`an erasure is unfinished: ${unfinished}`);
}

export function showForge(
  { terminal, noteReport }: CliContext,
  flags: Flags,
  { counted, warnings, ...report }: ForgeIngestReport,
): void {
  for (const warning of warnings) terminal.note(warning);
  const { imported } = counted ?? {};
  const isDry = Boolean(flags["dryRun"]);
  const shown = { ...report, warnings, dryRun: isDry, ...imported };
  noteReport(shown);
  if (flags["json"]) {
    printJson(terminal, shown);
    return;
  }
  const { source, requests, people, repositories, hidden, suppressed, pausedUntil } = report;
  terminal.result(
    `${source}: ${people} people, ${repositories} repositories; ${requests} requests; left out ${hidden} hidden` +
      (suppressed > 0 ? `, ${suppressed} suppressed` : ""),
  );
  if (pausedUntil) {
    terminal.note(
      `the forge's limit is used up until ${pausedUntil}; what was read is kept, and the same command continues from there`,
    );
  }
  if (imported) {
    const { added, replaced, unchanged, removed } = imported;
    terminal.result(
      `${added} added, ${replaced} replaced, ${unchanged} unchanged, ${removed} removed`,
    );
  }
  if (isDry) terminal.note("nothing was written");
}
