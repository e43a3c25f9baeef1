import type { Role, Skill, Vocabulary } from "../../vocabulary/vocabulary.ts";
import type { EvidenceAsOf } from "../facts-as-of.ts";

/** What each concept and path class says about roles, indexed so that a piece of evidence takes one look-up. */
export interface Lexicon {
  /** By skill or language id. */
  readonly ofSkill: ReadonlyMap<string, readonly Hint[]>;
  readonly ofPath: ReadonlyMap<string, readonly Hint[]>;
  /** Skills that count for a role's tech stack; for a role without any, all skills count. */
  readonly relevant: ReadonlyMap<string, ReadonlySet<string>>;
  /** The skill that a piece is evidence for, and those that include it: who works with S3 works with AWS. */
  skillsOf(piece: Pick<EvidenceAsOf, "kind" | "name">): readonly Skill[];
  topicSkill(topic: string): Skill | undefined;
  topicWords(topic: string): readonly string[];
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
  const findAll = (kind: EvidenceAsOf["kind"]) =>
    remember((name): readonly Skill[] => {
      const skill = findSkill({ kind, name }, vocabulary);
      return skill ? [skill, ...vocabulary.broader(skill.id)] : [];
    });
  const finders = {
    ...{ language: findAll("language"), readme: findAll("readme"), import: findAll("import") },
    ...{ manifest: findAll("manifest"), product: findAll("product"), path: findAll("path") },
  };
  return {
    ...{ ofSkill, ofPath, relevant },
    skillsOf: ({ kind, name }) => finders[kind](name),
    topicSkill: remember((topic) => vocabulary.topicSkill(topic)),
    topicWords: remember((topic) => vocabulary.words(topic)),
  };
}

/** What many people have in common, languages, packages and topics, is looked up once. */
const namesMax = 20_000;

function remember<Found>(find: (name: string) => Found): (name: string) => Found {
  const known = new Map<string, Found>();
  return (name) => {
    if (known.size >= namesMax) known.clear();
    return known.getOrInsertComputed(name, find);
  };
}

function findSkill(
  { kind, name }: Pick<EvidenceAsOf, "kind" | "name">,
  vocabulary: Vocabulary,
): Skill | undefined {
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
