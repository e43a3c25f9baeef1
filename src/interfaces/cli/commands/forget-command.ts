import { Command } from "commander";
import {
  createPersonCopy,
  type DataFolder,
  type ErasurePreview,
  type ErasureResult,
} from "../../../appliance/appliance.ts";
import { Fault } from "../../../contract/fault.ts";
import type { ErasureReceipt } from "../../../contract/people/erasure-receipt.ts";
import { isLogin } from "../../../contract/requests.ts";
import { isGenericAddress } from "../../../identity/address.ts";
import { chooseSource, openAnswers } from "../answer-source.ts";
import { type CliContext, createUsageFault, type Flags, readReason } from "../cli-context.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import { printTable } from "../table.ts";
import { printFields, printJson, printResult } from "../terminal.ts";
import { writeAtomically } from "../write-file.ts";

export function createForgetCommand(context: CliContext): Command {
  const command = new Command("forget")
    .summary("Erase a person, and keep them out of later imports")
    .description(
      "Deletes all data about a person, from every interface and from the files. It first shows what it deletes, and " +
        "prints a receipt without names. It keeps salted hashes of the person's login, addresses and accounts, so that later " +
        "imports leave the person out, and for 30 days the logins in the list of changes, for administrators. docs/erasure.md " +
        "says what it cannot delete.",
    )
    .argument("[person]", "login or e-mail address")
    .option(
      "--reason <TEXT>",
      "a ticket or a date, kept with the receipt; it must not name the person",
    )
    .option("--even-if-unknown", "keep a person out even if the pool does not have them")
    .option(
      "--yes",
      "do not ask for confirmation, even if only a name links the identities that are erased",
    )
    .option("--dry-run", "show what would be erased, and erase nothing")
    .option("--list", "show the receipts, newest first")
    .option("--finish", "finish erasures that a full disk or a crash interrupted")
    .option("--undo <RECEIPT>", "allow the person in again; deleted data stays deleted");
  context.commonOptions(command);
  command.addHelpText(
    "after",
    '\nExample:\n  roster forget some-login --reason "request 17"\n  roster forget --list',
  );
  return command.action(async (person: string | undefined, flags: Flags) => {
    const requests = [person, flags["list"], flags["finish"], flags["undo"]];
    if (requests.filter((each) => each !== undefined).length !== 1) {
      throw createUsageFault(
        "forget needs one of: a login or e-mail address, --list, --finish, --undo RECEIPT",
      );
    }
    const subject = person === undefined ? "" : readSubject(person);
    const act = (folder: DataFolder) => chooseAct(flags)(context, flags, folder, subject);
    const source = await chooseSource(context, flags);
    await openAnswers(context, { flags, source }, act, { search: false, isReading: false });
  });
}

function readSubject(text: string): string {
  const subject = text.trim();
  const isAddress = subject.includes("@");
  if (isAddress && isGenericAddress(subject)) {
    throw createUsageFault("several people share this address: name the person by login");
  }
  if (!isAddress && !isLogin(subject))
    throw createUsageFault("the person must be a login or an e-mail address");
  return subject;
}

type Act = (
  context: CliContext,
  flags: Flags,
  folder: DataFolder,
  subject: string,
) => Promise<ExitCode>;

function chooseAct(flags: Flags): Act {
  if (flags["list"]) return listReceipts;
  if (flags["finish"]) return finish;
  if (flags["undo"] !== undefined) return undo;
  return flags["dryRun"] ? showMatches : forget;
}

const finish: Act = async ({ terminal }, flags, folder) => {
  const fault = await folder.erasure.finish((text) => terminal.note(text));
  if (flags["json"]) printJson(terminal, { finished: fault === undefined, fault: fault ?? null });
  else if (fault === undefined) terminal.result("All erasures are finished.");
  if (fault === undefined) return exitCodes.ok;
  terminal.note(`Old bytes may still be in the files: ${fault}.`);
  return exitCodes.fault;
};

const forget: Act = async (context, flags, folder, subject) => {
  const reason = readReason(flags["reason"]);
  const evenIfUnknown = flags["evenIfUnknown"] === true;
  const preview = await folder.erasure.preview(subject);
  if (preview && !flags["json"])
    context.terminal.note("This will be erased:", ...describePreview(preview));
  if (preview && !flags["yes"]) await confirmJoins(context, preview);
  const outcome = await folder.erasure.forget(subject, { reason, evenIfUnknown }, (text) =>
    context.terminal.note(text),
  );
  if (outcome.ok) {
    showErasure(context, flags, outcome);
    return exitCodes.ok;
  }
  switch (outcome.code) {
    case "names_person":
      throw createUsageFault(
        "--reason must not name the person, because it is kept. No one was erased.",
      );
    case "unknown":
      throw await createUnknownFault(folder, subject);
    case "unfinished":
      showErasure(context, flags, outcome);
      context.terminal.note(
        `The person is no longer found, but old bytes may still be in the files: ${outcome.fault}. ` +
          "Run the same command again.",
      );
      return exitCodes.fault;
  }
};

async function createUnknownFault({ modules }: DataFolder, subject: string): Promise<Fault> {
  const isForgotten = (await modules.pool.erasing.receiptsOf(subject)).length > 0;
  return new Fault(
    "not_found",
    isForgotten
      ? "no person has this login or address; the person who had it is already on the suppression list"
      : "no person has this login or address; --even-if-unknown keeps the person out of later imports",
  );
}

/**
 * Asks the user to confirm that all data belongs to one person. Asks only if a common name is the sole evidence.
 * @throws Fault unless the answer is yes.
 */
async function confirmJoins(
  { terminal, signal }: CliContext,
  { logins, joinsByName }: ErasurePreview,
): Promise<void> {
  if (joinsByName.length === 0) return;
  const answer = await terminal.ask?.("Is all of this one person? Type yes to erase it:", signal);
  if (answer?.trim().toLowerCase() === "yes") return;
  throw new Fault(
    "refused",
    "no one was erased: a name is the only evidence that all of this is one person. " +
      `Look at \`roster identity list ${logins[0]}\`; \`roster identity split\` takes two people apart, and ` +
      "--yes erases all of it.",
  );
}

function describePreview(preview: ErasurePreview): readonly string[] {
  const { logins, formerLogins, addresses, accounts, names, joinsByName } = preview;
  const joins = joinsByName.map(
    ({ evidence, spellings }) => `${spellings.join(" and ")} (${evidence})`,
  );
  return Object.entries({ logins, "former logins": formerLogins, addresses, accounts, names })
    .concat([["by name alone", joins]])
    .filter(([, texts]) => texts.length > 0)
    .map(([title, texts]) => `${title.padEnd(13)}  ${texts.join(", ")}`);
}

const showMatches: Act = async (context, flags, folder, subject) => {
  const preview = await folder.erasure.preview(subject);
  if (!preview) throw await createUnknownFault(folder, subject);
  printResult(context.terminal, flags, preview, () =>
    context.terminal.result("Would be erased:", ...describePreview(preview)),
  );
  return exitCodes.ok;
};

const undo: Act = async (context, flags, folder) => {
  const receipt = await folder.erasure.undo(String(flags["undo"]));
  if (!receipt) throw new Fault("not_found", `there is no receipt ${flags["undo"]}`);
  showReceipt(context, flags, receipt);
  return exitCodes.ok;
};

const listReceipts: Act = async ({ terminal }, flags, { modules }) => {
  const receipts = await modules.pool.erasing.receipts();
  printResult(terminal, flags, { receipts }, () =>
    printTable(
      terminal,
      ["receipt", "at", "developers", "rows", "hashes", "state", "reason"],
      receipts.map((receipt) => {
        const counts = [receipt.developers, receipt.rows, receipt.identifiers].map(String);
        return [receipt.id, receipt.at, ...counts, describeState(receipt), receipt.reason ?? ""];
      }),
    ),
  );
  return exitCodes.ok;
};

function describeState({ completedAt, undoneAt }: ErasureReceipt): string {
  if (undoneAt) return `undone ${undoneAt}`;
  return completedAt ? "complete" : "unfinished: forget --finish";
}

function showErasure(
  context: CliContext,
  flags: Flags,
  { receipt, mentionedIn }: ErasureResult,
): void {
  const isMentioned = mentionedIn.length > 0;
  if (flags["json"] && isMentioned) printJson(context.terminal, { ...receipt, mentionedIn });
  else showReceipt(context, flags, receipt);
  if (!isMentioned) return;
  context.terminal.note(
    `Your own files still mention this person; remove these lines: ${mentionedIn.join(", ")}`,
  );
}

function showReceipt({ terminal }: CliContext, flags: Flags, receipt: ErasureReceipt): void {
  printResult(terminal, flags, receipt, () =>
    printFields(terminal, [
      ["receipt", receipt.id],
      ["at", receipt.at],
      ["reason", receipt.reason],
      ["developers", String(receipt.developers)],
      ["rows", String(receipt.rows)],
      ["hashes kept", String(receipt.identifiers)],
      ["state", describeState(receipt)],
    ]),
  );
}

export function createPersonCommand(context: CliContext): Command {
  const command = new Command("export")
    .summary("Write all data about one person as a JSON document")
    .description(
      "Writes a copy of the data to give to the person: the facts with their sources and dates, the analysis with every " +
        "score explained, the data that search shows, and the entry that an erasure would leave in the suppression list.",
    )
    .argument("<login>", "login of the person")
    .argument("[file]", "the file; default: standard output");
  context.commonOptions(command);
  command.addHelpText("after", "\nExample:\n  roster person export ada-example ada.json");
  const { terminal } = context;
  context.readFolder(command, async (folder, flags, login = "", file) => {
    const copy = await createPersonCopy(folder, login, context.wiring.now());
    if (!copy) throw new Fault("not_found", `no developer has the login ${login}`);
    if (file === undefined || file === "-") return printJson(terminal, copy, 2);
    const text = `${JSON.stringify(copy, null, 2)}\n`;
    writeAtomically(file, text, { mode: 0o600 });
    printResult(terminal, flags, { file, bytes: Buffer.byteLength(text) }, () =>
      terminal.note(`All data about ${copy.login} written to ${file}`),
    );
  });
  return new Command("person").summary("Export all data about a person").addCommand(command);
}
