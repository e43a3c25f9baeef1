import { renameSync, rmSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import type { DataFolder, Erasure, ErasureResult } from "../../../appliance/appliance.ts";
import { Fault } from "../../../contract/fault.ts";
import { isLogin } from "../../../contract/requests.ts";
import { isGenericAddress } from "../../../identity/address.ts";
import { type ErasureReceipt, listIdentifiers, type Pool } from "../../../pool/pool.ts";
import { type CliContext, createUsageFault } from "../cli-context.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { printFields, printJson, printTable } from "../terminal.ts";

/** `forget LOGIN|EMAIL`, `forget --list`, `forget --undo RECEIPT`: erasure that sticks. */
export function createForgetCommand(session: CliContext): Command {
  const command = new Command("forget")
    .summary("Erase a person, and never take them in again")
    .description(
      "Deletes everything held of a person, at once and for every door, cleans the files, and keeps only " +
        "salted hashes of their login, addresses and accounts, by which every importer leaves them out. " +
        "Prints a receipt that names nobody. docs/erasure.md says what it cannot reach.",
    )
    .argument("[person]", "login or e-mail address")
    .option("--reason <TEXT>", "kept with the receipt: a ticket, a date; must not name the person")
    .option("--even-if-unknown", "also somebody who is not in the pool: they never come in")
    .option("--dry-run", "only show whose developers would go")
    .option("--list", "show the receipts, newest first")
    .option("--undo <RECEIPT>", "let the person come in again; what was deleted stays deleted");
  session.commonOptions(command);
  command.addHelpText(
    "after",
    '\nExample:\n  roster forget some-login --reason "request 17"\n  roster forget --list',
  );
  return command.action(async (person: string | undefined, flags: Flags) => {
    const asked = [person, flags.list, flags.undo].filter((one) => one !== undefined);
    if (asked.length !== 1) {
      throw createUsageFault(
        "forget needs one of: a login or e-mail address, --list, --undo RECEIPT",
      );
    }
    await session.withModules(
      { ...flags },
      async (open) => {
        if (flags.list) return list(session, flags, open);
        if (flags.undo !== undefined) return undo(session, flags, open);
        const subject = readSubject(person ?? "");
        return flags.dryRun
          ? tryOut(session, flags, open, subject)
          : forget(session, flags, open, subject);
      },
      { search: false },
    );
  });
}

interface Flags {
  readonly reason?: string;
  readonly evenIfUnknown?: true;
  readonly dryRun?: true;
  readonly list?: true;
  readonly undo?: string;
  readonly json?: true;
}

const reasonMax = 500;

function readSubject(text: string): string {
  const subject = text.trim();
  const isAddress = subject.includes("@");
  if (isAddress && isGenericAddress(subject)) {
    throw createUsageFault(
      "several people use this address, so it is nobody's: forget the person by login",
    );
  }
  if (!isAddress && !isLogin(subject))
    throw createUsageFault("that is no login and no e-mail address");
  return subject;
}

async function forget(
  session: CliContext,
  flags: Flags,
  open: DataFolder,
  subject: string,
): Promise<ExitCode> {
  const reason = flags.reason?.trim() || undefined;
  if (reason && reason.length > reasonMax) {
    throw createUsageFault(`--reason must have at most ${reasonMax} characters`);
  }
  const { terminal } = session;
  const evenIfUnknown = flags.evenIfUnknown === true;
  const forgotten = await open.erasure.forget(subject, { reason, evenIfUnknown });
  if (forgotten.ok) {
    showErased(session, flags, forgotten);
    return exitCodes.ok;
  }
  switch (forgotten.code) {
    case "names_person":
      throw createUsageFault(
        "--reason must not name the person: it is kept. Nobody was forgotten.",
      );
    case "unknown":
      throw await unknown(open, subject);
    case "unfinished":
      showErased(session, flags, forgotten);
      terminal.note(
        `Nobody finds this person any more, but old bytes may still lie in the files: ${forgotten.fault}. ` +
          "Run the same command again.",
      );
      return exitCodes.fault;
  }
}

async function unknown({ modules }: DataFolder, subject: string): Promise<Fault> {
  const isForgotten = (await modules.pool.erasing.receiptsOf(subject)).length > 0;
  return new Fault(
    "not_found",
    isForgotten
      ? "nobody has this login or address, and whoever had it is on the suppression list already"
      : "nobody has this login or address; with --even-if-unknown they never come in",
  );
}

async function tryOut(
  session: CliContext,
  flags: Flags,
  open: DataFolder,
  subject: string,
): Promise<ExitCode> {
  const logins = await open.modules.pool.erasing.find(subject);
  if (logins.length === 0) throw await unknown(open, subject);
  if (flags.json) printJson(session.terminal, { logins });
  else session.terminal.result(`Would be erased: ${logins.join(", ")}`);
  return exitCodes.ok;
}

async function undo(session: CliContext, flags: Flags, open: DataFolder): Promise<ExitCode> {
  const receipt = await open.erasure.undo(flags.undo ?? "");
  if (!receipt) throw new Fault("not_found", `there is no receipt ${flags.undo}`);
  show(session, flags, receipt);
  return exitCodes.ok;
}

async function list(session: CliContext, flags: Flags, { modules }: DataFolder): Promise<ExitCode> {
  const receipts = await modules.pool.erasing.receipts();
  if (flags.json) printJson(session.terminal, { receipts });
  else {
    printTable(
      session.terminal,
      ["receipt", "at", "developers", "rows", "hashes", "state", "reason"],
      receipts.map((receipt) => [
        receipt.id,
        receipt.at,
        String(receipt.developers),
        String(receipt.rows),
        String(receipt.identifiers),
        stateOf(receipt),
        receipt.reason ?? "",
      ]),
    );
  }
  return exitCodes.ok;
}

function stateOf({ completedAt, undoneAt }: ErasureReceipt): string {
  if (undoneAt) return `undone ${undoneAt}`;
  return completedAt ? "complete" : "unfinished: forget them again";
}

function showErased(
  session: CliContext,
  flags: Flags,
  { receipt, mentionedIn }: ErasureResult,
): void {
  if (mentionedIn.length === 0) {
    show(session, flags, receipt);
    return;
  }
  if (flags.json) printJson(session.terminal, { ...receipt, mentionedIn });
  else show(session, flags, receipt);
  session.terminal.note(
    `Your own files still tell of this person; take the lines out: ${mentionedIn.join(", ")}`,
  );
}

function show({ terminal }: CliContext, flags: Flags, receipt: ErasureReceipt): void {
  if (flags.json) {
    printJson(terminal, receipt);
    return;
  }
  printFields(terminal, [
    ["receipt", receipt.id],
    ["at", receipt.at],
    ["reason", receipt.reason],
    ["developers", String(receipt.developers)],
    ["rows", String(receipt.rows)],
    ["hashes kept", String(receipt.identifiers)],
    ["state", stateOf(receipt)],
  ]);
}

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
            throw new Fault("not_found", `no developer has the login ${login}`);
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
    throw new Fault("system", `${path} cannot be written: ${reason}`);
  }
}
