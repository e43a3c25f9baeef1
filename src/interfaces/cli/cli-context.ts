/** The tools that every command uses: the terminal, common options, access to the modules, and the exit code. */
import type { Command } from "commander";
import {
  type CommandRun,
  type DataFolder,
  type FirstStart,
  noteCommandRun,
  type OpenOptions,
} from "../../appliance/appliance.ts";
import { type Config, readConfig, type ServiceAccess } from "../../config/config.ts";
import { closeAtEnd } from "../../contract/close-at-end.ts";
import { describeMismatch, describeWholeNumber } from "../../contract/complaint.ts";
import { Fault, isFault } from "../../contract/fault.ts";
import { createDaySchema, Value } from "../../contract/schema.ts";
import type { Pool } from "../../pool/pool.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import { createPaceMeter } from "./pace.ts";
import type { Pace, Step } from "./progress.ts";
import {
  addSettings,
  createConfigOption,
  createSettingOption,
  type Flags,
  identitySettings,
  modelSettings,
  toFlag,
  toSettingTexts,
} from "./setting-options.ts";
import type { Terminal } from "./terminal.ts";

/** The functions that main.ts passes to this interface. */
export interface CliDependencies {
  /** Opens the data folder. A server may be running on it at the same time. */
  open(config: Config, options: OpenOptions): Promise<DataFolder>;
  /** Accepts the loss of data in a data folder. No server may be using the folder. @returns a description of the loss. */
  acceptLosses(config: Config): Promise<readonly string[]>;
  /**
   * Starts the server.
   * @param hear.step is called with a description of each long step of the start.
   * @param hear.readAgain reads the settings again while the server runs.
   * @returns undefined if the server was stopped during its start.
   */
  serve(
    config: Config,
    hear: { readonly step?: (text: string) => void; readonly readAgain: () => Config },
  ): Promise<RunningServer | undefined>;
  /** Serves MCP tools on standard input and output. Returns when the input ends or the signal is aborted. */
  mcp(
    answers: {
      readonly answers:
        | { readonly url: string; readonly key: string }
        | (Pick<DataFolder, "modules"> & { newRequestId(): string });
      readonly detail: ServiceAccess["detail"];
    },
    terminal: Terminal,
    signal: AbortSignal,
  ): Promise<void>;
  /** @returns the version of the scoring model. @throws Fault if the model file cannot be used. */
  readonly modelVersion: (config: Pick<Config, "analysis">) => string;
  readonly now: () => Date;
  readonly cwd: () => string;
  readonly newId: () => string;
  readonly version: string;
}

export interface RunningServer {
  readonly address: string;
  /** The accounts and links that the first start created; undefined on later starts. */
  readonly first?: FirstStart;
  stop(): Promise<void>;
}

export type { Flags };

/** Resolves to the exit code of a command, or to undefined for success. */
// biome-ignore lint/suspicious/noConfusingVoidType: Most commands return nothing.
export type CommandResult = Promise<ExitCode | undefined | void>;

/** The action of a command. `given` are the arguments of the command. */
type FolderAction = (folder: DataFolder, flags: Flags, ...given: string[]) => CommandResult;

type Work<Result> = (show: (step: Step) => void) => Promise<Result>;

export type CliContext = ReturnType<typeof createCliContext>;

/** @param signal is aborted by Ctrl-C and SIGTERM. */
export function createCliContext(terminal: Terminal, wiring: CliDependencies, signal: AbortSignal) {
  let exitCode: ExitCode = exitCodes.ok;
  let isQuiet = false;
  const notes = createRunNotes(terminal, wiring, signal);
  const config = (flags: Flags) => readConfig(toSettingTexts(flags)).config;
  const judgingOptions = (command: Command, asOfDefault = "today in UTC") => {
    const about = `calculate scores as of this day, YYYY-MM-DD (default: ${asOfDefault})`;
    return commonOptions(addSettings(command.option("--as-of <DATE>", about), modelSettings));
  };
  const withModules = async (
    flags: Flags,
    use: (folder: DataFolder) => CommandResult,
    options: Partial<OpenOptions> = {},
  ): Promise<void> => {
    const [settings, asked] = [config(flags), { create: false, search: false, ...options }];
    await using folder = closeAtEnd(await wiring.open(settings, asked));
    exitCode = (await notes.follow(folder, settings, () => use(folder))) ?? exitCodes.ok;
  };
  const useFolder = (command: Command, act: FolderAction, options?: Partial<OpenOptions>) =>
    command.action((...given: unknown[]) => {
      const [flags, texts] = [given.at(-2) as Flags, given.slice(0, -2) as string[]];
      return withModules(flags, (folder) => act(folder, flags, ...texts), options);
    });
  return {
    terminal,
    wiring,
    signal,
    config,
    /** @returns the day of `--as-of`; default: today in UTC. */
    asOf: (flags: Flags) => readDay(flags["asOf"]) ?? wiring.now().toISOString().slice(0, 10),
    newRequestId: () => `req_${wiring.newId()}`,
    /** Adds `--data`, `--config` and `--json`. */
    commonOptions,
    /**
     * Adds the common options, `--as-of`, `--analysis-model-file` and `--publish-commit-emails`.
     * @param asOfDefault describes the default day in the help text.
     */
    judgingOptions,
    /** Adds the options of commands that count people. */
    countingOptions: (command: Command) => judgingOptions(addSettings(command, identitySettings)),
    /** Adds `--quiet`. */
    quietOption: (command: Command) =>
      command.option("--quiet", "show no progress, as for cron").on("option:quiet", () => {
        isQuiet = true;
      }),
    /**
     * Runs work and shows its progress, unless `--quiet` was given.
     * @param pool stores the progress, so that other processes can show it.
     */
    withProgress: async <Result>(work: Work<Result>, pool?: Pick<Pool, "noteProgress">) => {
      const noted = (show: (step: Step & Pace) => void) => work(measurePace(show, pool));
      if (isQuiet) return noted(() => {});
      // Loaded only here, so that other commands start faster.
      const { showProgress } = await import("./progress.ts");
      return showProgress(terminal, wiring.now, noted);
    },
    /**
     * Opens the data folder, calls `use`, and closes the folder. The result of `use` becomes the exit code.
     * @param options by default, the folder must exist, and is opened without the search index.
     */
    withModules,
    useFolder,
    readFolder: (command: Command, act: FolderAction) =>
      useFolder(command, act, { isReading: true }),
    ...{ noteRun: notes.noteRun, noteReport: notes.noteReport },
    /** Sets the exit code of a command that opens no data folder. */
    end: (code: ExitCode) => {
      exitCode = code;
    },
    exitCode: (): ExitCode =>
      signal.aborted && exitCode !== exitCodes.ok ? exitCodes.interrupted : exitCode,
  };
}

/** Adds commands to the list of runs, unless a server has started them: it adds them itself. */
function createRunNotes(terminal: Terminal, wiring: CliDependencies, signal: AbortSignal) {
  let begin: ((run: CommandRun) => void) | undefined;
  let end: ReturnType<typeof noteCommandRun> | undefined;
  let report: unknown;
  return {
    /** Says what the command does from now on. */
    noteRun: (run: CommandRun) => begin?.(run),
    /** @param shown what `--json` prints. */
    noteReport: (shown: unknown) => {
      report = shown;
    },
    /** Does the work of a command, and adds its beginning and its end. */
    async follow(folder: DataFolder, config: Config, work: () => CommandResult): CommandResult {
      begin = (run) => {
        if (!config.isStartedByServer) end = noteCommandRun(folder, run, wiring);
      };
      let thrown: unknown;
      try {
        return await work();
      } catch (error) {
        thrown = error;
        throw error;
      } finally {
        const fault = thrown === undefined ? undefined : (thrown as Error).message;
        const how = { report, fault, isStopped: signal.aborted };
        await end?.(isFault(thrown, "usage") ? undefined : how).catch(({ message }) =>
          terminal.note(`this run is not in the list of runs: ${message}`),
        );
      }
    },
  };
}

const commonOptions = (command: Command) =>
  command
    .addOption(createSettingOption("data"))
    .addOption(createConfigOption())
    .option("--json", "machine-readable output");

/** @returns a function that shows and stores each step with the rate of the work. */
function measurePace(
  show: (step: Step & Pace) => void,
  pool: Pick<Pool, "noteProgress"> | undefined,
): (step: Step) => void {
  const paceOf = createPaceMeter();
  return (step) => {
    const paced = { ...step, ...paceOf(step) };
    show(paced);
    // Ignores errors, because the stored progress is only shown to people.
    pool?.noteProgress({ ...paced, at: new Date().toISOString() }).catch(() => {});
  };
}

/** Reads the value of a flag, if it is given, as a whole number. @throws Fault `usage`, which names the flag. */
export function findWholeNumber(flags: Flags, name: string, min: number, max: number) {
  if (flags[name] === undefined) return undefined;
  const text = String(flags[name]);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw createUsageFault(
    `${toFlag(name)} ${describeMismatch(describeWholeNumber(min, max), text)}`,
  );
}

function readDay(text: unknown): string | undefined {
  if (text === undefined) return undefined;
  const day = String(text);
  const isDay = Value.Check(createDaySchema(""), day);
  if (!isDay) throw createUsageFault(`--as-of ${describeMismatch("a day as YYYY-MM-DD", day)}`);
  return day;
}

const reasonMax = 500;

/** Reads the text of `--reason`. @throws Fault if it is longer than 500 characters. */
export function readReason(text: unknown): string | undefined {
  const reason = text === undefined ? undefined : String(text).trim();
  if (reason !== undefined && reason.length > reasonMax) {
    throw createUsageFault(`--reason must have at most ${reasonMax} characters`);
  }
  return reason || undefined;
}

export function createUsageFault(message: string): Fault {
  return new Fault("usage", message);
}
