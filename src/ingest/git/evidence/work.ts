/** What one counted commit is evidence of: languages by lines, kinds of path, packages touched. */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { FileKind } from "../../linguist/linguist.ts";
import { countEvidence, type Tally } from "../commits/tally.ts";
import type { LoggedCommit } from "../log/log.ts";
import type { followRenames } from "./packages.ts";

export interface Work {
  readonly commit: LoggedCommit;
  /** Of the commit's files, in their order. */
  readonly kinds: readonly FileKind[];
  /** UTC days since 1970. */
  readonly day: number;
  readonly touched: ReturnType<typeof followRenames>;
  readonly vocabulary: Pick<Vocabulary, "pathClasses">;
}

export function countWork(tally: Tally, work: Work): void {
  const { commit, kinds, day, touched, vocabulary } = work;
  for (const [name, lines] of linesByLanguage(commit, kinds)) {
    countEvidence(tally, { kind: "language", name, lines }, day);
  }
  const classes = new Set<string>();
  for (const { path } of commit.files) {
    for (const name of vocabulary.pathClasses(path)) classes.add(name);
  }
  for (const name of classes) countEvidence(tally, { kind: "path", name }, day);
  for (const piece of touched(commit.files)) countEvidence(tally, piece, day);
}

/** Lines changed of one commit that count at most, over all its languages; source: analysis.md. */
const linesMax = 1000;

function linesByLanguage(
  commit: LoggedCommit,
  kinds: readonly FileKind[],
): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let total = 0;
  for (const [at, file] of commit.files.entries()) {
    const kind = kinds[at];
    if (!kind?.language || !kind.counts || !file.regular) continue;
    if (kind.vendored || kind.generated || kind.documentation) continue;
    const changed = file.added + file.deleted;
    lines.set(kind.language, (lines.get(kind.language) ?? 0) + changed);
    total += changed;
  }
  if (total > linesMax) {
    for (const [name, count] of lines) lines.set(name, Math.round((count * linesMax) / total));
  }
  return lines;
}

const manifest =
  /(^|\/)(package\.json|requirements[^/]*\.txt|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|mix\.exs|pubspec\.yaml|CHANGELOG[^/]*)$/i;

/** Nothing but what a dependency update touches: for telling bots by behaviour. */
export function isRoutine(commit: LoggedCommit, kinds: readonly FileKind[]): boolean {
  return (
    commit.files.length > 0 &&
    commit.files.every(({ path }, at) => kinds[at]?.generated || manifest.test(path))
  );
}
