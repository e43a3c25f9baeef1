import { renameSync, rmSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { listIdentifiers, type Pool } from "../../../pool/pool.ts";
import type { CliContext, Erasure } from "../cli-context.ts";
import { CommandFault, exitCodes } from "../exit-code.ts";
import { printJson } from "../terminal.ts";

/** `person export LOGIN [FILE]`: the subject's copy of everything held of them. Counts no call. */
export function createPersonCommand(session: CliContext): Command {
  return new Command("person")
    .summary("Answer a person who asks what is held of them")
    .addCommand(exportCommand(session));
}

function exportCommand(session: CliContext): Command {
  const command = new Command("export")
    .summary("Write everything held of one person as one JSON document")
    .description(
      "Writes the subject's copy: what sources say, what analysis made of it with every score explained, " +
        "what search shows, where it came from and when, and what the suppression list would keep.",
    )
    .argument("<login>", "login of the person")
    .argument("[file]", "the file; default: standard output");
  session.commonOptions(command);
  command.addHelpText("after", "\nExample:\n  roster person export ada-example ada.json");
  return command.action(
    async (login: string, file: string | undefined, flags: Record<string, unknown>) => {
      await session.withModules(
        flags,
        async ({ modules, erasure }) => {
          const held = await copyOf({ pool: modules.pool, erasure }, login, session.wiring.now());
          if (!held) {
            throw new CommandFault(exitCodes.notFound, `no developer has the login ${login}`);
          }
          if (file === undefined || file === "-") printJson(session.terminal, held, 2);
          else {
            const text = `${JSON.stringify(held, null, 2)}\n`;
            writeWhole(file, text);
            if (flags["json"])
              printJson(session.terminal, { file, bytes: Buffer.byteLength(text) });
            else session.terminal.note(`Everything held of ${held.login} written to ${file}`);
          }
          return exitCodes.ok;
        },
        { search: false },
      );
    },
  );
}

async function copyOf(
  {
    pool,
    erasure,
  }: {
    readonly pool: Pick<Pool, "findStoredDeveloper" | "erasing" | "decisions">;
    readonly erasure: Pick<Erasure, "knownAs">;
  },
  login: string,
  at: Date,
) {
  const holding = await pool.findStoredDeveloper(login);
  if (!holding) return undefined;
  const { facts, analysis, card, standing, ...origin } = holding;
  const known = await erasure.knownAs(facts.login);
  const names = known?.spellings.map(({ name }) => name);
  return {
    form: "urn:roster:person:1",
    login: facts.login,
    exportedAt: at.toISOString(),
    origin: { source: facts.source, ...origin },
    facts,
    /** With `explanation`: each score's terms, weights, caps and evidence. */
    analysis,
    shown: card,
    ranked: standing,
    /** As commits name them, in what is kept of git histories, and why these are one person. */
    spellings: known?.spellings ?? [],
    joins: known?.joins ?? [],
    /** Of the operator, on which spellings are this person's. */
    decisions: await pool.decisions.about(facts, names),
    ifForgotten: { keptAs: "salted hashes", of: listIdentifiers(facts) },
  };
}

/** The file appears whole or not at all, and for nobody else to read. */
function writeWhole(path: string, text: string): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    writeFileSync(partial, text, { mode: 0o600 });
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    const reason = (error as Error).message;
    throw new CommandFault(exitCodes.fault, `${path} cannot be written: ${reason}`);
  }
}
