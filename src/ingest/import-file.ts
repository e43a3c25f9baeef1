import { Fault, isFault } from "../contract/fault.ts";
import type { Import, Pool } from "../pool/pool.ts";
import type { Judge } from "./judge.ts";
import { parseFacts } from "./parse-facts.ts";
import { type ByteSource, readBytes } from "./read-bytes.ts";
import { type Line, readLines } from "./read-lines.ts";
import type { RejectedLine } from "./refusal.ts";

export interface ImportOptions {
  readonly pool: Pool;
  readonly judge: Judge;
  /** One bad line refuses the whole file. Default: the good lines go in. */
  readonly strict?: boolean;
  /** Also removes the demo people that the file does not bring itself. */
  readonly replaceDemo?: boolean;
  /** Stops between two lines; nothing is imported then. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Each bad line as it is met; the summary names only the first hundred. */
  readonly onRejected?: (rejected: RejectedLine) => void;
}

export interface ImportProgress {
  /** As stored in the file. */
  readonly bytes: number;
  /** Unknown for standard input. */
  readonly bytesTotal: number | undefined;
  readonly lines: number;
  readonly rejected: number;
}

/** `lines` = `imported` + `rejected` + `suppressed`; `imported` = `added` + `replaced` + `unchanged`. */
export interface ImportSummary {
  readonly file: string;
  /** Lines that are not blank. */
  readonly lines: number;
  /** Developers that the file holds. */
  readonly imported: number;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Lines of people who had themselves forgotten; never named. */
  readonly suppressed: number;
  /** Demo people that made room. */
  readonly removed: number;
  /** The pool's revision that shows it. */
  readonly revision: number;
  /** The first hundred. */
  readonly rejections: readonly RejectedLine[];
}

const developersPerBatch = 100;
const rejectionsNamed = 100;

/**
 * Brings a JSONL file of facts into the pool: all of its good lines at one moment, or nothing. The same
 * file again changes nothing. A login that comes twice counts as its later line says.
 *
 * @param path plain, gzip or zstd, told by content; `-` is standard input.
 * @throws Fault for a file that is missing, empty, damaged, holds no developer, or, when strict, has a bad line.
 */
export async function importFile(path: string, options: ImportOptions): Promise<ImportSummary> {
  const source = await readBytes(path);
  const load = await options.pool.beginImport("import");
  const intake = new Intake(load, options);
  try {
    await readInto(intake, source, options);
    if (options.signal?.aborted) throw interrupted(path);
    await intake.flush();
    refuseIfUseless(path, intake, options.strict ?? false);
    if (options.replaceDemo) await load.removeSource("demo");
    const { lines, rejected, rejections } = intake;
    const shown = await load.commit();
    return {
      file: path,
      lines,
      imported: lines - rejected - shown.suppressed,
      rejected,
      rejections,
      ...shown,
    };
  } finally {
    await load.abort();
  }
}

/** @throws Fault that says how far it came, when the file is damaged. */
async function readInto(
  intake: Intake,
  source: ByteSource,
  { onProgress, signal }: ImportOptions,
): Promise<void> {
  let last = 0;
  try {
    for await (const lines of readLines(source.bytes)) {
      for (const line of lines) {
        intake.take(line);
        if (intake.isFull) await intake.flush();
      }
      last = lines.at(-1)?.number ?? last;
      const { lines: taken, rejected } = intake;
      onProgress?.({ bytes: source.taken(), bytesTotal: source.total, lines: taken, rejected });
      if (signal?.aborted) return;
    }
  } catch (error) {
    if (!isFault(error) || error.code === "store") throw error;
    const message = `${error.message} It was read up to line ${last}.`;
    throw new Fault(error.code, message, { cause: error });
  }
}

/** Takes lines, one after the other, and keeps the account of them. */
class Intake {
  lines = 0;
  rejected = 0;
  readonly rejections: RejectedLine[] = [];
  readonly #load: Import;
  readonly #options: ImportOptions;
  #batch: ReturnType<Judge>[] = [];
  /** The line that a login stood in, by the login's 52-bit hash: far smaller than the logins. */
  readonly #lineOf = new Map<number, number>();

  constructor(load: Import, options: ImportOptions) {
    this.#load = load;
    this.#options = options;
  }

  take(line: Line): void {
    this.lines += 1;
    if ("fault" in line) {
      this.#reject({ line: line.number, reason: line.fault });
      return;
    }
    const checked = parseFacts(line.text);
    if ("complaint" in checked) {
      this.#reject({ line: line.number, ...checked.complaint });
      return;
    }
    const { facts } = checked;
    this.#noteLogin(facts.login, line.number);
    // A strict import that has failed only reads on to name every bad line.
    if (this.#options.strict && this.rejected > 0) return;
    this.#batch.push(this.#options.judge(facts));
  }

  get isFull(): boolean {
    return this.#batch.length >= developersPerBatch;
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    await this.#load.put(batch);
  }

  #noteLogin(login: string, number: number): void {
    const key = Number(Bun.hash(login.toLowerCase()) & 0xf_ffff_ffff_ffffn);
    const earlier = this.#lineOf.get(key);
    this.#lineOf.set(key, number);
    if (earlier === undefined) return;
    const reason = `comes again in line ${number}, which counts`;
    this.#reject({ line: earlier, login, field: "login", reason });
  }

  #reject(rejected: RejectedLine): void {
    this.rejected += 1;
    if (this.rejections.length < rejectionsNamed) this.rejections.push(rejected);
    this.#options.onRejected?.(rejected);
  }
}

function refuseIfUseless(path: string, intake: Intake, isStrict: boolean): void {
  const { lines, rejected, rejections } = intake;
  const [first] = rejections;
  if (lines === 0) throw new Fault("refused", `${path} holds no line.`);
  if (!first || (rejected < lines && !isStrict)) return;
  const example = `line ${first.line}: ${first.field ? `${first.field} ` : ""}${first.reason}`;
  const message =
    rejected === lines
      ? `${path} holds no developer: it must be JSONL, one object of facts a line. ${example}.`
      : `${path} has ${rejected} bad ${rejected === 1 ? "line" : "lines"} of ${lines}; strict takes all or nothing. ${example}.`;
  throw new Fault("refused", message, { cause: rejections });
}

const interrupted = (path: string) =>
  new Fault("interrupted", `Stopped while reading ${path}. Nothing was imported.`);
