import { Command } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { Fault } from "../../../contract/fault.ts";
import type { KnownIdentity } from "../../../ingest/ingest.ts";
import type { CliContext, Flags } from "../cli-context.ts";
import { printRows, printTable, type RowTable } from "../table.ts";
import { printResult, type Terminal } from "../terminal.ts";
import {
  createMergeCommand,
  createSplitCommand,
  createUndoCommand,
  openIdentities,
} from "./decide-commands.ts";

export function createIdentityCommand(context: CliContext): Command {
  return new Command("identity")
    .summary("Show, merge and split the identities of people")
    .addCommand(createListCommand(context))
    .addCommand(createSuggestionsCommand(context))
    .addCommand(createMergeCommand(context))
    .addCommand(createSplitCommand(context))
    .addCommand(createUndoCommand(context));
}

function createListCommand(context: CliContext): Command {
  const command = new Command("list")
    .summary("Show the spellings of people and why they were joined")
    .description(
      "Shows the names and addresses that a person commits under, and the evidence that they are one person. Without a " +
        "person, lists everyone with more than one name or address, and authors that are not human. Reads stored data, not the repositories.",
    )
    .argument("[person]", "login, e-mail address, github.com/login, or `Name <address>`")
    .option("--decisions", "show the recorded decisions with author, date and reason");
  context.countingOptions(command);
  command.addHelpText(
    "after",
    `\n${falseJoins}\n\nExamples:\n  roster identity list ada@example.com\n  roster identity list --decisions`,
  );
  return context.readFolder(command, async (folder, flags, person) => {
    if (flags["decisions"]) return showDecisions(context, flags, folder.modules);
    const overview = await openIdentities(context, folder, flags);
    const found = person === undefined ? overview.list().filter(isNotable) : overview.find(person);
    if (person !== undefined && found.length === 0) {
      throw new Fault("not_found", `the known histories have no person ${person}`);
    }
    if (person !== undefined) {
      printResult(context.terminal, flags, found, () => {
        for (const known of found) showIdentity(context.terminal, known);
      });
    } else {
      printRows(context.terminal, flags, found, listTable);
      if (!flags["json"] && found.some(({ joins }) => joins.length > 0)) {
        context.terminal.note("", ...falseJoins.split("\n"));
      }
    }
  });
}

const falseJoins = `To find wrong joins, look first at people joined by a name or handle: anyone can write any name into a commit.
A mailmap applies only to the repository that has it. "roster identity list LOGIN" shows every join of a
person, and "roster identity split" separates two identities for good.`;

function isNotable({ spellings, addresses, class: kind }: KnownIdentity): boolean {
  const ofCommits = spellings.filter(({ forge }) => forge === undefined);
  return ofCommits.length > 1 || addresses.length > 1 || kind !== "human";
}

const listTable: RowTable<KnownIdentity> = {
  empty: "no person has more than one spelling",
  columns: [
    ["login", ({ login }) => login],
    ["class", ({ class: kind }) => kind],
    ["spellings", ({ spellings }) => String(spellings.length)],
    ["joined by", ({ joins }) => [...new Set(joins.map(({ evidence }) => evidence))].join(", ")],
    ["because", ({ classReason }) => classReason ?? ""],
  ],
};

function createSuggestionsCommand(context: CliContext): Command {
  const command = new Command("suggestions")
    .summary("Show possible duplicates; changes nothing")
    .description(
      "Shows pairs of people who may be the same person. They share a full name, or the name of one is the login of the " +
        "other, and a second clue agrees. Merge them with `identity merge A B`. To keep them separate and hide the pair, run " +
        "`identity split A B`.",
    );
  context.countingOptions(command);
  command.addHelpText("after", "\nExample:\n  roster identity suggestions --json");
  return context.readFolder(command, async (folder, flags) => {
    const { suggestions } = await openIdentities(context, folder, flags);
    const pairs = suggestions().map(({ people, clues }) => ({
      ...{ a: people[0].login, b: people[1].login, clues },
      people: people.map(({ login, accounts, spellings }) => ({ login, accounts, spellings })),
    }));
    printRows(context.terminal, flags, pairs, {
      empty: "no suggestions",
      columns: [
        ["one", ({ a }) => a],
        ["other", ({ b }) => b],
        ["clues", ({ clues }) => clues.join("; ")],
      ],
    });
  });
}

function showIdentity(terminal: Terminal, known: KnownIdentity): void {
  const { login, derivedLogin, formerLogins, class: kind, classReason } = known;
  const { accounts, spellings, joins } = known;
  const notes = [
    kind === "human" ? "" : `${kind}: ${classReason}`,
    derivedLogin ? "login made from the e-mail" : accounts.join(", "),
    formerLogins.length > 0 ? `formerly ${formerLogins.join(", ")}` : "",
  ];
  terminal.result(`${login} (${notes.filter(Boolean).join("; ")})`);
  printTable(
    terminal,
    ["  name", "e-mail", "in commits", "written", "repositories"],
    spellings.map(({ name, email, commitEmail, written, repositories }) => [
      `  ${name}`,
      email,
      commitEmail ?? "",
      String(written),
      repositories.join(", "),
    ]),
  );
  if (joins.length === 0) return;
  terminal.result("", "one person, because of");
  printTable(
    terminal,
    ["  evidence", "where", "one", "other"],
    joins.map(({ evidence, detail, spellings: [one, other] }) => [
      `  ${evidence}`,
      detail,
      one,
      other,
    ]),
  );
}

async function showDecisions(
  { terminal }: CliContext,
  flags: Flags,
  { pool, accounts }: Pick<DataFolder["modules"], "pool" | "accounts">,
): Promise<void> {
  const emails = new Map((await accounts.list()).map(({ id, email }) => [id, email]));
  printRows(terminal, flags, await pool.decisions.list(), {
    empty: "no decision is recorded",
    columns: [
      ["decision", ({ id }) => id],
      ["at", ({ at }) => at],
      ["by", ({ by }) => emails.get(by) ?? by],
      ["says", ({ kind }) => (kind === "same" ? "one person" : "two people")],
      ["one", ({ a }) => a],
      ["other", ({ b }) => b],
      ["reason", ({ reason }) => reason ?? ""],
      ["evidence", ({ evidence }) => evidence.join("; ")],
    ],
  });
}
