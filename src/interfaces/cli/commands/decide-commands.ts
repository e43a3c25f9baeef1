import { Command, Option } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { Fault, isFault } from "../../../contract/fault.ts";
import type { AuditAction } from "../../../control/account-records.ts";
import {
  createIdentityOverview,
  type IdentityDecision,
  type IdentityOverview,
  listLocations,
  readApplied,
  recordDecision,
} from "../../../ingest/ingest.ts";
import type { ImportLock } from "../../../pool/pool.ts";
import { type CliContext, type Flags, readReason } from "../cli-context.ts";
import { printJson } from "../terminal.ts";
import { recountPeople } from "./ledger-commands.ts";

export function createMergeCommand(context: CliContext): Command {
  const command = new Command("merge")
    .summary("Merge two people into one")
    .description(
      "Records that two identities are one person, and recalculates the person. Two accounts of one forge cannot be merged, " +
        "nor can a bot and a human. To undo the merge, run `identity split A B`.",
    );
  const example = "roster identity merge ada-example ada@old.example.com --reason 'her own word'";
  return addDecision(context, command, example, "merge");
}

export function createSplitCommand(context: CliContext): Command {
  const command = new Command("split")
    .summary("Split one person into two, and keep them apart")
    .description(
      "Undoes a merge, or separates identities that Roster joined and keeps them apart. If they are two people already, " +
        "Roster records your decision and no longer suggests the pair.",
    );
  const example = "roster identity split ada@example.com team@example.com";
  return addDecision(context, command, example, "split");
}

function addDecision(
  context: CliContext,
  command: Command,
  example: string,
  verb: "merge" | "split",
): Command {
  command
    .argument("<one>", "login, e-mail address, github.com/login, or `Name <address>`")
    .argument(
      "<other>",
      "the other person: login, e-mail address, github.com/login, or `Name <address>`",
    )
    .option("--reason <TEXT>", "reason to store with the decision");
  context.countingOptions(command);
  command.addHelpText("after", `\nExample:\n  ${example}`);
  return decideWithLock(context, command, async (folder, flags, one = "", other = "") => {
    const reason = readReason(flags["reason"]);
    const request = { a: one, b: other, reason, by: getActor(flags) };
    return recordDecision(findSources(context, folder, flags), verb, request);
  });
}

export function createUndoCommand(context: CliContext): Command {
  const command = new Command("undo")
    .summary("Undo a decision")
    .description("Undoes a decision, and recalculates the people that it was about.")
    .argument("<decision>", "id of the decision: `identity list --decisions` shows it");
  context.countingOptions(command);
  command.addHelpText("after", "\nExample:\n  roster identity undo dec_0123456789ab");
  return decideWithLock(context, command, async ({ modules }, _, id = "") => {
    const undone = await modules.pool.decisions.undo(id);
    if (undone) return { decision: undefined, undone: [undone] };
    const message = `there is no decision ${id}; \`roster identity list --decisions\` shows all`;
    throw new Fault("not_found", message);
  });
}

/** @returns the account that made the decision in a browser; otherwise the operator. */
const getActor = (flags: Flags): string => String(flags["by"] ?? "operator");

type LockedFolder = DataFolder & { readonly lock: ImportLock };

/** Sets the action of a command: locks imports, calls `decide`, and applies the decision. */
function decideWithLock(
  context: CliContext,
  command: Command,
  decide: (folder: DataFolder, flags: Flags, ...given: string[]) => Promise<IdentityDecision>,
): Command {
  command.addOption(new Option("--by <ACCOUNT>").hideHelp());
  return context.useFolder(command, async (folder, flags, ...given) => {
    const lock = await folder.modules.pool.lockImports("identity");
    try {
      const decided = await decide(folder, flags, ...given);
      await applyDecision(context, { ...folder, lock }, flags, decided);
    } finally {
      await lock.release();
    }
  });
}

/** Writes a decision to the audit log, recounts people, and prints the results. */
async function applyDecision(
  context: CliContext,
  folder: LockedFolder,
  flags: Flags,
  { decision, undone, because }: IdentityDecision,
): Promise<void> {
  const audit = (action: AuditAction, subject: string) =>
    folder.control.record({
      at: context.wiring.now(),
      actor: getActor(flags),
      action,
      subject,
      // The audit log cannot be erased, so it must not name people.
      detail: {},
    });
  for (const { id } of undone) await audit("identity.undone", id);
  if (decision)
    await audit(decision.kind === "same" ? "identity.merged" : "identity.split", decision.id);
  const report = await updatePool(context, folder, flags);
  const { terminal } = context;
  if (flags["json"]) {
    printJson(terminal, {
      decision,
      undone,
      because,
      developers: report?.developers,
      ...report?.imported,
    });
    return;
  }
  for (const { id, kind, a, b } of undone) {
    terminal.result(`undone: ${id}, that ${a} and ${b} are ${kind === "same" ? "one" : "two"}`);
  }
  if (decision) {
    const { id, kind, a, b, evidence } = decision;
    terminal.result(`recorded: ${id}, ${a} and ${b} are ${kind === "same" ? "one" : "two"}`);
    for (const clue of evidence) terminal.result(`  ${clue}`);
  }
  if (because !== undefined) terminal.note(`Nothing was recorded: ${because}.`);
  if (report?.imported) {
    const { added, replaced, removed } = report.imported;
    terminal.note(`counted again: ${added} added, ${replaced} replaced, ${removed} removed`);
  }
}

/** @returns the day of `--as-of`; default: the day of the last run. */
function findAsOf(context: CliContext, { ledger }: DataFolder, flags: Flags): string {
  const applied = flags["asOf"] === undefined ? readApplied(ledger())?.asOf : undefined;
  return applied ?? context.asOf(flags);
}

export function openIdentities(
  context: CliContext,
  folder: DataFolder,
  flags: Flags,
): Promise<IdentityOverview> {
  return createIdentityOverview(findSources(context, folder, flags));
}

function findSources(context: CliContext, folder: DataFolder, flags: Flags) {
  const { modules, ledger, identityFiles } = folder;
  const asOf = findAsOf(context, folder, flags);
  return { ledger: ledger(), pool: modules.pool, files: identityFiles(), asOf };
}

/** Recounts people with all decisions. @returns undefined if no repository is known. */
async function updatePool(context: CliContext, folder: LockedFolder, flags: Flags) {
  if (listLocations(folder.ledger()).length === 0) return undefined;
  const asOf = findAsOf(context, folder, flags);
  try {
    return await recountPeople(context, folder, asOf, { lock: folder.lock });
  } catch (error) {
    if (isFault(error)) {
      context.terminal.note(
        "The decision is recorded but not applied yet: run `roster ingest git`.",
      );
    }
    throw error;
  }
}
