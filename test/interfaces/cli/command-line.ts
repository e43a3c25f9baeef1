/** The real command line over a folder of the test's own; only the streams are caught. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { acceptLosses, openAppliance, openDataFolder } from "../../../src/appliance/appliance.ts";
import { chooseModel } from "../../../src/appliance/model.ts";
import { runCommandLine } from "../../../src/interfaces/cli/cli.ts";
import { type Terminal, toLines } from "../../../src/interfaces/cli/terminal.ts";
import { serveLocal } from "../../../src/interfaces/mcp/mcp.ts";
import { inventedPeople } from "../../invented-people.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CommandLine {
  readonly folder: string;
  run(...argv: string[]): Promise<Ran>;
  /** What runs until it is stopped. */
  runUntil(stop: AbortSignal, ...argv: string[]): Promise<Ran>;
  /** The one JSON value on standard output. */
  json(...argv: string[]): Promise<unknown>;
  close(): void;
}

/** @param ask answers questions as somebody at a terminal does; default: nobody is there. */
export function openCommandLine(
  now = () => new Date("2026-11-21T12:00:00Z"),
  ask?: Terminal["ask"],
): CommandLine {
  const root = mkdtempSync(join(tmpdir(), "roster-cli-"));
  const folder = join(root, "data");
  const log = pino({ level: "silent" });
  let ids = 0;
  const around = { now, newId: () => `cli${++ids}`, log, version: "0.0.0-test" };
  const runUntil = async (signal: AbortSignal, ...argv: string[]): Promise<Ran> => {
    const out: string[] = [];
    const err: string[] = [];
    const code = await runCommandLine({
      argv: argv[0]?.startsWith("-") ? argv : [...argv],
      terminal: {
        columns: undefined,
        isInteractive: false,
        isLogged: false,
        result: (...lines) => out.push(toLines(lines)),
        bytes: (content) => out.push(content.toString()),
        note: (...lines) => err.push(toLines(lines)),
        ...(ask && { ask }),
      },
      wiring: {
        ...around,
        modelVersion: (config) => chooseModel(config).modelVersion,
        open: (config, options) => openDataFolder(config, around, options),
        acceptLosses: (config) => acceptLosses(config, { now }),
        // Outside of a clone: these tests lie in one.
        cwd: () => root,
        mcp: ({ detail, answers }, { result, note }, signal) => {
          const input = new Blob([]).stream();
          return serveLocal({
            answers,
            detail,
            version: around.version,
            input,
            write: result,
            note,
            signal,
          });
        },
        serve: async (config, { step = () => {} }) => {
          const listening = { listen: true };
          const appliance = await openAppliance(config, { ...around, step }, listening);
          const { address = "", first, close } = appliance;
          return { address, stop: close, ...(first ? { first } : {}) };
        },
      },
      signal,
      licences: async () => "every licence",
    });
    return { code, out: out.join(""), err: err.join("") };
  };
  const run = (...argv: string[]) => runUntil(new AbortController().signal, ...argv);
  return {
    folder,
    run,
    runUntil,
    json: async (...argv) => {
      const { out, err } = await run(...argv, "--json");
      if (out === "") throw new Error(`no output; ${err}`);
      return JSON.parse(out);
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Writes the invented people into a file beside the data folder, for a command to import. */
export function writePeople({ folder }: CommandLine): string {
  const path = join(folder, "..", "people.jsonl");
  writeFileSync(path, inventedPeople.map((facts) => `${JSON.stringify(facts)}\n`).join(""));
  return path;
}

/** The flags that say the input of an operation. */
export function toFlags(input: object): readonly string[] {
  return Object.entries(input).map(([field, value]) => {
    const flag = `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? flag : `${flag}=${Array.isArray(value) ? value.join(",") : value}`;
  });
}
