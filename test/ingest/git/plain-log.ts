/**
 * A naive counter of commits, written from docs/ingest.md alone. It asks plain `git log`, and shares no code with what it checks.
 *
 * What it leaves out: who is who beyond `.mailmap` (it takes people as they are shown, by address), commits whose date cannot be
 * read, contents that make a file generated, missing objects, notes, merges' own lines, trailers but `Co-authored-by`.
 */
import { run } from "./invented-repository.ts";

interface PlainCommit {
  readonly sha: string;
  readonly isMerge: boolean;
  readonly name: string;
  readonly address: string;
  /** Seconds since 1970, of the author and of the committer. */
  readonly at: number;
  readonly committedAt: number;
  readonly message: string;
  /** As `git log --numstat` lists them. */
  readonly files: readonly string[];
  /** The same without changes of white space. */
  readonly solidFiles: readonly string[];
}

export interface PlainRepository {
  readonly name: string;
  readonly commits: readonly PlainCommit[];
}

/** Whether a commit counts, as far as it can be told from outside. */
export interface Verdict {
  readonly counts: "yes" | "no" | "perhaps";
  readonly reason?: string;
}

export interface PlainShare {
  readonly repository: string;
  readonly commit: PlainCommit;
  readonly counts: "yes" | "perhaps";
}

/** Bounds; both are the same where everything can be told. */
export interface PlainCount {
  readonly least: number;
  readonly most: number;
  /** Days of the first and of the last commit: the earliest that it may be, and the latest. */
  readonly first: readonly (string | undefined)[];
  readonly last: readonly (string | undefined)[];
}

const dailyLimit = 5;
const day = 86_400;

export function readPlainLog(path: string, name: string): PlainRepository {
  const format = "--format=%x01%H%x02%P%x02%aN%x02%aE%x02%at%x02%ct%x02%B%x03";
  const solid = new Map(
    splitLog(path, "--format=%x01%H%x03", "-w", "--ignore-blank-lines").map(([head, files]) => [
      head,
      files.filter((file) => !file.startsWith("0\t0\t")),
    ]),
  );
  const commits = splitLog(path, format).map(([head, files]): PlainCommit => {
    const [sha = "", parents = "", author = "", address = "", at, committedAt, message = ""] =
      head.split("\x02");
    return {
      ...{ sha, name: author, address: address.toLowerCase(), message, files },
      ...{ at: Number(at), committedAt: Number(committedAt), isMerge: parents.includes(" ") },
      solidFiles: solid.get(sha) ?? [],
    };
  });
  return { name, commits };
}

function splitLog(path: string, ...args: string[]): readonly (readonly [string, string[]])[] {
  const log = run(path, ["log", "--numstat", "--no-renames", ...args, "HEAD"]).toString();
  return log
    .split("\x01")
    .slice(1)
    .map((text) => {
      const [head = "", files = ""] = text.split("\x03");
      return [head, files.split("\n").filter(Boolean)] as const;
    });
}

export function formatDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** By the table "What does not count" of docs/ingest.md, but for what other commits and people decide. */
export function judgeCommit(commit: PlainCommit, asOf: string): Verdict {
  const { at, committedAt, message, files, solidFiles } = commit;
  const no = (reason: string): Verdict => ({ counts: "no", reason });
  if (commit.isMerge) return no("merge");
  if (formatDay(at) > asOf) return no("future");
  if (at > committedAt + day || at < committedAt - 10 * 365.25 * day) return no("disordered");
  if (/^This reverts commit [0-9a-f]{7,}/m.test(message)) return no("revert");
  if (/^revert\b/i.test(message)) return { counts: "perhaps" };
  if (files.length === 0) return no("empty");
  const paths = files.map((file) => file.split("\t")[2] ?? "");
  if (paths.every((path) => /(^|\/)(node_modules|vendor)\//.test(path))) return no("vendored");
  if (paths.every((path) => /(^|\/)(package-lock\.json|yarn\.lock)$/.test(path)))
    return no("generated");
  if (solidFiles.length === 0) return no("whitespace");
  return { counts: solidFiles.some(isSurelySource) ? "yes" : "perhaps" };
}

/** A text of people, in a folder where nobody keeps what others or machines wrote. */
function isSurelySource(file: string): boolean {
  const [added = "", , path = ""] = file.split("	");
  const foreign =
    /vendor|third|modules|dist|build|deps|extern|generated|fixture|data|cassette|public|asset|min\.|contrib/i;
  const isText =
    /\.(c|cc|cpp|h|js|ts|py|rb|go|rs|java|kt|cs|ex|exs|hs|ml|mli|lua|pl|pm|erl|jl|php|tf|md|rst|ya?ml|toml)$/;
  return added !== "-" && isText.test(path) && !foreign.test(path);
}

/**
 * The commits that count, each once: in the repository with most commits of those that have it (ties: the first by name).
 * @param isExact whether the histories hold only what `judgeCommit` can tell; else what may be a copy is left open.
 */
export function shareCommits(
  repositories: readonly PlainRepository[],
  asOf: string,
  isExact: boolean,
): { readonly shares: readonly PlainShare[]; readonly excluded: ReadonlyMap<string, number> } {
  const shares: PlainShare[] = [];
  const excluded = new Map<string, number>();
  const known = new Set<string>();
  const byRank = [...repositories].sort(
    (a, b) => b.commits.length - a.commits.length || (a.name < b.name ? -1 : 1),
  );
  for (const { name: repository, commits } of byRank) {
    const exclude = (reason: string) => {
      const key = `${repository} ${reason}`;
      excluded.set(key, (excluded.get(key) ?? 0) + 1);
    };
    const own = new Set<string>();
    // Oldest first: of two copies the earlier one counts.
    for (const commit of [...commits].reverse()) {
      const { counts, reason = "" } = judgeCommit(commit, asOf);
      const key = identifyChange(commit, isExact);
      const isCopy = known.has(key) || own.has(key);
      if (isExact && known.has(commit.sha)) exclude("elsewhere");
      else if (
        counts === "no" &&
        (isExact ? !(isCopy && isOfContent(reason)) : !isUncertain(reason))
      )
        exclude(reason);
      else if (isCopy) {
        exclude("duplicate");
        if (!isExact) shares.push({ repository, commit, counts: "perhaps" });
      } else shares.push({ repository, commit, counts: counts === "yes" ? "yes" : "perhaps" });
      if (!commit.isMerge) own.add(key);
    }
    for (const key of own) known.add(key);
    for (const { sha } of commits) known.add(sha);
  }
  return { shares, excluded };
}

/** A copy of such a commit is called a copy. */
function isOfContent(reason: string): boolean {
  return reason === "empty" || isUncertain(reason);
}

/** Judged by git's own view of white space, or by the language of a file. */
function isUncertain(reason: string): boolean {
  return ["whitespace", "generated", "vendored"].includes(reason);
}

/** The same author, date, first line and changed lines. */
function identifyChange({ address, name, at, message, files }: PlainCommit, isExact: boolean) {
  const lines = isExact ? files.join(" ") : "";
  return [address, name, at, message.split("\n")[0], lines].join("\n");
}

/** Counts at most five commits of a day in each repository. */
export function countShares(shares: readonly PlainShare[]): PlainCount {
  const days = Map.groupBy(
    shares,
    ({ repository, commit }) => `${repository} ${formatDay(commit.at)}`,
  );
  const parts = [...days.values()].map((some) => {
    const sure = some.filter(({ counts }) => counts === "yes").length;
    return [Math.min(dailyLimit, sure), Math.min(dailyLimit, some.length)] as const;
  });
  const daysOf = (some: readonly PlainShare[]) =>
    some.map(({ commit }) => formatDay(commit.at)).sort();
  const sure = daysOf(shares.filter(({ counts }) => counts === "yes"));
  const all = daysOf(shares);
  return {
    least: parts.reduce((sum, [least]) => sum + least, 0),
    most: parts.reduce((sum, [, most]) => sum + most, 0),
    first: [all[0], sure[0] ?? all.at(-1)],
    last: [sure.at(-1) ?? all[0], all.at(-1)],
  };
}

/** Who is named on `Co-authored-by` lines. */
export function listCoAuthors({ message }: PlainCommit) {
  return [...message.matchAll(/^Co-authored-by: ([^<>\n]*) <([^<>\n]+)>\s*$/gim)].map(
    ([, name = "", address = ""]) => ({ name, address: address.toLowerCase() }),
  );
}
