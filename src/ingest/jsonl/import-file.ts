import { Fault, isFault } from "../../contract/fault.ts";
import type { Assessment } from "../../contract/people/assessment.ts";
import type { GivenFacts, Import, Pool } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { judgeOthers } from "../judge-others.ts";
import { parseFacts } from "../parse-facts.ts";
import { type ByteSource, readBytes } from "../read-bytes.ts";
import { type Line, readLines } from "../read-lines.ts";
import type { LineComplaint, RejectedLine } from "../refusal.ts";
import { readRemovalsMax } from "../removal-limit.ts";

export interface ImportOptions {
  readonly pool: Pool;
  readonly judge: Judge;
  /** Whether one bad line makes the import fail. By default, the good lines are imported. */
  readonly strict?: boolean;
  /** Whether to remove demo developers whom the file does not contain. */
  readonly replaceDemo?: boolean;
  /** Whether the run may remove more people than `readRemovalsMax` allows. */
  readonly canRemoveMany?: boolean;
  /** Aborting this signal stops the import, and nothing is imported. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: {
    /** Bytes read from the file, before decompression. */
    readonly bytes: number;
    /** Size of the file in bytes; undefined for standard input. */
    readonly bytesTotal: number | undefined;
    readonly lines: number;
    readonly rejected: number;
  }) => void;
}

export type ImportSummary = Awaited<ReturnType<typeof importFile>>;

/**
 * Imports a JSONL file of facts into the pool. All good lines are imported in one transaction, or none is. If a login occurs
 * twice, the later line counts.
 * @param path a file, plain or compressed with gzip or zstd; `-` is standard input.
 * @returns counts of lines that are not blank, and the first hundred `rejections`: `lines` = `imported` + `rejected` +
 *   `suppressed`; `imported` = `added` + `replaced` + `unchanged`. `removed` counts demo developers. `suppressed` counts lines
 *   about erased people.
 * @throws Fault when the file is missing, empty or damaged, or contains no developer; when too many people would be removed; if
 *   `strict`, when a line is bad.
 */
export async function importFile(path: string, options: ImportOptions) {
  const source = await readBytes(path, options.signal);
  const load = await options.pool.beginImport("import");
  const intake = new Intake(load, options);
  try {
    await readInto(intake, source, options);
    if (options.signal?.aborted) {
      throw new Fault("interrupted", `Stopped while reading ${path}. Nothing was imported.`);
    }
    await intake.flush();
    refuseIfUnusable(path, intake, options.strict ?? false);
    if (options.replaceDemo) await load.removeSource("demo");
    await judgeOthers(load, options.pool, options.judge, options.signal);
    if (!options.canRemoveMany) await load.limitRemovals(await readRemovalsMax(options.pool));
    const { lines, rejected, rejections } = intake;
    const counts = await load.commit();
    const imported = lines - rejected - counts.suppressed;
    return { file: path, lines, imported, rejected, rejections, ...counts };
  } finally {
    await load.abort();
  }
}

/** Passes all lines to the intake. @throws Fault when the file is damaged. Its message names the last line that was read. */
async function readInto(intake: Intake, source: ByteSource, { onProgress, signal }: ImportOptions) {
  let last = 0;
  try {
    for await (const lines of readLines(source.bytes)) {
      for (const line of lines) {
        if (intake.take(line)) await intake.flush(source.total && source.taken() / source.total);
      }
      last = lines.at(-1)?.number ?? last;
      const { lines: taken, rejected } = intake;
      onProgress?.({ bytes: source.taken(), bytesTotal: source.total, lines: taken, rejected });
      if (signal?.aborted) return;
    }
  } catch (error) {
    if (!isFault(error) || ["store", "damaged", "no_space"].includes(error.code)) throw error;
    const message = `${error.message} It was read up to line ${last}.`;
    throw new Fault(error.code, message, { cause: error });
  }
}

function refuseIfUnusable(path: string, intake: Intake, isStrict: boolean): void {
  const { lines, rejected, rejections } = intake;
  const [first] = rejections;
  if (lines === 0) throw new Fault("refused", `${path} has no line.`);
  if (!first || (rejected < lines && !isStrict)) return;
  const example = `line ${first.line}: ${first.field ? `${first.field} ` : ""}${first.reason}`;
  const message =
    rejected === lines
      ? `${path} has no developer: it must be JSONL, with one object of facts on each line. ${example}.`
      : `${path} has ${rejected} bad ${rejected === 1 ? "line" : "lines"} of ${lines}; nothing was imported, because strict is set. ${example}.`;
  throw new Fault("refused", message, { cause: rejections });
}

const linesPerBatch = 100;
const charactersPerBatch = 4 * 2 ** 20;
const rejectionsNamed = 100;

/** Imports lines in batches. A line that equals the stored facts is confirmed. Other lines are judged and stored. */
class Intake {
  /** Number of lines that are not blank. */
  lines = 0;
  rejected = 0;
  readonly rejections: RejectedLine[] = [];
  readonly #load: Import;
  readonly #options: ImportOptions;
  #batch: Line[] = [];
  #characters = 0;
  /** For each login, the number of its last line. The key is a 52-bit hash of the login, to save memory. */
  readonly #lineOf = new Map<number, number>();

  constructor(load: Import, options: ImportOptions) {
    this.#load = load;
    this.#options = options;
  }

  /** Adds a line to the batch. @returns whether the batch is full and `flush` must be called. */
  take(line: Line): boolean {
    this.lines += 1;
    this.#batch.push(line);
    if ("text" in line) this.#characters += line.text.length;
    return this.#batch.length >= linesPerBatch || this.#characters >= charactersPerBatch;
  }

  /** Judges and stores the lines of the batch. @param share the part of the input that has been read, from 0 to 1. */
  async flush(share?: number): Promise<void> {
    const { strict, judge } = this.#options;
    const lines = this.#batch.map(readLine);
    this.#batch = [];
    this.#characters = 0;
    const people = this.#judge(lines, await this.#confirm(lines));
    // A strict import with a bad line stores nothing. It continues only to report all bad lines.
    if (strict && this.rejected > 0) return;
    await this.#load.put(people, judge.basis);
    if (share !== undefined) await this.#load.requireRoom(share);
  }

  async #confirm(lines: readonly ReadLine[]): Promise<ReadonlySet<ReadLine>> {
    const { basis } = this.#options.judge;
    // Confirms only the last line of each login, because earlier lines do not count.
    const last = new Map(lines.filter(isGiven).map((line) => [toKey(line.login), line]));
    const given = [...last.values()];
    if (basis === undefined || given.length === 0) return new Set();
    const done = await this.#load.confirm(given, basis);
    return new Set(given.filter((_, at) => done[at]));
  }

  /** Judges the lines that were not confirmed. @returns the people to store, one for each login. */
  #judge(lines: readonly ReadLine[], confirmed: ReadonlySet<ReadLine>): readonly Assessment[] {
    const people = new Map<string, Assessment>();
    for (const line of lines) {
      if (isGiven(line) && confirmed.has(line)) {
        this.#noteLogin(line.login, line.number);
        people.delete(line.login.toLowerCase());
        continue;
      }
      const read = isGiven(line) ? parseFacts(line.text) : line;
      if ("complaint" in read) {
        this.#reject({ line: line.number, ...read.complaint });
        continue;
      }
      const { login } = read.facts;
      this.#noteLogin(login, line.number);
      people.set(login.toLowerCase(), this.#options.judge(read.facts));
    }
    return [...people.values()];
  }

  #noteLogin(login: string, number: number): void {
    const key = toKey(login);
    const earlier = this.#lineOf.get(key);
    this.#lineOf.set(key, number);
    if (earlier === undefined) return;
    const reason = `occurs again in line ${number}, which is used instead`;
    this.#reject({ line: earlier, login, field: "login", reason });
  }

  #reject(rejected: RejectedLine): void {
    this.rejected += 1;
    if (this.rejections.length < rejectionsNamed) this.rejections.push(rejected);
  }
}

/** A line with its login, or a complaint about the line. */
type ReadLine = { readonly number: number } & (GivenFacts | { readonly complaint: LineComplaint });

const isGiven = (line: ReadLine): line is ReadLine & GivenFacts => "login" in line;

/** Reads a line. In a line of the form that `export` writes, reads only the login. Converts any other line to this form. */
function readLine(line: Line): ReadLine {
  const { number } = line;
  if ("fault" in line) return { number, complaint: { reason: line.fault } };
  // Removes the carriage return of files from Windows.
  const text = line.text.replace(/\r$/, "");
  const login = readLogin(text);
  if (login !== undefined) return { number, text, login };
  const parsed = parseFacts(text);
  if ("complaint" in parsed) return { number, complaint: parsed.complaint };
  return { number, text: JSON.stringify(parsed.facts), login: parsed.facts.login };
}

const beginning = '{"login":"';

function readLogin(text: string): string | undefined {
  if (!text.startsWith(beginning)) return undefined;
  const login = text.slice(beginning.length, text.indexOf('"', beginning.length));
  // A login with an escape (`\u0061`) must be parsed as JSON.
  return login.includes("\\") ? undefined : login;
}

function toKey(login: string): number {
  return Number(Bun.hash(login.toLowerCase()) & 0xf_ffff_ffff_ffffn);
}
