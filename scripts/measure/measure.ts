/**
 * Runs the measurements of `scripts/bench` and `scripts/truth`: `measure.ts bench|truth NAME [PATH...] [options]`, where NAME is
 * a file in the folder of that kind. Its options are those that it declares, and:
 *
 * `--json` prints the rows as one JSON array; `--misses` prints each case that counts as wrong on standard error.
 *
 * `list` prints what there is.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Findings, type Measurement, type Options, UnusableInput } from "./measurement.ts";
import { printRows } from "./rows.ts";

const root = join(import.meta.dir, "../..");
/** The exit code of a run in which a bar is not met. */
const notMet = { bench: 1, truth: 3 };
type Kind = keyof typeof notMet;

const [kind, ...argv] = process.argv.slice(2) as [Kind, ...string[]];
try {
  process.exitCode = (await main()) ? 0 : notMet[kind];
} catch (error) {
  if (!(error instanceof UnusableInput)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
// A measurement may have left something that would keep the process alive.
process.exit();

/** @returns whether every bar is met. */
async function main(): Promise<boolean> {
  const [name = "", ...rest] = argv;
  const names = readdirSync(join(import.meta.dir, kind))
    .map((file) => file.replace(/\.ts$/, ""))
    .sort();
  if (name === "" || name === "list") {
    for (const each of names) console.log(describe(each, await load(each)));
    return true;
  }
  if (!names.includes(name)) {
    throw new UnusableInput(`unknown measurement "${name}"; known: ${names.join(", ")}`);
  }
  return run(name, await load(name), rest);
}

async function load(name: string): Promise<Measurement> {
  const { measurement } = await import(`./${kind}/${name}.ts`);
  return measurement as Measurement;
}

function describe(name: string, { about, takes, needs, options = {} }: Measurement): string {
  const flags = Object.entries(options).map(([flag, value]) => {
    if (typeof value === "boolean") return `[--${flag}]`;
    return `[--${flag} ${typeof value === "number" ? "N" : "VALUE"}]`;
  });
  const usage = [`scripts/${kind}`, name, takes, ...flags].filter(Boolean).join(" ");
  return `${usage}\n    ${about}${needs ? ` Needs ${needs}.` : ""}`;
}

async function run(name: string, measurement: Measurement, given: string[]): Promise<boolean> {
  const { isJson, hasMisses, paths, options } = readCommandLine(name, measurement, given);
  const { needs } = measurement;
  if (needs && !existsSync(join(root, needs)))
    throw new UnusableInput(`${needs} is missing: run scripts/build first`);
  const work = mkdtempSync(join(tmpdir(), `roster-${kind}-`));
  try {
    const found = await measurement.run({ ...options, paths, work });
    if (hasMisses) for (const miss of found.misses ?? []) console.error(miss);
    for (const reason of found.skipped ?? []) console.error(`SKIPPED ${reason}`);
    if (isJson) console.log(JSON.stringify(found.rows));
    else print(found);
    return found.rows.every(({ met }) => met !== false);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function print({ rows, parts = [], counts, listing = [] }: Findings): void {
  for (const line of listing) console.log(line);
  if (parts.length > 1) for (const part of parts) printRows(part.rows, part.name);
  printRows(rows, parts.length > 1 ? "all together" : undefined);
  if (counts) console.log(counts);
}

function readCommandLine(name: string, measurement: Measurement, given: string[]) {
  const { takes = "", options: defaults = {} } = measurement;
  const words = takes.split(" ").filter(Boolean);
  const least = words.filter((word) => !word.startsWith("[")).length;
  const most = takes.includes("...") ? Number.POSITIVE_INFINITY : words.length;
  try {
    const flags = Object.entries(defaults).map(([flag, value]) => {
      return [flag, { type: typeof value === "boolean" ? "boolean" : "string" }] as const;
    });
    const common = { json: { type: "boolean" }, misses: { type: "boolean" } } as const;
    const { values, positionals: paths } = parseArgs({
      args: given,
      options: { ...Object.fromEntries(flags), ...common },
      allowPositionals: true,
    });
    if (paths.length < least || paths.length > most)
      throw new Error(`It takes ${takes || "no path"}.`);
    const { json: isJson = false, misses: hasMisses = false } = values;
    return { isJson, hasMisses, paths, options: readOptions(values, defaults) };
  } catch (error) {
    throw new UnusableInput(`${(error as Error).message}\n${describe(name, measurement)}`);
  }
}

function readOptions(
  values: Readonly<Record<string, string | boolean | undefined>>,
  defaults: Options,
): Options {
  return Object.fromEntries(
    Object.entries(defaults).map(([flag, otherwise]) => {
      const value = values[flag];
      if (value === undefined) return [flag, otherwise];
      if (Array.isArray(otherwise)) return [flag, String(value).split(",")];
      if (typeof otherwise !== "number") return [flag, value];
      if (!(Number(value) >= 0)) throw new Error(`--${flag} must be a number.`);
      return [flag, Number(value)];
    }),
  );
}
