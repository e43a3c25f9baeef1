import type { LexiconEntry, Role, Skill, Vocabulary } from "../../vocabulary/vocabulary.ts";
import type { EvidenceAsOf } from "../facts-as-of.ts";

export type Lexicon = ReturnType<typeof readLexicon>;

export interface Hint extends Omit<LexiconEntry, "kind" | "name" | "weight"> {
  readonly role: string;
  readonly logOdds: number;
}

export const halves = ["frontend", "backend"] as const;
export const bothHalves = "fullstack";

/** Prepares look-up tables of what each skill and path class says about roles. */
export function readLexicon(vocabulary: Vocabulary) {
  /** The hints of each skill or language, by id. */
  const ofSkill = new Map<string, Hint[]>();
  const ofPath = new Map<string, Hint[]>();
  /** The skills that count for a role's tech stack. For a role without an entry, all skills count. */
  const relevant = new Map<string, ReadonlySet<string>>();
  const languagesOf = new Map<string, Set<string>>();
  for (const { id } of vocabulary.roles) {
    const skills = new Set<string>();
    for (const { kind, name, weight, ...rest } of vocabulary.roleLexicon(id)) {
      const hint = { role: id, logOdds: weight, ...rest };
      if (kind === "path") ofPath.getOrInsertComputed(name, () => []).push(hint);
      else {
        const found = kind === "language" ? vocabulary.findLanguage(name) : undefined;
        const skill = found ?? vocabulary.skillById(name) ?? vocabulary.findSkill(name);
        if (!skill) continue;
        ofSkill.getOrInsertComputed(skill.id, () => []).push(hint);
        if (weight <= 0) continue;
        skills.add(skill.id);
        if (kind === "language") languagesOf.getOrInsertComputed(id, () => new Set()).add(skill.id);
      }
    }
    relevant.set(id, skills);
  }
  const cached = new Map<string, readonly Skill[]>();
  const whole = new Set(halves.flatMap((half) => [...(relevant.get(half) ?? [])]));
  if (whole.size > 0) relevant.set(bothHalves, whole);
  return {
    ...{ ofSkill, ofPath, relevant, languagesOf },
    /** Lists the skills that a piece of evidence shows. Evidence of S3 also shows AWS. */
    skillsOf(piece: Pick<EvidenceAsOf, "kind" | "name">): readonly Skill[] {
      // Without the cache, look-ups would take a third of an analysis.
      if (cached.size >= cachedMax) cached.clear();
      return cached.getOrInsertComputed(`${piece.kind} ${piece.name}`, () => {
        const skill = findSkill(piece, vocabulary);
        return skill ? [skill, ...vocabulary.broader(skill.id)] : [];
      });
    },
  };
}

const cachedMax = 50_000;

function findSkill({ kind, name }: Pick<EvidenceAsOf, "kind" | "name">, vocabulary: Vocabulary) {
  switch (kind) {
    case "language":
      return vocabulary.findLanguage(name);
    case "readme":
      return vocabulary.skillById(name);
    case "import":
    case "manifest": {
      const colon = name.indexOf(":");
      if (colon < 1) return undefined;
      return vocabulary.packageSkill(name.slice(0, colon), name.slice(colon + 1));
    }
    case "product":
      return vocabulary.productSkill(name);
    case "path":
      return vocabulary.pathSkill(name);
  }
}

export function isRelevant(lexicon: Lexicon, role: Role["id"], skill: string): boolean {
  const skills = lexicon.relevant.get(role);
  return !skills || skills.size === 0 || skills.has(skill);
}
