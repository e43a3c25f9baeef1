/** The command line: argv to one command, whatever is thrown to one line and an exit code. */
import { Command, CommanderError } from "commander";
import { ConfigFault } from "../../config/config.ts";
import { Problem } from "../../contract/problem.ts";
import { GitFault, IngestRefusal } from "../../ingest/ingest.ts";
import { operations } from "../../operations/index.ts";
import { StoreFault } from "../../sqlite/database.ts";
import { type CliContext, type CliDependencies, createCliContext } from "./cli-context.ts";
import { createAssistantCommand, createKeyCommand } from "./commands/access-commands.ts";
import { createAccountCommand } from "./commands/account-command.ts";
import { createExportCommand, createImportCommand } from "./commands/data-commands.ts";
import { createExplainCommand, createPlacesCommand } from "./commands/explain-commands.ts";
import { createIdentityCommand } from "./commands/identity-command.ts";
import { createIngestCommand } from "./commands/ingest-command.ts";
import { createClockCommand, createConfigCommand } from "./commands/installation-commands.ts";
import { createForgetCommand, createPersonCommand } from "./commands/person-commands.ts";
import { createRescoreCommand } from "./commands/rescore-command.ts";
import { createMcpCommand, createServeCommand } from "./commands/serve-commands.ts";
import { createOperationCommand } from "./operation-command.ts";
import {
  CommandFault,
  type ExitCode,
  exitCodes,
  exitCodesInWords,
  getExitCode,
  type Terminal,
} from "./terminal.ts";

export type { Erasure, FirstStart } from "./cli-context.ts";

interface Invocation {
  /** Without the program's own name. */
  readonly argv: readonly string[];
  readonly terminal: Terminal;
  readonly wiring: CliDependencies;
  readonly signal: AbortSignal;
  /** Text of `--licenses`, read only when asked for. */
  readonly licences: () => string;
}

/** Runs one command to its end. Never throws. */
export async function runCommandLine(invocation: Invocation): Promise<ExitCode> {
  const { terminal, wiring, signal } = invocation;
  const session = createCliContext(terminal, wiring, signal);
  const argv = withCommand(invocation.argv);
  const program = commandLine(session, invocation, argv[0]);
  try {
    if (invocation.argv[0] === "complete") {
      const { default: addCompletion } = await import("@bomb.sh/tab/commander");
      addCompletion(program);
    }
    await program.parseAsync(argv, { from: "user" });
    return session.exitCode();
  } catch (thrown) {
    const isImplied = argv.length > invocation.argv.length;
    if (isImplied && (thrown as { code?: unknown }).code === "commander.excessArguments") {
      terminal.note("Flags stand after the command, as in: roster ingest git PATH --data DIR");
    }
    return explain(thrown, terminal, signal);
  }
}

const programFlags = ["-h", "--help", "--version", "--licenses"];

/**
 * `serve` is what is meant without a command; Commander's own default would swallow a misspelt one.
 * `help search` is `search --help`.
 */
function withCommand(argv: readonly string[]): string[] {
  const [first, ...rest] = argv;
  if (first === "help") return [...rest, "--help"];
  const isNamed = first !== undefined && (!first.startsWith("-") || programFlags.includes(first));
  return isNamed ? [...argv] : ["serve", ...argv];
}

/** In the order of the help. */
const commands: readonly (readonly [name: string, make: (session: CliContext) => Command])[] = [
  ["serve", createServeCommand],
  ...operations.map(
    (operation) =>
      [
        operation.command,
        (session: CliContext) => createOperationCommand(operation, session),
      ] as const,
  ),
  ["mcp", createMcpCommand],
  ["import", createImportCommand],
  ["export", createExportCommand],
  ["ingest", createIngestCommand],
  ["identity", createIdentityCommand],
  ["account", createAccountCommand],
  ["key", createKeyCommand],
  ["assistant", createAssistantCommand],
  ["clock", createClockCommand],
  ["explain", createExplainCommand],
  ["rescore", createRescoreCommand],
  ["forget", createForgetCommand],
  ["person", createPersonCommand],
  ["places", createPlacesCommand],
  ["config", createConfigCommand],
];

/** Only the command that is named is made, which saves a start milliseconds; all of them for help and errors. */
function commandLine(
  session: CliContext,
  { wiring, terminal, licences }: Invocation,
  named: string | undefined,
): Command {
  const program = new Command("roster")
    .description("Finds, scores and explains software developers, from one file.")
    .version(`roster ${wiring.version}`, "--version", "print the version")
    .option("--licenses", "print the licences of everything in this file")
    .enablePositionalOptions()
    .addHelpText(
      "after",
      `\nCompletions: roster complete bash|zsh|fish\n${exitCodesInWords}\nEvery command has its own --help.`,
    )
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false });
  program.on("option:licenses", () => {
    terminal.result(...licences().split("\n"));
    throw new CommanderError(exitCodes.ok, "roster.licences", "");
  });
  const wanted = commands.filter(([name]) => name === named);
  for (const [, make] of wanted.length > 0 ? wanted : commands) program.addCommand(make(session));
  settle(program, terminal);
  return program;
}

/** Commander copies no settings to commands added later: every level throws instead of exiting, and writes through us. */
function settle(command: Command, terminal: Terminal): void {
  // The list of commands shows the summary, a command's own help the description.
  if (!command.description()) command.description(`${command.summary()}.`);
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => terminal.result(...text.trimEnd().split("\n")),
      writeErr: (text) => terminal.note(...text.trimEnd().split("\n")),
    });
  for (const child of command.commands) settle(child, terminal);
}

const ingestExitCodes = {
  not_found: exitCodes.notFound,
  refused: exitCodes.refused,
  interrupted: exitCodes.interrupted,
} as const;

function explain(thrown: unknown, terminal: Terminal, signal: AbortSignal): ExitCode {
  if (thrown instanceof CommanderError)
    return thrown.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (signal.aborted) {
    terminal.note("Interrupted; what was there before is unchanged.");
    return exitCodes.interrupted;
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  terminal.note(`roster: ${message}`);
  if (thrown instanceof CommandFault) return thrown.exitCode;
  if (thrown instanceof ConfigFault) return exitCodes.usage;
  if (thrown instanceof IngestRefusal) return ingestExitCodes[thrown.kind];
  if (thrown instanceof GitFault) return exitCodes.fault;
  if (thrown instanceof StoreFault) return exitCodes.fault;
  if (thrown instanceof Problem) return getExitCode(thrown.status);
  if (thrown instanceof Error && thrown.stack) terminal.note(...thrown.stack.split("\n"));
  return exitCodes.fault;
}
