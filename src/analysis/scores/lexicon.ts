import type { Role, Vocabulary } from "../../vocabulary/vocabulary.ts";

/** What each concept and path class says about roles, indexed so that a piece of evidence takes one look-up. */
export interface Lexicon {
  /** By skill or language id. */
  readonly ofSkill: ReadonlyMap<string, readonly Hint[]>;
  readonly ofPath: ReadonlyMap<string, readonly Hint[]>;
  /** Skills that count for a role's tech stack; for a role without any, all skills count. */
  readonly relevant: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface Hint {
  readonly role: string;
  readonly logOdds: number;
  readonly reason: string;
  readonly isOwn: boolean;
  readonly isShared: boolean;
}

export const halves = ["frontend", "backend"] as const;
export const bothHalves = "fullstack";

/** Indexes the vocabulary's lexicon once, for all developers. */
export function readLexicon(vocabulary: Vocabulary): Lexicon {
  const ofSkill = new Map<string, Hint[]>();
  const ofPath = new Map<string, Hint[]>();
  const relevant = new Map<string, Set<string>>();
  for (const { id } of vocabulary.roles) {
    const skills = new Set<string>();
    for (const { kind, name, weight, reason, isOwn, isShared } of vocabulary.roleLexicon(id)) {
      const hint = { role: id, logOdds: weight, reason, isOwn, isShared };
      if (kind === "path") ofPath.getOrInsertComputed(name, () => []).push(hint);
      else {
        const found = kind === "language" ? vocabulary.findLanguage(name) : undefined;
        const skill = found ?? vocabulary.skillById(name) ?? vocabulary.findSkill(name);
        if (!skill) continue;
        ofSkill.getOrInsertComputed(skill.id, () => []).push(hint);
        if (weight > 0) skills.add(skill.id);
      }
    }
    relevant.set(id, skills);
  }
  const whole = new Set(halves.flatMap((half) => [...(relevant.get(half) ?? [])]));
  if (whole.size > 0) relevant.set(bothHalves, whole);
  return { ofSkill, ofPath, relevant };
}

export function isRelevant(lexicon: Lexicon, role: Role["id"], skill: string): boolean {
  const skills = lexicon.relevant.get(role);
  return !skills || skills.size === 0 || skills.has(skill);
}
