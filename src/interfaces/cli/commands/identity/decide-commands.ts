import { Command } from "commander";
import type { IdentityDecision } from "../../../../ingest/ingest.ts";
import { type CliContext, createUsageFault, type OpenFolder } from "../../cli-context.ts";
import { CommandFault, exitCodes } from "../../exit-code.ts";
import { printJson } from "../../terminal.ts";
import { openIdentities, recountPeople } from "./open-identities.ts";

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
          throw new CommandFault(exitCodes.notFound, message);
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
  open: OpenFolder,
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
