/** What every command shares: the terminal, common options, access to the modules, and the exit code. */

import { type Command, Option } from "commander";
import type { DataFolder, FirstStart, OpenOptions } from "../../appliance/appliance.ts";
import {
  type Config,
  readConfig,
  type ServiceAccess,
  type Setting,
  serviceSettings,
  settings,
} from "../../config/config.ts";
import { describeMismatch, describeWholeNumber } from "../../contract/complaint.ts";
import { Fault } from "../../contract/fault.ts";
import type { Pool } from "../../pool/pool.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import type { Step } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

/** The appliance as main.ts passes it to this interface, which imports only its types. */
export interface CliDependencies {
  /** Opens the data folder, also while a server runs on it. */
  open(config: Config, options: OpenOptions): Promise<DataFolder>;
  /** Accepts the lost data of a folder that no server uses. @returns a description of the loss. */
  acceptLosses(config: Config): Promise<readonly string[]>;
  /** Starts the server, which runs until stopped. @returns undefined when it was stopped before it had started. */
  serve(config: Config, hear: ServeListener): Promise<RunningServer | undefined>;
  /** Serves a service's tools to an assistant on standard input and output, until the input ends or is aborted. */
  mcp(service: RemoteService, terminal: Terminal, signal: AbortSignal): Promise<void>;
  /** @returns the version of the model that scores. @throws Fault for a model file that cannot be used. */
  readonly modelVersion: (config: Config) => string;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly version: string;
}

/** A Roster service that runs elsewhere, and the API key to call it with. */
interface RemoteService extends Omit<ServiceAccess, "apiKey"> {
  readonly key: string;
}

interface ServeListener {
  readonly step?: (text: string) => void;
  /** The settings as they are now. @throws Fault as at the start. */
  readonly readAgain: () => Config;
}

export interface RunningServer {
  readonly address: string;
  /** What the first start created; absent on later starts. */
  readonly first?: FirstStart;
  stop(): Promise<void>;
}

/** The options of a command, as Commander gives them. */
export type Flags = Readonly<Record<string, unknown>>;

type UseFolder = (folder: DataFolder) => Promise<ExitCode | undefined>;

export interface CliContext {
  readonly terminal: Terminal;
  readonly wiring: CliDependencies;
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  newRequestId(): string;
  /** Adds `--data`, `--config` and `--json`. */
  commonOptions(command: Command): Command;
  /**
   * Adds the common options, `--as-of`, `--analysis-model-file` and `--publish-commit-emails`.
   *
   * @param asOfDefault describes the default day in the help text.
   */
  judgingOptions(command: Command, asOfDefault?: string): Command;
  /** Adds the judging options and the alias and class files, for commands that count people. */
  countingOptions(command: Command): Command;
  config(flags: Flags): Config;
  /** @returns the day of `--as-of`, by default today in UTC. */
  asOf(flags: Flags): string;
  /** Adds `--quiet` to a command that may run for long. */
  quietOption(command: Command): Command;
  /**
   * Runs long work and shows its progress, unless it is to be quiet.
   *
   * @param pool the pool that the work imports into, so that other processes can show the progress too.
   */
  withProgress<Result>(
    work: (show: (step: Step) => void) => Promise<Result>,
    pool?: Pick<Pool, "noteProgress">,
  ): Promise<Result>;
  /**
   * Opens the data folder, sets the exit code to what `use` returns (default: ok), and closes the folder.
   *
   * @param options default: the folder must exist, and is opened without the search index.
   */
  withModules(flags: Flags, use: UseFolder, options?: Partial<OpenOptions>): Promise<void>;
  /** Does the same for a command that writes nothing. */
  readModules(flags: Flags, use: UseFolder): Promise<void>;
  /** Sets the exit code of a command that opens no data folder. */
  end(exitCode: ExitCode): void;
}

export function createCliContext(
  terminal: Terminal,
  wiring: CliDependencies,
  signal: AbortSignal,
): CliContext & { exitCode(): ExitCode } {
  let exitCode: ExitCode = exitCodes.ok;
  let isQuiet = false;
  const config = (flags: Flags) => readConfig(toSettingTexts(flags)).config;
  const commonOptions = (command: Command) =>
    command
      .addOption(createSettingOption("data"))
      .addOption(createConfigOption())
      .option("--json", "machine-readable output");
  const judgingOptions = (command: Command, asOfDefault = "today in UTC") =>
    commonOptions(
      addModelOptions(
        command.option(
          "--as-of <DATE>",
          `judge as of this day, YYYY-MM-DD (default: ${asOfDefault})`,
        ),
      ),
    );
  const withModules: CliContext["withModules"] = async (flags, use, options = {}) => {
    const folder = await wiring.open(config(flags), { create: false, search: false, ...options });
    try {
      exitCode = (await use(folder)) ?? exitCodes.ok;
    } finally {
      await folder.close();
    }
  };
  return {
    terminal,
    wiring,
    signal,
    config,
    asOf: (flags) => readDay(flags["asOf"]) ?? wiring.now().toISOString().slice(0, 10),
    newRequestId: () => `req_${wiring.newId()}`,
    commonOptions,
    judgingOptions,
    countingOptions: (command) =>
      judgingOptions(
        command
          .addOption(
            createSettingOption("identity.aliasFile", "which authors are one person, as a mailmap"),
          )
          .addOption(createSettingOption("identity.classFile", "authors that are humans, bots ..."))
          .addOption(createSettingOption("identity.names", "whether a name joins two spellings")),
      ),
    quietOption: (command) =>
      command.option("--quiet", "show no progress, as for cron").on("option:quiet", () => {
        isQuiet = true;
      }),
    withProgress: async (work, pool) => {
      const noted = (show: (step: Step) => void) =>
        work((step) => {
          show(step);
          // The note is only for people: without it the work goes on.
          pool?.noteProgress(step).catch(() => {});
        });
      if (isQuiet) return noted(() => {});
      const { showProgress } = await import("./progress.ts");
      return showProgress(terminal, wiring.now, noted);
    },
    withModules,
    readModules: (flags, use) => withModules(flags, use, { isReading: true }),
    end: (code) => {
      exitCode = code;
    },
    exitCode: () =>
      signal.aborted && exitCode !== exitCodes.ok ? exitCodes.interrupted : exitCode,
  };
}

/** Adds what decides how people are judged. */
export function addModelOptions(command: Command): Command {
  return command
    .addOption(
      createSettingOption(
        "analysis.modelFile",
        "constants to judge with (default: the built-in model)",
      ),
    )
    .addOption(
      createSettingOption("identity.publishCommitEmails", "show people's addresses in commits"),
    );
}

/** @param help replaces the setting's own help text, where a command can be briefer. */
export function createSettingOption(key: string, help?: string): Option {
  const setting = findSetting(key);
  const { flag = "", takes, default: fallback } = setting;
  const isDefaultShown = help === undefined && takes && fallback !== undefined;
  const text = help ?? setting.help;
  return new Option(
    takes ? `${flag} <${takes}>` : flag,
    isDefaultShown ? `${text} (default: ${fallback})` : text,
  );
}

export function findSetting(key: string): Setting {
  const setting = [...settings, ...serviceSettings].find((each) => each.key === key);
  if (!setting) throw new Error(`there is no setting ${key}`);
  return setting;
}

/** Adds what reading one repository may cost. */
export function addReadingLimits(command: Command): Command {
  return command
    .addOption(
      createSettingOption(
        "ingest.timeout",
        "leave out a repository that takes longer (default: 1h)",
      ),
    )
    .addOption(
      createSettingOption(
        "ingest.gitMemory",
        "leave out one for which git needs more (default: 2048)",
      ),
    );
}

/** For commands that remove people. */
export function createRemovalsOption(): Option {
  return new Option(
    "--allow-removals",
    "also when it removes more people than the demo has and more than a quarter of the pool",
  );
}

export function createConfigOption(): Option {
  return new Option("--config <FILE>", "settings file (default: roster.toml in the data folder)");
}

/** Converts Commander's camel-cased flag values to texts by setting key. */
export function toSettingTexts(flags: Flags): Record<string, string | undefined> {
  const texts: Record<string, string | undefined> = {};
  for (const { key, flag } of settings) {
    const name = flag
      ?.replace(/^--(no-)?/, "")
      .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const value = name ? flags[name] : undefined;
    // A `--no-...` flag is true unless given, so true is no setting.
    if (value !== undefined && !(flag?.startsWith("--no-") && value === true))
      texts[key] = String(value);
  }
  if (flags["config"]) texts["config"] = String(flags["config"]);
  return texts;
}

/** @throws Fault folder_only for a node: what the command does is done to a data folder. */
export function requireOwnFolder({ database }: Pick<Config, "database">, what: string): void {
  if (database.url === undefined) return;
  const text = `${what} is for a data folder, and database.url names a database that nodes share.`;
  throw new Fault("folder_only", text);
}

/** Reads a whole number of a flag. @throws Fault usage that names the flag. */
export function readWholeNumber(flags: Flags, name: string, min: number, max: number): number {
  const text = String(flags[name]);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw createUsageFault(`--${flag} ${describeMismatch(describeWholeNumber(min, max), text)}`);
}

function readDay(text: unknown): string | undefined {
  if (text === undefined) return undefined;
  const day = String(text);
  // `Date.parse` reads 30 February as a day in March, so compare the text.
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && toDay(Date.parse(day)) === day;
  if (!isDay) throw createUsageFault(`--as-of ${describeMismatch("a day as YYYY-MM-DD", day)}`);
  return day;
}

function toDay(instantMs: number): string | undefined {
  return Number.isNaN(instantMs) ? undefined : new Date(instantMs).toISOString().slice(0, 10);
}

const reasonMax = 500;

/** Reads `--reason`. @throws Fault when it is longer than 500 characters. */
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
