import { Command } from "commander";
import type { Known } from "../../../../ingest/ingest.ts";
import { CommandFault, exitCodes } from "../../exit-code.ts";
import type { Session } from "../../session.ts";
import { json, table } from "../../terminal.ts";
import { mergeCommand, splitCommand, undoCommand } from "./decide-commands.ts";
import { showDecisions, showKnown } from "./show-known.ts";
import { whoIsWho } from "./who-is-who.ts";

/** `identity list|suggestions|merge|split|undo`: who is who in git histories, why, and what to do about it. */
export function identityCommand(session: Session): Command {
  return new Command("identity")
    .summary("Show who is who in git histories and why, merge and split people")
    .addCommand(listCommand(session))
    .addCommand(suggestionsCommand(session))
    .addCommand(mergeCommand(session))
    .addCommand(splitCommand(session))
    .addCommand(undoCommand(session));
}

function listCommand(session: Session): Command {
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
    await session.withRooms(
      flags,
      async (open) => {
        const asJson = flags["json"] === true;
        if (flags["decisions"]) {
          showDecisions(session.terminal, open.rooms.pool.decisions.list(), asJson);
          return exitCodes.ok;
        }
        const asked = whoIsWho(session, open, flags);
        const found = person === undefined ? asked.list().filter(isTold) : asked.find(person);
        if (person !== undefined && found.length === 0) {
          const message = `nobody in the histories that are known is ${person}`;
          throw new CommandFault(exitCodes.notFound, message);
        }
        if (asJson) json(session.terminal, found);
        else if (person === undefined) showList(session, found);
        else for (const known of found) showKnown(session.terminal, known);
        return exitCodes.ok;
      },
      { search: false },
    );
  });
}

/** Whom there is something to say about. */
function isTold({ spellings, class: kind }: Known): boolean {
  return spellings.length > 1 || kind !== "human";
}

function showList({ terminal }: Session, found: readonly Known[]): void {
  if (found.length === 0) {
    terminal.note("nobody has more than one spelling");
    return;
  }
  table(
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

function suggestionsCommand(session: Session): Command {
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
    await session.withRooms(
      flags,
      async (open) => {
        const pairs = whoIsWho(session, open, flags)
          .suggestions()
          .map(({ people: [a, b], clues }) => ({ a: a.login, b: b.login, clues }));
        if (flags["json"]) json(session.terminal, pairs);
        else if (pairs.length === 0) session.terminal.note("no two people look like one");
        else {
          table(
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
