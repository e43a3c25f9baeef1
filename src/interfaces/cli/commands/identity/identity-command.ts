import { Command } from "commander";
import type { KnownIdentity } from "../../../../ingest/ingest.ts";
import type { CliContext } from "../../cli-context.ts";
import { CommandFault, exitCodes } from "../../exit-code.ts";
import { printJson, printTable } from "../../terminal.ts";
import { createMergeCommand, createSplitCommand, createUndoCommand } from "./decide-commands.ts";
import { openIdentities } from "./open-identities.ts";
import { showDecisions, showIdentity } from "./show-identity.ts";

/** `identity list|suggestions|merge|split|undo`: who is who in git histories, why, and what to do about it. */
export function createIdentityCommand(session: CliContext): Command {
  return new Command("identity")
    .summary("Show who is who in git histories and why, merge and split people")
    .addCommand(listCommand(session))
    .addCommand(suggestionsCommand(session))
    .addCommand(createMergeCommand(session))
    .addCommand(createSplitCommand(session))
    .addCommand(createUndoCommand(session));
}

function listCommand(session: CliContext): Command {
  const command = new Command("list")
    .summary("Show people's spellings and why they are one")
    .description(
      "Shows a person's spellings in git histories, and the evidence that joined them; without a person " +
        "everybody with several spellings, and who is no human. Asks what is kept, not the repositories.",
    )
    .argument("[person]", "login, e-mail address, github.com/login, or `Name <address>`")
    .option("--decisions", "show what was decided, by whom, when and why");
  session.countingOptions(command);
  command.addHelpText(
    "after",
    "\nExamples:\n  roster identity list ada@example.com\n  roster identity list --decisions",
  );
  return command.action(async (person: string | undefined, flags: Record<string, unknown>) => {
    await session.withModules(
      flags,
      async (open) => {
        const asJson = flags["json"] === true;
        if (flags["decisions"]) {
          showDecisions(session.terminal, await open.modules.pool.decisions.list(), asJson);
          return exitCodes.ok;
        }
        const asked = await openIdentities(session, open, flags);
        const found = person === undefined ? asked.list().filter(isTold) : asked.find(person);
        if (person !== undefined && found.length === 0) {
          const message = `nobody in the histories that are known is ${person}`;
          throw new CommandFault(exitCodes.notFound, message);
        }
        if (asJson) printJson(session.terminal, found);
        else if (person === undefined) showList(session, found);
        else for (const known of found) showIdentity(session.terminal, known);
        return exitCodes.ok;
      },
      { search: false },
    );
  });
}

/** Whom there is something to say about. */
function isTold({ spellings, class: kind }: KnownIdentity): boolean {
  return spellings.length > 1 || kind !== "human";
}

function showList({ terminal }: CliContext, found: readonly KnownIdentity[]): void {
  if (found.length === 0) {
    terminal.note("nobody has more than one spelling");
    return;
  }
  printTable(
    terminal,
    ["login", "class", "spellings", "joined by", "because"],
    found.map(({ login, class: kind, classReason, spellings, joins }) => [
      login,
      kind,
      String(spellings.length),
      [...new Set(joins.map(({ evidence }) => evidence))].join(", "),
      classReason ?? "",
    ]),
  );
}

function suggestionsCommand(session: CliContext): Command {
  const command = new Command("suggestions")
    .summary("Show pairs who may be one person; nothing is done about them")
    .description(
      "Shows pairs with the same full name, or of whom one is called as the other's login, when a second " +
        "clue comes to it. `identity merge A B` makes them one, `identity split A B` says that they are two, " +
        "and then they are not shown again.",
    );
  session.countingOptions(command);
  command.addHelpText("after", "\nExample:\n  roster identity suggestions --json");
  return command.action(async (flags: Record<string, unknown>) => {
    await session.withModules(
      flags,
      async (open) => {
        const pairs = (await openIdentities(session, open, flags))
          .suggestions()
          .map(({ people: [a, b], clues }) => ({ a: a.login, b: b.login, clues }));
        if (flags["json"]) printJson(session.terminal, pairs);
        else if (pairs.length === 0) session.terminal.note("no two people look like one");
        else {
          printTable(
            session.terminal,
            ["one", "other", "clues"],
            pairs.map(({ a, b, clues }) => [a, b, clues.join("; ")]),
          );
        }
        return exitCodes.ok;
      },
      { search: false },
    );
  });
}
