/** The entry point: runs the command in argv. No other module ends the process. */
import pino from "pino";
import { version } from "../package.json";
import {
  acceptLosses,
  chooseModel,
  type Dependencies,
  type FirstStart,
  openAppliance,
  openDataFolder,
  openLiveSettings,
  openLogOutput,
} from "./appliance/appliance.ts";
import type { Config } from "./config/config.ts";
import { writeFields } from "./contract/envelope.ts";
import { Fault, isFault } from "./contract/fault.ts";
import { toPrintableJson } from "./contract/foreign-text.ts";
import { runCommandLine } from "./interfaces/cli/cli.ts";
import type { CliDependencies } from "./interfaces/cli/cli-context.ts";
import { exitCodes } from "./interfaces/cli/exit-code.ts";
import { openTerminal } from "./interfaces/cli/terminal.ts";
import { serveLocal } from "./interfaces/mcp/mcp.ts";

// Files hold personal data and keys: other users of this machine must not read them.
process.umask(0o077);

const terminal = openTerminal();
const now = () => new Date();
const newId = () => crypto.randomUUID().replaceAll("-", "");
const ending = new AbortController();
/** The command that runs this program again. */
const self =
  import.meta.file === "main.ts" ? [process.execPath, import.meta.path] : [process.execPath];

// A second signal ends the process at once.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    ending.abort();
    process.once(signal, () => process.exit(exitCodes.interrupted));
  });
}

const wiring: CliDependencies = {
  now,
  cwd: () => process.cwd(),
  newId,
  version,
  modelVersion: (config) => chooseModel(config).modelVersion,
  open: (config, options) =>
    openDataFolder(config, createDependencies(config, { atLeast: "warn" }), options),
  acceptLosses: (config) => acceptLosses(config, { now }),
  mcp: ({ detail, answers }, { result, note }, signal) =>
    serveLocal({
      answers,
      detail,
      version,
      input: Bun.stdin.stream(),
      write: (message) => result(toPrintableJson(message)),
      note,
      signal,
    }),
  async serve(config, { step, readAgain }) {
    const output = openLogOutput(config.logFile);
    const dependencies = { ...createDependencies(config, { output }), signal: ending.signal };
    const { log } = dependencies;
    const { live, reload } = openLiveSettings(config, readAgain, { log, now });
    // Without a terminal, only the log can show the steps of a long start.
    const steps = { step: step ?? ((text: string) => log.info(text)) };
    process.on("SIGHUP", async () => {
      const outcome = await reload();
      void opening.then(({ takeOver }) => takeOver(outcome)).catch(() => {});
    });
    const opening = openAppliance(config, { ...dependencies, ...steps, live }, { listen: true });
    try {
      const { address, first, close } = await opening;
      log.info({ version, address, data: config.data }, "started");
      if (first && terminal.isLogged)
        log.info({ account: first.email }, describeFirstSignIn(first));
      const stop = async () => {
        log.info("stopping: calls in flight are answered first");
        await close();
        log.info("stopped");
      };
      return { address: address as string, stop, ...(first ? { first } : {}) };
    } catch (error) {
      // Write pending log lines before the error message, which is not written through the log.
      if (isFault(error, "interrupted")) {
        log.info("stopped before the start was complete");
        return undefined;
      }
      output.flush();
      throw toListenFault(error, config);
    }
  },
};

/** Names the commands that print the key and the link, because the log must not contain them. */
function describeFirstSignIn({ email, key }: FirstStart): string {
  const link = `roster account reset ${email} prints a link that sets its password`;
  return `the administrator's account is made; ${link}${key ? ", roster key recover its key" : ""}`;
}

/** Creates the log: JSON lines on standard error or in a server's file. Standard output is for results. */
function createDependencies(
  { logLevel }: Config,
  {
    atLeast,
    output = pino.destination(2),
  }: { readonly atLeast?: "warn"; readonly output?: pino.DestinationStream },
) {
  const level = atLeast && logLevel === "info" ? atLeast : logLevel;
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        streamWrite: toPrintableJson,
        // Writes most lines without pino, because pino takes three times as long.
        logMethod(given, method, number) {
          const [fields, msg] = given as [unknown, unknown];
          const isPlain = msg && fields && typeof fields === "object" && !(fields instanceof Error);
          if (!isPlain || "err" in fields) return method.apply(this, given);
          const own = writeFields(fields);
          const begin = `"level":"${pino.levels.labels[number]}"${pino.stdTimeFunctions.isoTime()}`;
          const line = `{${begin}${own && ","}${own},"msg":${JSON.stringify(msg)}}\n`;
          output.write(toPrintableJson(line));
        },
      },
      // A thrown value that is not an Error is wrapped, so that the log shows what it was.
      serializers: {
        err: (thrown) =>
          pino.stdSerializers.err(
            thrown instanceof Error ? thrown : new Error(Bun.inspect(thrown)),
          ),
      },
    },
    output,
  );
  const fatal = () => process.exit(exitCodes.fault);
  return { now, newId, log, version, self, fatal } satisfies Dependencies;
}

const listenReasons: Record<string, string> = {
  EADDRINUSE: "it is in use; choose another with --port, or 0 for a free one",
  EACCES: "ports below 1024 are for root, and sockets need a folder that may be written",
  EADDRNOTAVAIL: "this machine has no such address; choose another with --host",
  ENOENT: "the folder of this socket does not exist",
  ENAMETOOLONG: "the path of a socket must be shorter, about a hundred bytes",
  // The system also reports this error for a name that does not resolve.
  EINVAL: "that is not an address of this machine; choose another with --host",
  ENOTFOUND: "that is not a name or address of a machine; choose another with --host",
};

function toListenFault(error: unknown, { host, port }: Config): unknown {
  const { code = "", syscall = "" } = error as NodeJS.ErrnoException;
  const reason = /^(listen|bind|getaddrinfo)$/.test(syscall) ? listenReasons[code] : undefined;
  if (!reason) return error;
  const place = host.startsWith("unix:") ? host : `${host} port ${port}`;
  return new Fault("system", `cannot listen on ${place}: ${reason}`);
}

process.exit(
  await runCommandLine({
    argv: process.argv.slice(2),
    terminal,
    wiring,
    signal: ending.signal,
    licences: async () =>
      (await import("../seed/licences.txt", { with: { type: "text" } })).default,
  }),
);
