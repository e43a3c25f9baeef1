import { Command } from "commander";
import type { DataFolder } from "../../../appliance/appliance.ts";
import { Fault, isFault } from "../../../contract/fault.ts";
import {
  createIdentityOverview,
  type IdentityDecision,
  type IdentityOverview,
  ingestGit,
} from "../../../ingest/ingest.ts";
import { type CliContext, createUsageFault } from "../cli-context.ts";
import { exitCodes } from "../exit-code.ts";
import { printJson } from "../terminal.ts";

type Flags = Record<string, unknown>;

/** `identity merge A B`. */
export function createMergeCommand(session: CliContext): Command {
  const command = new Command("merge")
    .summary("Make two people one")
    .description(
      "Records that two are one person, with the evidence, and counts everybody anew. Two accounts of one " +
        "forge, and a bot and a human, are never merged. `identity split A B` takes it back.",
    );
  const example = "roster identity merge ada-example ada@old.example.com --reason 'her own word'";
  return deciding(session, command, example, "merge");
}

/** `identity split A B`. */
export function createSplitCommand(session: CliContext): Command {
  const command = new Command("split")
    .summary("Make one person two, and keep them two")
    .description(
      "Takes back that two were merged; what other evidence has joined is never joined again. Of two who are " +
        "two it records that they are, and they are not suggested again. Counts everybody anew.",
    );
  const example = "roster identity split ada@example.com team@example.com";
  return deciding(session, command, example, "split");
}

function deciding(
  session: CliContext,
  command: Command,
  example: string,
  verb: "merge" | "split",
): Command {
  command
    .argument("<one>", "login, e-mail address, github.com/login, or `Name <address>`")
    .argument("<other>", "likewise")
    .option("--reason <TEXT>", "kept with the decision");
  session.countingOptions(command);
  command.addHelpText("after", `\nExample:\n  ${example}`);
  return command.action(async (one: string, other: string, flags: Flags) => {
    const reason = readReason(flags["reason"]);
    await session.withModules(
      flags,
      async (open) => {
        const identities = await openIdentities(session, open, flags);
        const settled = await identities[verb](one, other, reason);
        await settle(session, open, flags, settled);
        return exitCodes.ok;
      },
      { search: false },
    );
  });
}

const reasonMax = 500;

function readReason(text: unknown): string | undefined {
  const reason = text === undefined ? undefined : String(text).trim();
  if (reason !== undefined && reason.length > reasonMax) {
    throw createUsageFault(`--reason must have at most ${reasonMax} characters`);
  }
  return reason || undefined;
}

/** `identity undo DECISION`. */
export function createUndoCommand(session: CliContext): Command {
  const command = new Command("undo")
    .summary("Take a decision back")
    .description("Takes a decision back, and counts everybody anew without it.")
    .argument("<decision>", "as `identity list --decisions` shows it");
  session.countingOptions(command);
  command.addHelpText("after", "\nExample:\n  roster identity undo dec_0123456789ab");
  return command.action(async (id: string, flags: Flags) => {
    await session.withModules(
      flags,
      async (open) => {
        const undone = await open.modules.pool.decisions.remove(id);
        if (!undone) {
          const message = `there is no decision ${id}; \`roster identity list --decisions\` shows all`;
          throw new Fault("not_found", message);
        }
        await settle(session, open, flags, { decision: undefined, undone: [undone] });
        return exitCodes.ok;
      },
      { search: false },
    );
  });
}

/** Audits what was recorded, shows it, and brings the pool up to it. */
async function settle(
  session: CliContext,
  open: DataFolder,
  flags: Flags,
  { decision, undone, because }: IdentityDecision,
): Promise<void> {
  const audit = (action: string, subject: string) =>
    open.control.record({
      at: session.wiring.now(),
      actor: "operator",
      action,
      subject,
      // The log cannot be changed, so it names nobody: who they are stands with the decision.
      detail: {},
    });
  for (const { id } of undone) await audit("identity.undone", id);
  if (decision)
    await audit(decision.kind === "same" ? "identity.merged" : "identity.split", decision.id);
  const report = await recountPeople(session, open, flags);
  const { terminal } = session;
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
    terminal.result(`taken back: ${id}, that ${a} and ${b} are ${kind === "same" ? "one" : "two"}`);
  }
  if (decision) {
    const { id, kind, a, b, evidence } = decision;
    terminal.result(`recorded: ${id}, ${a} and ${b} are ${kind === "same" ? "one" : "two"}`);
    for (const clue of evidence) terminal.result(`  ${clue}`);
  }
  if (because !== undefined) terminal.note(`Nothing was recorded: ${because}.`);
  if (report?.imported) {
    const { added, replaced, removed } = report.imported;
    terminal.note(`counted anew: ${added} added, ${replaced} replaced, ${removed} removed`);
  }
}

/** As of the day that the pool shows, unless another one is asked for: a question moves nobody's score. */
function findAsOf(session: CliContext, { ledger }: DataFolder, flags: Flags): string {
  const applied = flags["asOf"] === undefined ? ledger().applied()?.asOf : undefined;
  return applied ?? session.asOf(flags);
}

export function openIdentities(
  session: CliContext,
  open: DataFolder,
  flags: Flags,
): Promise<IdentityOverview> {
  const { modules, ledger, identityFiles } = open;
  const asOf = findAsOf(session, open, flags);
  return createIdentityOverview({
    ledger: ledger(),
    pool: modules.pool,
    files: identityFiles(),
    asOf,
  });
}

/**
 * Shows the people as they are counted now: a running server follows.
 *
 * @returns undefined when no repository is known.
 */
async function recountPeople(session: CliContext, open: DataFolder, flags: Flags) {
  const { modules, ledger, judge, modelVersion, vocabulary, identityFiles } = open;
  if (ledger().places().length === 0) return undefined;
  const asOf = findAsOf(session, open, flags);
  try {
    return await ingestGit({
      paths: [],
      ledger: ledger(),
      files: identityFiles(),
      pool: modules.pool,
      judge: judge(asOf),
      modelVersion: modelVersion(),
      vocabulary,
      asOf,
      signal: session.signal,
    });
  } catch (error) {
    if (isFault(error)) {
      session.terminal.note(
        "The decision is kept, and not shown yet: `roster ingest git` does that.",
      );
    }
    throw error;
  }
}
