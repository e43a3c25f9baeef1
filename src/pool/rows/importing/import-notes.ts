/** Describes a running import, for messages and pages of other processes. */
import { Fault } from "../../../contract/fault.ts";
import { tryParseJson } from "../../../contract/foreign-json.ts";
import type { ProgressNote } from "../../pool.ts";

/** Describes an import in words: its source, process and start. If several machines share the pool, names the machine. */
export function describeHolder(source: string, since: Date, machine?: string): string {
  const words = purposes[source] ?? `an import of ${source}`;
  const place = machine === undefined ? "" : ` on ${machine}`;
  return `${words}, process ${process.pid}${place}, since ${since.toISOString().slice(0, 19)}Z`;
}

export function createRunningFault(holder = ""): Fault {
  const words = holder && ` (${holder})`;
  return new Fault("import_running", `Another import is running${words}.`);
}

const noteEveryMs = 1000;
const labelLengthMax = 300;

/** Creates a function that writes the progress as JSON, at most once a second. */
export function createNoter(write: (note: string) => void | Promise<void>) {
  let notedMs = Number.NEGATIVE_INFINITY;
  return (progress: ProgressNote): void | Promise<void> => {
    const nowMs = performance.now();
    if (nowMs - notedMs < noteEveryMs) return undefined;
    notedMs = nowMs;
    const label = progress.label?.slice(0, labelLengthMax);
    return write(JSON.stringify({ ...progress, ...(label !== undefined && { label }) }));
  };
}

/** Parses a progress note. Its content is not trusted, because another program wrote it. */
export function parseProgress(text: string): ProgressNote | undefined {
  const given = tryParseJson<Record<string, unknown> | null>(text) ?? {};
  const { label, isTotalGrowing, parts, rate, secondsLeft, at } = given;
  const counted = readCount(given);
  if (!counted) return undefined;
  const { done, total, unit } = readCount(parts) ?? {};
  return {
    ...counted,
    ...(done !== undefined && total !== undefined && unit && { parts: { done, total, unit } }),
    ...(typeof label === "string" && { label }),
    ...(isTotalGrowing === true && { isTotalGrowing }),
    ...(typeof rate === "number" && { rate }),
    ...(typeof secondsLeft === "number" && { secondsLeft }),
    ...(typeof at === "string" && !Number.isNaN(Date.parse(at)) && { at }),
  };
}

function readCount(given: unknown): Pick<ProgressNote, "done" | "total" | "unit"> | undefined {
  const { done, total, unit } = (given ?? {}) as Record<string, unknown>;
  if (typeof done !== "number" || typeof unit !== "string") return undefined;
  return { done, unit, total: typeof total === "number" ? total : undefined };
}

/** For each source, the words by which messages describe its import. */
const purposes: Record<string, string | undefined> = {
  git: "an ingest of git histories",
  identity: "an identity decision",
  import: "an import of a file",
  people: "an ingest of people files",
  rescore: "a new scoring of all developers",
  demo: "the loading of the demo people",
};
