import { Fault, isFault } from "../../contract/fault.ts";
import type { ImportCounts, Pool } from "../../pool/pool.ts";
import { judgeOthers } from "../judge-others.ts";
import { type ByteSource, readBytes } from "../read-bytes.ts";
import { readLines } from "../read-lines.ts";
import type { RejectedLine } from "../refusal.ts";
import { readRemovalsMax } from "../removal-limit.ts";
import { Intake, type IntakeOptions } from "./intake.ts";

export interface ImportOptions extends IntakeOptions {
  readonly pool: Pool;
  /** Whether to remove demo developers whom the file does not contain. */
  readonly replaceDemo?: boolean;
  /** Whether the run may remove more people than `readRemovalsMax` allows. */
  readonly canRemoveMany?: boolean;
  /** Aborting this signal stops the import, and nothing is imported. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  /** Bytes read from the file, before decompression. */
  readonly bytes: number;
  /** Size of the file in bytes; undefined for standard input. */
  readonly bytesTotal: number | undefined;
  readonly lines: number;
  readonly rejected: number;
}

/**
 * The result of an import. `lines` = `imported` + `rejected` + `suppressed`; `imported` = `added` + `replaced` + `unchanged`.
 * `removed` counts demo developers. `suppressed` counts lines about erased people.
 */
export interface ImportSummary extends ImportCounts {
  readonly file: string;
  /** Number of lines that are not blank. */
  readonly lines: number;
  /** Number of developers of the file who are now in the pool. */
  readonly imported: number;
  readonly rejected: number;
  /** The first hundred rejected lines. */
  readonly rejections: readonly RejectedLine[];
}

/**
 * Imports a JSONL file of facts into the pool. All good lines are imported in one transaction, or none is. If a login occurs
 * twice, the later line counts.
 * @param path a file, plain or compressed with gzip or zstd; `-` is standard input.
 * @throws Fault when the file is missing, empty or damaged, or contains no developer; when too many people would be removed; if
 *   `strict`, when a line is bad.
 */
export async function importFile(path: string, options: ImportOptions): Promise<ImportSummary> {
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
