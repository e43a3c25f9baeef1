import type { Skill } from "../../vocabulary/vocabulary.ts";
import type { EvidenceAsOf } from "../facts-as-of.ts";

/** All evidence for one skill, by kind. */
export interface SkillEvidence {
  readonly skill: Skill;
  readonly pieces: EvidenceAsOf[];
  readonly topicRepositories: Set<string>;
  readonly readmes: EvidenceAsOf[];
  isInBio: boolean;
}

const textsMax = 5;
const repositoriesMax = 3;

/**
 * Describes the evidence for a skill in plain words. Commits come first, then topics, READMEs and the bio.
 * @param weigh returns the weight of a commit for a kind of evidence.
 */
export function describeEvidence(
  gathered: SkillEvidence,
  weigh: (kind: EvidenceAsOf["kind"]) => number,
): string[] {
  const texts: string[] = [];
  const { pieces } = gathered;
  const strongestFirst = (a: EvidenceAsOf, b: EvidenceAsOf) =>
    b.commits * weigh(b.kind) - a.commits * weigh(a.kind) ||
    order[a.kind] - order[b.kind] ||
    (a.name < b.name ? -1 : 1);
  const sorted = pieces.length > 1 ? [...pieces].sort(strongestFirst) : pieces;
  for (const piece of sorted.slice(0, textsMax)) texts.push(describeEvidencePiece(piece));
  if (texts.length === textsMax) return texts;
  const topics = [...gathered.topicRepositories].sort();
  if (topics.length > 0) texts.push(`topic or main language of ${places(topics, topics.length)}`);
  for (const { repositories } of gathered.readmes) {
    texts.push(repositories.length > 0 ? `README of ${places(repositories)}` : "README");
  }
  if (gathered.isInBio) texts.push("named in the bio");
  return texts.slice(0, textsMax);
}

/** Describes one piece of evidence: `120 commits to code that uses npm:react in acme/web, acme/shop`. */
export function describeEvidencePiece(piece: EvidenceAsOf): string {
  const commits = `${piece.commits} ${piece.commits === 1 ? "commit" : "commits"}`;
  const where = piece.repositories.length > 0 ? ` in ${places(piece.repositories)}` : "";
  switch (piece.kind) {
    case "import":
      return `${commits} to code that uses ${piece.name}${where}`;
    case "manifest":
      return `${commits} to the manifest entry of ${piece.name}${where}`;
    case "language": {
      const lines = piece.lines > 0 ? `, ${piece.lines} lines` : "";
      return `${commits}${lines} of ${piece.name}${where}`;
    }
    case "path":
      return `${commits} to ${piece.name} files${where}`;
    case "product":
      if (piece.name.startsWith("book:")) return `${commits} to a book that is about it${where}`;
      return piece.name.startsWith("subject:")
        ? `${commits} to source code that is about it${where}`
        : `${commits} to the source code of ${piece.name.replace(/^repository:/, "")}${where}`;
    case "readme":
      return `README of ${places(piece.repositories)}`;
  }
}

/** Breaks ties between pieces of evidence with equal weight. The lowest number comes first. */
const order = { import: 0, product: 1, manifest: 2, language: 3, path: 4, readme: 5 } as const;

function places(names: readonly string[], total = names.length): string {
  const shown = names.slice(0, repositoriesMax).join(", ");
  return total > repositoriesMax ? `${shown} and ${total - repositoriesMax} more` : shown;
}
