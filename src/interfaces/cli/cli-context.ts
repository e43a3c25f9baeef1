/** What every command shares: where it writes, how it opens the modules, how it ends. */
import type { Command } from "commander";
import { type Config, readConfig, settings } from "../../config/config.ts";
import type { Detail } from "../../contract/detail.ts";
import type { ControlStore } from "../../control/control-store.ts";
import type {
  GitIngest,
  Judge,
  KnownIdentity,
  Ledger,
  OperatorFiles,
} from "../../ingest/ingest.ts";
import type { Modules } from "../../operations/operation.ts";
import type { ErasureReceipt, PoolErasure } from "../../pool/pool.ts";
import { CommandFault, type ExitCode, exitCodes } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** How main.ts hands the appliance to this interface, which may not import it. */
export interface CliDependencies {
  /** Opens the data folder beside a running server. */
  open(config: Config, options: OpenOptions): Promise<OpenFolder>;
  /** Serves until stopped. */
  serve(config: Config, hear: { readonly step: (text: string) => void }): Promise<RunningServer>;
  /** Serves a service's tools to an assistant on standard input and output, until the input or the signal ends it. */
  mcp(service: RemoteService, terminal: Terminal, signal: AbortSignal): Promise<void>;
  /** Names the constants that judge. @throws ConfigFault for a model file that cannot be used. */
  readonly modelVersion: (config: Config) => string;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly version: string;
}

/** A Roster service that runs elsewhere, the key to ask it with, and how much of its answers to tell. */
export interface RemoteService {
  readonly url: string;
  readonly key: string;
  readonly detail: Detail;
}

export interface OpenOptions {
  /** Whether a folder that does not exist is made, or is an error. */
  readonly create: boolean;
  /** Whether the command asks the index: administration does without. */
  readonly search: boolean;
}

export interface OpenFolder {
  readonly modules: Modules;
  /** Judges developers as of one day. */
  readonly judge: (asOf: string) => Judge;
  readonly vocabulary: GitIngest["vocabulary"];
  readonly erasure: Erasure;
  /** Which constants judge: another model, and everybody is judged anew. */
  readonly modelVersion: () => string;
  /** What is known of git repositories. */
  readonly ledger: () => Ledger;
  /** What the operator's files say of people. @throws IngestRefusal that names file and line. */
  readonly identityFiles: () => OperatorFiles;
  /** For the audit log. */
  readonly control: Pick<ControlStore, "record">;
  close(): Promise<void>;
}

/** Forgets people, in all modules that know them. */
export interface Erasure {
  forget(subject: string, order: Parameters<PoolErasure["hide"]>[1]): Promise<ForgetOutcome>;
  /** What histories keep of a person, apart from the pool; undefined when nothing. */
  knownAs(login: string): Promise<KnownIdentity | undefined>;
  /** @returns undefined for an unknown receipt. */
  undo(receiptId: string): Promise<ErasureReceipt | undefined>;
}

export type ForgetOutcome =
  | ({ readonly kind: "forgotten" } & ErasureResult)
  /** Gone from every interface, but old bytes may still lie in the files: to be done again. */
  | ({ readonly kind: "unfinished"; readonly fault: string } & ErasureResult)
  | { readonly kind: "unknown" }
  /** The reason given would keep what is to go. */
  | { readonly kind: "named" };

export interface ErasureResult {
  readonly receipt: ErasureReceipt;
  /** Lines of the operator's own files that tell of the person, as `FILE:LINE`: nobody else may change these. */
  readonly mentionedIn: readonly string[];
}

export interface RunningServer {
  readonly address: string;
  /** What a first start made; absent on every later one. */
  readonly first?: FirstStart;
  stop(): Promise<void>;
}

export interface FirstStart {
  readonly email: string;
  /** Absent when it was written to a file, or given by the operator. */
  readonly key: string | undefined;
  readonly keyFile: string | undefined;
  /** Opens the page that gives the account its password; half an hour, once. */
  readonly setUpLink: { readonly token: string; readonly expiresAt: Date };
  /** Of the developers in the pool, the fictitious ones. */
  readonly demoDevelopers: number;
  readonly developers: number;
}

export interface CliContext {
  readonly terminal: Terminal;
  readonly wiring: CliDependencies;
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  newRequestId(): string;
  /** Adds `--data`, `--config` and `--json`. */
  commonOptions(command: Command): Command;
  /**
   * Adds these, `--as-of` and `--analysis-model-file`.
   *
   * @param asOfDefault the day taken when none is given, in words; today unless said.
   */
  judgingOptions(command: Command, asOfDefault?: string): Command;
  /** Adds those and what tells who is who, for commands that count people. */
  countingOptions(command: Command): Command;
  config(flags: Record<string, unknown>): Config;
  /** The day of `--as-of`, by default today in UTC. */
  asOf(flags: Record<string, unknown>): string;
  withModules(
    flags: Record<string, unknown>,
    use: (open: OpenFolder) => Promise<ExitCode>,
    options?: Partial<OpenOptions>,
  ): Promise<void>;
  end(exitCode: ExitCode): void;
}

export function createCliContext(
  terminal: Terminal,
  wiring: CliDependencies,
  signal: AbortSignal,
): CliContext & { exitCode(): ExitCode } {
  let exitCode: ExitCode = exitCodes.ok;
  const config = (flags: Record<string, unknown>) => readConfig(toSettingTexts(flags)).config;
  const commonOptions = (command: Command) =>
    command
      .option("--data <DIR>", "folder that holds everything (default: ./roster-data)")
      .option("--config <FILE>", "settings file (default: roster.toml in the data folder)")
      .option("--json", "machine-readable output");
  const judgingOptions = (command: Command, asOfDefault = "today in UTC") =>
    commonOptions(
      command
        .option("--as-of <DATE>", `judge as of this day, YYYY-MM-DD (default: ${asOfDefault})`)
        .option(
          "--analysis-model-file <FILE>",
          "constants to judge with (default: the built-in model)",
        ),
    );
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
          .option("--identity-alias-file <FILE>", "who is whom, in the form of a mailmap")
          .option("--identity-class-file <FILE>", "who is a human, bot or assistant"),
      ),
    async withModules(flags, use, options = {}) {
      const folder = await wiring.open(config(flags), { create: false, search: true, ...options });
      try {
        exitCode = await use(folder);
      } finally {
        await folder.close();
      }
    },
    end: (code) => {
      exitCode = code;
    },
    exitCode: () =>
      signal.aborted && exitCode !== exitCodes.ok ? exitCodes.interrupted : exitCode,
  };
}

/** Commander's camel-cased flag values, as texts by setting key. */
export function toSettingTexts(flags: Record<string, unknown>): Record<string, string | undefined> {
  const texts: Record<string, string | undefined> = {};
  for (const { key, flag } of settings) {
    const name = flag
      ?.replace(/^--(no-)?/, "")
      .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const value = name ? flags[name] : undefined;
    // A `--no-...` switch is true unless given: only the given one speaks.
    if (value !== undefined && !(flag?.startsWith("--no-") && value === true))
      texts[key] = String(value);
  }
  if (flags["config"]) texts["config"] = String(flags["config"]);
  return texts;
}

function readDay(text: unknown): string | undefined {
  if (text === undefined) return undefined;
  const day = String(text);
  // A day that no month has, such as 30 February, is read as one of the next month.
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && asDay(Date.parse(day)) === day;
  if (!isDay) throw createUsageFault(`--as-of must be a day as YYYY-MM-DD, got "${day}"`);
  return day;
}

function asDay(instantMs: number): string | undefined {
  return Number.isNaN(instantMs) ? undefined : new Date(instantMs).toISOString().slice(0, 10);
}

export function createUsageFault(message: string): CommandFault {
  return new CommandFault(exitCodes.usage, message);
}
