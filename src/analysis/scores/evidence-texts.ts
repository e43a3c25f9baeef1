import { formatCounted } from "../../contract/format.ts";
import type { Skill } from "../../vocabulary/vocabulary.ts";
import type { EvidenceAsOf } from "../facts-as-of.ts";

export interface SkillEvidence {
  readonly skill: Skill;
  readonly pieces: EvidenceAsOf[];
  readonly topicRepositories: Set<string>;
  readonly readmes: EvidenceAsOf[];
  isInBio: boolean;
}

const textsMax = 6;
const namesMax = 3;

/**
 * Describes the evidence for a skill in plain words, one line for each kind: what the person did most, the packages by which the
 * skill is known, then topics, READMEs and the bio.
 */
export function describeEvidence(gathered: SkillEvidence): string[] {
  const { skill, topicRepositories, readmes } = gathered;
  const { type } = skill;
  const isLines = ({ kind }: EvidenceAsOf) => type === "language" && kind === "language";
  const pieces = gathered.pieces.toSorted(
    (a, b) => Number(isLines(b)) - Number(isLines(a)) || mostWorkFirst(a, b),
  );
  const texts = [...Map.groupBy(pieces, ({ kind }) => kind).values()].flatMap(([most]) =>
    most ? [describePiece(most, skill)] : [],
  );
  const packages = new Set(pieces.flatMap(({ kind, name }) => (isPackage(kind, name) ? name : [])));
  if (packages.size > 0) texts.push(`packages ${listNames([...packages])}`);
  const topics = [...topicRepositories].sort();
  if (topics.length > 0) texts.push(`topic or main language of ${listNames(topics)}`);
  texts.push(...readmes.map((piece) => describePiece(piece, skill)));
  if (gathered.isInBio) texts.push("named in the bio");
  return texts.slice(0, textsMax);
}

/** Describes a piece of evidence for a role or a skill: `120 commits to ci files in acme/web, acme/shop`. */
export function describePiece(piece: EvidenceAsOf, skill?: Skill): string {
  const { kind, name, commits, lines, repositories } = piece;
  const counted = formatCounted(commits, "commit");
  const where = repositories.length > 0 ? ` in ${listNames(repositories)}` : "";
  switch (kind) {
    case "import":
      return `${counted} to files that use it${where}`;
    case "manifest":
      return `${counted} to manifests that name it${where}`;
    case "language": {
      const written = lines > 0 ? `${counted}, ${formatCounted(lines, "line")}` : counted;
      return `${written}${name === skill?.name ? "" : ` of ${name}`}${where}`;
    }
    case "path":
      return `${counted} to ${name} files${where}`;
    case "product": {
      const isAbout = /^(subject|claimed):/.test(name) || /domain|language/.test(skill?.type ?? "");
      const isBook = name.startsWith("book:");
      return `${counted} to ${isBook ? "a book about it" : isAbout ? "a project about it" : "its source code"}${where}`;
    }
    case "readme":
      return repositories.length > 0 ? `README of ${listNames(repositories)}` : "README";
  }
}

/** Orders pieces of evidence. Of pieces with equal numbers of commits, lines come first. */
function mostWorkFirst(a: EvidenceAsOf, b: EvidenceAsOf): number {
  return b.commits - a.commits || order[a.kind] - order[b.kind] || (a.name < b.name ? -1 : 1);
}

const order = { language: 0, import: 1, product: 2, manifest: 3, path: 4, readme: 5 } as const;

function isPackage(kind: EvidenceAsOf["kind"], name: string): boolean {
  if (kind === "product") return !/^(repository|subject|claimed|book):/.test(name);
  return kind === "import" || kind === "manifest";
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).join(", ");
  return names.length > namesMax ? `${shown} and ${names.length - namesMax} more` : shown;
}
