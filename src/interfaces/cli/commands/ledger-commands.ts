import { Command } from "commander";
import { Fault } from "../../../contract/fault.ts";
import { ingestGit, type KnownClone, type RepositorySummary } from "../../../ingest/ingest.ts";
import type { CliContext } from "../cli-context.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson, printTable } from "../terminal.ts";
import { showIngest } from "./show-ingest.ts";

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
          throw new Fault("not_found", message);
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
