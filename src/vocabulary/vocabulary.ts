/** Skills, languages and roles with their names and aliases. Data only: the same answers in every process. */
export interface Vocabulary {
  /** Exact normalised name or alias (`k8s`, `golang`, `reactjs`); languages are skills of type language. */
  findSkill(text: string): Skill | undefined;
  findLanguage(text: string): Skill | undefined;
  findRole(text: string): Role | undefined;
  skillById(id: string): Skill | undefined;
  readonly skills: readonly Skill[];
  readonly roles: readonly Role[];
  /** The skill an ecosystem's package stands for: ("npm", "react-dom") is React. */
  packageSkill(ecosystem: string, name: string): Skill | undefined;
  /** The skill a repository topic stands for. */
  topicSkill(topic: string): Skill | undefined;
  /** Skills named in free text (bio, README); never the short ambiguous names. */
  textSkills(text: string): readonly Skill[];
  /** A leadership or technical role that a self-described title names (bio, company line). */
  titleRoles(text: string): readonly Role[];
  /** Path classes of a file, e.g. `ci`, `dockerfile`, `terraform`, `ios`, `test`, `docs`, `notebook`: evidence for roles. */
  pathClasses(path: string): readonly string[];
  /** How much a piece of evidence speaks for a role, in log odds, and why. */
  roleLexicon(role: string): readonly LexiconEntry[];
  /** Normalised form of a name: what aliases are compared in. */
  normalise(text: string): string;
  /** Words for unknown skills: normalised, split, without stop words. */
  words(text: string): readonly string[];
  /** Names similar to a text, for completion and "did you mean"; MiniSearch. */
  suggest(text: string, kind: "skill" | "language" | "role"): readonly string[];
}

export type SkillType = "language" | "framework" | "library" | "platform" | "tool" | "domain";

export interface Skill {
  /** Canonical, lower case, stable: `react`, `kubernetes`, `c++`. */
  readonly id: string;
  readonly name: string;
  readonly type: SkillType;
  readonly aliases: readonly string[];
}

export interface Role {
  readonly id: string;
  readonly displayName: string;
  readonly aliases: readonly string[];
  readonly kind: "technical" | "leadership" | "derived";
}

export interface LexiconEntry {
  readonly kind: "skill" | "language" | "path";
  readonly name: string;
  /** Log odds: positive speaks for the role. */
  readonly weight: number;
  readonly reason: string;
}
