/** Imports files of facts, each into a pool of its own, and checks that `export` returns their valid lines. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import fc from "fast-check";
import { anyBytes, asBytes, fromText, printed } from "./bytes.ts";
import { defineTarget, type OpenTarget } from "./campaign.ts";
import { asJsonTexts, nearly } from "./json/nearly.ts";
import { type Json, type Schema, valuesOf } from "./json/values.ts";
import { crashIn, type Ran, runProgram } from "./program.ts";
import { weighted } from "./weighted.ts";

interface File {
  /** Bytes, without the line ending. */
  readonly lines: readonly string[];
  readonly end: "\n" | "\r\n";
  readonly packing: "plain" | "gzip" | "zstd" | "gzip, cut off" | "zstd, cut off" | "gzip, spoiled";
  readonly isStrict: boolean;
}

/** An import reports at most this many rejected lines one by one. */
const linesMax = 100;

export const openJsonlTarget: OpenTarget = async (folder) => {
  const printedSchema = await runProgram(folder, ["import", "--schema"]);
  const schema = JSON.parse(printedSchema.stdout) as Schema;
  const isFacts = new Ajv2020({ strict: false }).compile(schema);
  let memory = 0;
  const tally = { taken: 0, refused: 0 };
  const run = async (...argv: string[]): Promise<Ran> => {
    const ran = await runProgram(folder, argv);
    memory = ran.memory;
    const crash = crashIn(ran.stderr) ?? crashIn(ran.stdout);
    if (crash) throw new Error(`crash: ${crash}`);
    return ran;
  };
  return defineTarget<File>({
    cases: filesOf(schema),
    tryCase: async (file) => {
      const work = join(folder, "case");
      rmSync(work, { recursive: true, force: true });
      mkdirSync(work);
      const path = join(work, "people");
      const data = join(work, "data");
      writeFileSync(path, packed(file));
      const strict = file.isStrict ? ["--strict"] : [];
      const imported = await run("import", path, "--data", data, "--json", ...strict);
      if (imported.exitCode !== 0) {
        refuseUnlessRefused(imported, path);
        tally.refused += 1;
        return;
      }
      const { rejections } = JSON.parse(imported.stdout) as Summary;
      checkRejections(rejections, imported.stderr, file, isFacts);
      const out = join(work, "exported");
      const exported = await run("export", out, "--data", data);
      if (exported.exitCode !== 0) throw new Error(`export ended with ${exported.exitCode}`);
      comparePool(readFileSync(out, "utf8"), file, new Set(rejections.map(({ line }) => line)));
      tally.taken += 1;
    },
    reproduce: (file) => {
      const bytes = printed(file.lines.join(file.end));
      return `printf '%b' '${bytes}' | roster import - (${file.packing}${file.isStrict ? ", --strict" : ""})`;
    },
    memory: () => memory,
    isLasting: false,
    notes: () => `; ${tally.taken} files taken, ${tally.refused} refused`,
    end: async () => [],
  });
};

interface Summary {
  readonly rejections: readonly { line: number; reason: string }[];
}

function filesOf(schema: Schema): fc.Arbitrary<File> {
  const facts = valuesOf(schema);
  const line = weighted(
    [4, facts.map((value) => JSON.stringify(value))],
    [4, asJsonTexts(nearly(facts))],
    [1, fc.constantFrom("", " ", "[", "null", "{}", '"x"', "\u2028")],
  );
  const bytes = weighted(
    [9, line.map((text) => fromText(text.toWellFormed()))],
    [
      1,
      fc.tuple(line, fc.nat(200), anyBytes(5)).map(([text, at, odd]) => {
        const whole = fromText(text);
        return whole.slice(0, at) + odd + whole.slice(at);
      }),
    ],
  );
  return fc.record<File>({
    lines: fc.array(
      bytes.map((text) => text.replaceAll("\n", " ")),
      { maxLength: linesMax, size: "large" },
    ),
    end: fc.constantFrom("\n", "\n", "\r\n"),
    packing: fc.constantFrom(
      ...([
        "plain",
        "plain",
        "plain",
        "gzip",
        "zstd",
        "gzip, cut off",
        "zstd, cut off",
        "gzip, spoiled",
      ] as const),
    ),
    isStrict: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  });
}

function packed({ lines, end, packing }: File): Uint8Array {
  const plain = asBytes(lines.map((line) => line + end).join(""));
  const [form, damage] = packing.split(", ");
  if (form === "plain") return plain;
  const whole = form === "gzip" ? Bun.gzipSync(new Uint8Array(plain)) : Bun.zstdCompressSync(plain);
  if (damage === "cut off") return whole.subarray(0, Math.ceil(whole.length * 0.7));
  if (damage === "spoiled") whole[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 0x55;
  return whole;
}

/** Checks a refused import: its reason must name the file, and the line if a line is the cause. */
function refuseUnlessRefused({ exitCode, stderr }: Ran, path: string): void {
  if (exitCode !== 3) throw new Error(`import ended with ${exitCode}: ${stderr.slice(0, 300)}`);
  if (!stderr.includes(path)) throw new Error(`no file is named in: ${stderr.slice(0, 300)}`);
  const isLines = /bad lines?|no developer/.test(stderr);
  if (isLines && !/line \d+: /.test(stderr)) throw new Error(`no line is named in: ${stderr}`);
}

function checkRejections(
  rejections: Summary["rejections"],
  stderr: string,
  { lines }: File,
  isFacts: (value: unknown) => boolean,
): void {
  const rejected = new Set(rejections.map(({ line }) => line));
  for (const { line } of rejections) {
    if (!stderr.includes(`line ${line}: `)) throw new Error(`line ${line} is not named on stderr`);
  }
  for (const [at, line] of lines.entries()) {
    const value = parsed(line);
    if (value === undefined || rejected.has(at + 1)) continue;
    if (!isFacts(value)) throw new Error(`line ${at + 1} went in against the schema`);
  }
}

/** Compares the pool with the last valid line of each login, without regard to case. */
function comparePool(exported: string, { lines }: File, rejected: ReadonlySet<number>): void {
  const expected = new Map<string, Json>();
  for (const [at, line] of lines.entries()) {
    const value = rejected.has(at + 1)
      ? undefined
      : (parsed(line) as { login: string } | undefined);
    if (value) expected.set(value.login.toLowerCase(), value);
  }
  const found = exported
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { login: string });
  const logins = found.map(({ login }) => login.toLowerCase()).sort();
  if (!Bun.deepEquals(logins, [...expected.keys()].sort())) {
    throw new Error(`the pool holds ${logins.length} people of ${expected.size}`);
  }
  for (const facts of found) {
    if (Bun.deepEquals(facts, expected.get(facts.login.toLowerCase()))) continue;
    throw new Error(
      `the pool tells other facts than the line: ${JSON.stringify(facts).slice(0, 200)}`,
    );
  }
}

function parsed(bytes: string): Json | undefined {
  try {
    return JSON.parse(
      asBytes(bytes)
        .toString("utf8")
        .replace(/^\ufeff/, ""),
    );
  } catch {
    return undefined;
  }
}
