import { Fault, isFault } from "../contract/fault.ts";
import type { Import, Pool } from "../pool/pool.ts";
import type { Judge } from "./judge.ts";
import { parseFacts } from "./parse-facts.ts";
import { type ByteSource, readBytes } from "./read-bytes.ts";
import { type Line, readLines } from "./read-lines.ts";
import type { RejectedLine } from "./refusal.ts";
import { readRemovalsMax } from "./removal-limit.ts";

export interface ImportOptions {
  readonly pool: Pool;
  readonly judge: Judge;
  /** One bad line refuses the whole file. Default: the good lines are imported. */
  readonly strict?: boolean;
  /** Also removes the demo developers that the file does not contain. */
  readonly replaceDemo?: boolean;
  /** Whether it may remove more people than `readRemovalsMax` says. */
  readonly canRemoveMany?: boolean;
  /** Stops between two lines; then nothing is imported. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called with each bad line; the summary lists only the first hundred. */
  readonly onRejected?: (rejected: RejectedLine) => void;
}

export interface ImportProgress {
  /** Bytes read from the file, before decompression. */
  readonly bytes: number;
  /** Undefined for standard input. */
  readonly bytesTotal: number | undefined;
  readonly lines: number;
  readonly rejected: number;
}

/** `lines` = `imported` + `rejected` + `suppressed`; `imported` = `added` + `replaced` + `unchanged`. */
export interface ImportSummary {
  readonly file: string;
  /** Lines that are not blank. */
  readonly lines: number;
  /** Developers of the file that are now in the pool. */
  readonly imported: number;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Lines about forgotten people; never named. */
  readonly suppressed: number;
  /** Demo developers removed. */
  readonly removed: number;
  /** The pool's revision after the import. */
  readonly revision: number;
  /** The first hundred. */
  readonly rejections: readonly RejectedLine[];
}

const developersPerBatch = 100;
const rejectionsNamed = 100;

/**
 * Imports a JSONL file of facts into the pool: all good lines at once, or nothing. Importing the same file
 * again changes nothing. When a login occurs twice, its later line counts.
 *
 * @param path plain, gzip or zstd, detected from the content; `-` is standard input.
 * @throws Fault when it would remove too many people, or the file is missing, empty or damaged, has no developer or, if strict, has a bad line.
 */
export async function importFile(path: string, options: ImportOptions): Promise<ImportSummary> {
  const source = await readBytes(path);
  const load = await options.pool.beginImport("import");
  const intake = new Intake(load, options);
  try {
    await readInto(intake, source, load, options);
    if (options.signal?.aborted) {
      throw new Fault("interrupted", `Stopped while reading ${path}. Nothing was imported.`);
    }
    await intake.flush();
    refuseIfUnusable(path, intake, options.strict ?? false);
    if (options.replaceDemo) await load.removeSource("demo");
    if (!options.canRemoveMany) await load.limitRemovals(await readRemovalsMax(options.pool));
    const { lines, rejected, rejections } = intake;
    const counts = await load.commit();
    return {
      file: path,
      lines,
      imported: lines - rejected - counts.suppressed,
      rejected,
      rejections,
      ...counts,
    };
  } finally {
    await load.abort();
  }
}

/** @throws Fault that names the last line read, when the file is damaged. */
async function readInto(
  intake: Intake,
  source: ByteSource,
  load: Pick<Import, "requireRoom">,
  { onProgress, signal }: ImportOptions,
): Promise<void> {
  let last = 0;
  try {
    for await (const lines of readLines(source.bytes)) {
      for (const line of lines) {
        intake.take(line);
        if (intake.isFull) {
          await intake.flush();
          if (source.total) await load.requireRoom(source.taken() / source.total);
        }
      }
      last = lines.at(-1)?.number ?? last;
      const { lines: taken, rejected } = intake;
      onProgress?.({ bytes: source.taken(), bytesTotal: source.total, lines: taken, rejected });
      if (signal?.aborted) return;
    }
  } catch (error) {
    if (!isFault(error) || error.code === "store" || error.code === "no_space") throw error;
    const message = `${error.message} It was read up to line ${last}.`;
    throw new Fault(error.code, message, { cause: error });
  }
}

/** Checks lines one by one, batches the good ones and records the bad ones. */
class Intake {
  lines = 0;
  rejected = 0;
  readonly rejections: RejectedLine[] = [];
  readonly #load: Import;
  readonly #options: ImportOptions;
  #batch: ReturnType<Judge>[] = [];
  /** Number of the last line with a login, by the login's 52-bit hash, which is far smaller than the login. */
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
    // A strict import that has failed reads on only to report every bad line.
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

function refuseIfUnusable(path: string, intake: Intake, isStrict: boolean): void {
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
