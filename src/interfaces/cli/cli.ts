/** The command line: runs the command that `argv` names. An error becomes one line and an exit code. */
import { constants } from "node:os";
import { Command, CommanderError } from "commander";
import { Fault } from "../../contract/fault.ts";
import { toPrintableJson } from "../../contract/foreign-text.ts";
import { Problem } from "../../contract/problem.ts";
import { type CliContext, type CliDependencies, createCliContext } from "./cli-context.ts";
import { loadCommands } from "./commands/load-commands.ts";
import { addCompletion } from "./completion.ts";
import {
  describeFault,
  type ExitCode,
  exitCodes,
  exitCodesInWords,
  getExitCode,
} from "./exit-code.ts";
import { printJson, type Terminal } from "./terminal.ts";

interface Invocation {
  /** The arguments, without the name of the program. */
  readonly argv: readonly string[];
  readonly terminal: Terminal;
  readonly wiring: CliDependencies;
  readonly signal: AbortSignal;
  readonly licences: () => Promise<string>;
}

/** Runs one command. Never throws. */
export async function runCommandLine(invocation: Invocation): Promise<ExitCode> {
  const { terminal, wiring, signal } = invocation;
  const context = createCliContext(terminal, wiring, signal);
  const argv = withCommand(invocation.argv);
  const program = await createProgram(context, invocation, argv[0]);
  try {
    if (invocation.argv[0] === "complete") {
      await addCompletion(program, terminal);
    }
    await program.parseAsync(argv, { from: "user" });
    return context.exitCode();
  } catch (caught) {
    // If closing failed too, the first error says more.
    const thrown = caught instanceof SuppressedError ? caught.suppressed : caught;
    if (getThrownCode(thrown) === licencesAsked) {
      terminal.result(...(await invocation.licences()).split("\n"));
      return exitCodes.ok;
    }
    const isImplied = argv.length > invocation.argv.length;
    if (isImplied && getThrownCode(thrown) === "commander.excessArguments") {
      terminal.note("Put flags after the command, as in: roster ingest git PATH --data DIR");
    }
    const isServing = argv[0] === "serve" && !terminal.isInteractive;
    const reported = reportError(
      thrown,
      isServing ? logInstead(terminal, wiring) : terminal,
      signal,
    );
    if (reported.exitCode !== exitCodes.ok && asksForJson(invocation.argv)) {
      // Prints the error on standard output as well, because programs that ask for JSON read standard output.
      const { code, message } = reported;
      printJson(terminal, { success: false, error: { code, message } });
    }
    return reported.exitCode;
  }
}

function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) =>
      ["--json", "--format=json"].includes(word) ||
      (word === "--format" && argv[at + 1] === "json"),
  );
}

const licencesAsked = "roster.licences";

const getThrownCode = (thrown: unknown) => (thrown as { code?: unknown }).code;

const programFlags = ["-h", "--help", "--version", "--licenses"];

/** Adds `serve` if no command is given. Turns `help search` into `search --help`. */
function withCommand(argv: readonly string[]): string[] {
  const [first, ...rest] = argv;
  if (first === "help") return [...rest, "--help"];
  const isNamed = first !== undefined && (!first.startsWith("-") || programFlags.includes(first));
  return isNamed ? [...argv] : ["serve", ...argv];
}

/** Creates the program. It contains the named command or, for help and errors, all commands. */
async function createProgram(
  context: CliContext,
  { wiring, terminal }: Invocation,
  commandName: string | undefined,
): Promise<Command> {
  const program = new Command("roster")
    .description("Finds, scores and explains software developers.")
    .version(`roster ${wiring.version}`, "--version", "print the version")
    .option("--licenses", "print the licenses of everything in this program")
    .enablePositionalOptions()
    .addHelpText(
      "after",
      `\nCompletions: roster complete bash|zsh|fish\n${exitCodesInWords}\nEvery command has its own --help.`,
    )
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false });
  program.on("option:licenses", () => {
    throw new CommanderError(exitCodes.ok, licencesAsked, "");
  });
  for (const command of await loadCommands(commandName, context)) program.addCommand(command);
  configureCommand(program, terminal);
  return program;
}

/** Makes a command write to our terminal, and throw an error instead of ending the process. */
function configureCommand(command: Command, terminal: Terminal): void {
  // Without a description, the help of a command shows the summary.
  if (!command.description()) command.description(`${command.summary()}.`);
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => terminal.result(...text.trimEnd().split("\n")),
      writeErr: (text) => terminal.note(...text.trimEnd().split("\n")),
    });
  for (const child of command.commands) configureCommand(child, terminal);
}

/** Creates a terminal that writes errors as log lines in JSON. */
function logInstead(terminal: Terminal, { now }: CliDependencies): Terminal {
  const note = (...lines: readonly string[]) => {
    const [first = "", ...rest] = lines.join("\n").trim().split("\n");
    const msg = first.replace(/^roster: /, "");
    const about = rest.length > 0 ? { stack: rest.join("\n") } : {};
    const line = { level: "fatal", time: now().toISOString(), msg, ...about };
    terminal.note(toPrintableJson(JSON.stringify(line)));
  };
  return { ...terminal, note };
}

function reportError(thrown: unknown, terminal: Terminal, signal: AbortSignal) {
  if (thrown instanceof CommanderError) {
    // Commander has already printed the message.
    const exitCode = thrown.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    return { exitCode, code: "usage", message: thrown.message.replace(/^error: /, "") };
  }
  const report = (exitCode: ExitCode, code: string, message: string, more: string[] = []) => {
    terminal.note(code === "interrupted" ? message : `roster: ${message}`, ...more);
    return { exitCode, code, message };
  };
  if (signal.aborted) {
    const message = "Interrupted; existing data is unchanged.";
    return report(exitCodes.interrupted, "interrupted", message);
  }
  if (thrown instanceof Fault) {
    const { exitCode, text } = describeFault(thrown);
    return report(exitCode, thrown.code, text);
  }
  const { message, code } = toError(thrown);
  // An error of the operating system is not a bug in Roster, so its stack trace is left out.
  if (isSystemCode(code)) return report(exitCodes.fault, "system", message);
  if (thrown instanceof Problem) return report(getExitCode(thrown.status), thrown.code, message);
  const stack = thrown instanceof Error && thrown.stack ? thrown.stack.split("\n") : [];
  return report(exitCodes.fault, "internal", message, stack);
}

function toError(thrown: unknown): { readonly message: string; readonly code?: unknown } {
  return thrown instanceof Error ? thrown : { message: String(thrown) };
}

/** Whether an error code comes from the operating system, such as `ENOSPC`, or from a look-up of a host, such as `ENOTFOUND`. */
function isSystemCode(code: unknown): boolean {
  return typeof code === "string" && (code in constants.errno || /^E(NOTFOUND|AI_)/.test(code));
}
