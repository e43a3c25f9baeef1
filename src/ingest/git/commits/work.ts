/** What one counted commit is evidence of: languages by lines, kinds of path, packages touched. */

import type { EvidenceFile } from "../repository/evidence-files.ts";
import type { PathMeaning } from "../repository/newest-tree.ts";
import type { KeptFile } from "./kept-commit.ts";
import { countEvidence, type Tally } from "./tally.ts";

interface Work {
  readonly files: readonly KeptFile[];
  /** Of the files, in their order. */
  readonly meanings: readonly PathMeaning[];
  /** `ecosystem:package` that it added to manifests. */
  readonly added: readonly string[];
  /** UTC days since 1970. */
  readonly day: number;
}

export function countWork(tally: Tally, { files, meanings, added, day }: Work): void {
  for (const [name, lines] of linesByLanguage(files, meanings)) {
    countEvidence(tally, { kind: "language", name, lines }, day);
  }
  const classes = new Set<string>();
  const packages = new Map<string, { kind: EvidenceFile["kind"]; name: string }>();
  for (const name of added) packages.set(`manifest ${name}`, { kind: "manifest", name });
  for (const { classes: ofPath, evidenceFile } of meanings) {
    for (const name of ofPath) classes.add(name);
    if (!evidenceFile) continue;
    const { kind, names } = evidenceFile;
    for (const name of names) packages.set(`${kind} ${name}`, { kind, name });
  }
  for (const name of classes) countEvidence(tally, { kind: "path", name }, day);
  for (const piece of packages.values()) countEvidence(tally, piece, day);
}

/** Lines changed of one commit that count at most, over all its languages; docs/scoring.md, "Languages". */
const linesMax = 1000;

function linesByLanguage(
  files: readonly KeptFile[],
  meanings: readonly PathMeaning[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let total = 0;
  for (const [at, { lines, regular }] of files.entries()) {
    const kind = meanings[at]?.kind;
    if (!kind?.language || !kind.counts || !regular) continue;
    if (kind.vendored || kind.generated || kind.documentation) continue;
    found.set(kind.language, (found.get(kind.language) ?? 0) + lines);
    total += lines;
  }
  if (total > linesMax) {
    for (const [name, count] of found) found.set(name, Math.round((count * linesMax) / total));
  }
  return found;
}

const manifest =
  /(^|\/)(package\.json|requirements[^/]*\.txt|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|mix\.exs|pubspec\.yaml|CHANGELOG[^/]*)$/i;

/** What a dependency update touches beside lock files: for telling bots by behaviour. */
export function isManifest(path: string): boolean {
  return manifest.test(path);
}
