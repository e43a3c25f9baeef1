/** Defines the command and the report of each kind of run. */
import type { Config } from "../../config/config.ts";
import { formatCount, formatCounted } from "../../contract/format.ts";
import type { KnownClone } from "../../ingest/ingest.ts";
import type { RunOrder } from "../../interfaces/web/web.ts";
import {
  listCountingFlags,
  listFolderFlags,
  listJudgingFlags,
  listReadingFlags,
} from "./child-program.ts";

export type RunPlan =
  | {
      readonly ok: true;
      readonly title: string;
      readonly given: readonly string[];
      readonly canStop: boolean;
      /** Details for the audit log. They must not name a person. */
      readonly detail: Readonly<Record<string, string | number>>;
    }
  | { readonly ok: false; readonly message: string };

/** The kinds of runs, with those that only commands start. */
export type RunKind = RunOrder["kind"] | "import" | "people" | "forgetRepository";

/** The longest total length of paths in a command line, in characters. */
const pathsLengthMax = 1_000_000;

/** Plans a run. @param by the id of the account that starts the run. It is stored with a decision. */
export function createRunPlan(
  order: RunOrder,
  by: string,
  config: Config,
  places: () => readonly KnownClone[],
): RunPlan {
  const counting = ["--json", ...listCountingFlags(config)];
  const plan = (given: readonly string[], canStop = true): RunPlan => {
    const { kind } = order;
    const source = "source" in order ? { source: order.source } : {};
    const title = createRunTitle(kind, source.source ?? "");
    return { ok: true, title, given, canStop, detail: { kind, ...source } };
  };
  switch (order.kind) {
    case "ingest":
      return planIngest(config, places);
    case "recount":
      return plan(["ingest", "git", ...counting]);
    case "rescore":
      return plan(["rescore", "--json", ...listJudgingFlags(config)]);
    case "merge":
    case "split":
    case "undo": {
      const about = order.kind === "undo" ? [order.decision] : [order.a, order.b];
      return plan(["identity", order.kind, ...counting, `--by=${by}`, "--", ...about], false);
    }
    case "forget": {
      const reason = order.reason === undefined ? [] : [`--reason=${order.reason}`];
      // The page has already asked for confirmation, so the flag `--yes` skips the question.
      const flags = ["--json", "--yes", ...listFolderFlags(config), ...reason];
      return plan(["forget", ...flags, "--", order.person], false);
    }
    case "refresh": {
      const { source, repositories = [] } = order;
      const only = repositories.map((name) => `--repository=${name}`);
      const flags = [...listReadingFlags(config), ...counting, ...only];
      const planned = plan(["sources", "refresh", ...flags, "--", source]);
      if (!planned.ok || repositories.length === 0) return planned;
      const some = formatCounted(repositories.length, "repository", "repositories");
      return { ...planned, title: `${planned.title}: ${some}` };
    }
    case "forgetSource": {
      const flags = [...counting, "--allow-removals", `--by=${by}`];
      return plan(["sources", "forget", ...flags, "--", order.source], false);
    }
  }
}

/** Returns the title of a run. @param what what it reads, imports or forgets, which is never a person. */
export function createRunTitle(kind: RunKind, what: string): string {
  return {
    ingest: `Read git histories in ${what}`,
    recount: "Recheck identities",
    rescore: "Update all scores",
    merge: "Merge two people",
    split: "Split two people",
    undo: "Undo an identity decision",
    forget: "Forget a person",
    refresh: `Read the source${what.includes(", ") ? "s" : ""} ${what}`,
    forgetSource: `Forget the source ${what}`,
    import: `Import people from ${what}`,
    people: `Read the list of people ${what}`,
    forgetRepository: `Forget the repository ${what}`,
  }[kind];
}

function planIngest(config: Config, places: () => readonly KnownClone[]): RunPlan {
  const known = places().flatMap(({ directory }) => directory ?? []);
  if (known.length === 0)
    return { ok: false, message: "There is no repository yet. Add a source first." };
  if (known.join(" ").length > pathsLengthMax) {
    const message =
      "There are too many repositories to start this here. Run `roster ingest git` on the server.";
    return { ok: false, message };
  }
  const title = `Read new commits of ${formatCounted(known.length, "repository", "repositories")}`;
  const detail = { kind: "ingest", repositories: known.length };
  const flags = ["--json", ...listReadingFlags(config), ...listCountingFlags(config)];
  const given = ["ingest", "git", ...flags, "--", ...known];
  return { ok: true, title, given, canStop: true, detail };
}

/** The parts of a command's report that a page shows. */
interface Report
  extends Partial<Record<"added" | "replaced" | "removed" | "judged" | "moved" | "rows", number>> {
  /** The number of people whom a forge has told of. */
  readonly people?: number;
  /** The number of repositories of a forge. Other reports list repositories here. */
  readonly repositories?: number | readonly object[];
  /** The number of sources, if several were read. */
  readonly sources?: number;
  readonly repositoriesRead?: {
    readonly read: number;
    readonly unchanged: number;
    readonly reread: number;
  };
  readonly refused?: readonly { readonly path: string; readonly reason: string }[];
  readonly decision?: { readonly id: string };
  /** The earlier decisions that an `undo` reverts. */
  readonly undone?: readonly { readonly id: string }[];
  readonly because?: string;
  /** The receipt id of an erasure. */
  readonly id?: string;
  readonly mentionedIn?: readonly string[];
}

/** @returns the outcome in words, the subject for the audit log, and the id of a recorded decision. */
export function describeReport(
  kind: RunKind,
  report: unknown,
): { readonly words: string; readonly subject?: string; readonly recorded?: string } {
  const given = (typeof report === "object" && report !== null ? report : {}) as Report;
  const { judged = 0, moved = 0, rows = 0 } = given;
  const [replaced, removed] = [given.replaced ?? 0, given.removed ?? 0].map(formatCount);
  const added = formatCounted(given.added ?? 0, "person", "people");
  const changes = `${added} added, ${replaced} replaced, ${removed} removed`;
  if (kind === "rescore") {
    const scored = formatCounted(judged, "person", "people");
    return { words: `${scored} scored; the score of ${formatCount(moved)} changed.` };
  }
  if (kind === "forget") {
    const lines = given.mentionedIn ?? [];
    const own = lines.length > 0 ? ` Your own files still tell of them: ${lines.join(", ")}.` : "";
    const words = `Forgotten: receipt ${given.id}, ${formatCounted(rows, "entry", "entries")} deleted.${own}`;
    return { words, ...(given.id !== undefined && { subject: given.id }) };
  }
  if (given.sources) return { words: `${formatCounted(given.sources, "source")} read.` };
  if (kind === "people") {
    return { words: `Facts added to ${added}, replaced for ${replaced}, removed from ${removed}.` };
  }
  if (kind === "merge" || kind === "split" || kind === "undo") {
    const [undone] = given.undone ?? [];
    const made = given.decision ?? undone;
    if (!made) return { words: `Nothing was recorded: ${given.because ?? "it is so already"}.` };
    const done = kind === "merge" ? "Merged" : "Split";
    const recorded = given.decision && { recorded: made.id };
    const words = `${given.decision ? done : "Earlier decision undone"}: ${changes}.`;
    return { words, subject: made.id, ...recorded };
  }
  const refused = given.refused ?? [];
  const leftOut = refused.slice(0, leftOutShown).map(({ path, reason }) => `${path}: ${reason}`);
  const some =
    refused.length > 0 ? ` ${formatCount(refused.length)} left out: ${leftOut.join(" ")}` : "";
  const isReading = kind === "ingest" || kind === "refresh";
  return { words: `${isReading ? describeReading(given) : ""}${changes}.${some}` };
}

function describeReading({ repositoriesRead, people = 0, repositories }: Report): string {
  if (repositoriesRead) {
    const { read, unchanged, reread } = repositoriesRead;
    return `${formatCounted(read + reread, "repository", "repositories")} read, ${formatCount(unchanged)} unchanged; `;
  }
  if (typeof repositories !== "number") return "";
  return `${formatCounted(people, "person", "people")} and ${formatCounted(repositories, "repository", "repositories")} read; `;
}

const leftOutShown = 5;

/** @param outcome the words of a run that is done. @returns whether it left something out. */
export const isIncomplete = (outcome: string): boolean => /(^| )[\d,]+ left out: /.test(outcome);
