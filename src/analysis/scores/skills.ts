import type { EvidenceKind } from "../../contract/people/facts.ts";
import type { Skill, Vocabulary } from "../../vocabulary/vocabulary.ts";
import type { EvidenceAsOf, FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import { type ComponentPart, type ScoreComponent, sumComponent } from "./component.ts";
import { interpolateUnitCurve } from "./curve.ts";
import { describeEvidence, type SkillEvidence } from "./evidence-texts.ts";
import { type ActiveMonths, raiseToMaximum, sumWeightedByRecency } from "./recency.ts";

/** A skill with evidence. */
export interface SkillScore {
  readonly skill: Skill;
  /** Whole, 1 to 100. */
  readonly strength: number;
  /** The strength that topics, READMEs and the bio alone would give, without any commit. */
  readonly wordsStrength: number;
  /** Own commits of the largest piece of evidence. */
  readonly commits: number;
  /**
   * Both without evidence from paths: a role counts paths separately, and one Dockerfile must not count
   * for it twice.
   */
  readonly besidesPaths: { readonly strength: number; readonly commits: number };
  /** Whether own commits went to the source code of it, or of a part of it. */
  readonly isAuthored: boolean;
  /** Strongest first. */
  readonly evidence: readonly string[];
}

/**
 * Scores every skill that has evidence, strongest first.
 *
 * Commits decide: recency-weighted own commits with the evidence, on the unit curve. Topics, READMEs
 * and the bio are not work, so they are capped. The strongest single source decides: nothing is counted twice.
 */
export function scoreSkills(
  counted: FactsAsOf,
  activeMonths: ActiveMonths,
  { vocabulary, model }: { readonly vocabulary: Vocabulary; readonly model: Model },
): SkillScore[] {
  const judged: SkillScore[] = [];
  const evidence = gather(counted, vocabulary);
  dropOtherNames(evidence, vocabulary);
  for (const gathered of evidence.values()) {
    const wordsStrength = strengthOfWords(gathered, model);
    const { skill, pieces } = gathered;
    const whole = { skill, pieces, wordsStrength };
    const others = pieces.filter(({ kind }) => kind !== "path");
    const { strength, commits } = strengthOf(whole, activeMonths, model);
    judged.push({
      skill,
      strength: Math.max(1, strength),
      wordsStrength,
      commits,
      besidesPaths: strengthOf({ ...whole, pieces: others }, activeMonths, model),
      isAuthored: pieces.some(({ kind }) => kind === "product"),
      evidence: describeEvidence(gathered),
    });
  }
  return judged.sort(strongestFirst);
}

/** A repository and the packages that it publishes under names like its own are one product: Flask, localstack-core. */
function dropOtherNames(evidence: Map<string, SkillEvidence>, { normalise }: Vocabulary): void {
  const made = [...evidence.values()].filter(({ pieces }) =>
    pieces.some(({ kind }) => kind === "product"),
  );
  const isOfRepository = ({ pieces }: SkillEvidence) =>
    pieces.some(({ kind, name }) => kind === "product" && name.startsWith("repository:"));
  for (const one of made) {
    if (!isProductName(one.skill)) continue;
    const name = normalise(one.skill.name);
    const isNamedAgain = made.some((other) => {
      const otherName = normalise(other.skill.name);
      if (other === one) return false;
      if (!isProductName(other.skill) && otherName === name) return true;
      if (isOfRepository(one) || !isOfRepository(other)) return false;
      return name.length >= sameBeginning && otherName.startsWith(name.slice(0, sameBeginning));
    });
    if (isNamedAgain) evidence.delete(one.skill.id);
  }
}

/** Letters at the beginning by which names of one project are recognised. */
const sameBeginning = 5;

/**
 * Whether the skill is only the name of a product, which the vocabulary does not know. It makes its authors findable,
 * and says nothing of what else they can do.
 */
export function isProductName({ id }: Skill): boolean {
  return id.startsWith("product:");
}

function strengthOf(
  of: Pick<SkillEvidence, "skill" | "pieces"> & { readonly wordsStrength: number },
  activeMonths: ActiveMonths,
  model: Model,
): { strength: number; commits: number } {
  const strength = Math.max(strengthOfCommits(of, activeMonths, model), of.wordsStrength);
  const commits = of.pieces.reduce((most, piece) => Math.max(most, piece.commits), 0);
  return { strength: Math.round(strength), commits };
}

const factorOf: Partial<Record<EvidenceKind, keyof Model["skills"]["factors"]>> = {
  import: "import",
  manifest: "manifest",
  language: "language",
  product: "product",
  // A file that only one tool reads is as good evidence as an entry in a manifest.
  path: "manifest",
};

function strengthOfCommits(
  { pieces, skill }: Pick<SkillEvidence, "skill" | "pieces">,
  activeMonths: ActiveMonths,
  model: Model,
): number {
  if (pieces.length === 0) return 0;
  let undated = 0;
  const amounts = new Float64Array(activeMonths.length);
  for (const piece of pieces) {
    const kind = factorOf[piece.kind];
    if (!kind) continue;
    const factor = model.skills.factors[kind];
    undated = Math.max(undated, piece.undated * factor);
    raiseToMaximum(amounts, piece.months, factor);
  }
  const weighted = sumWeightedByRecency(amounts, activeMonths, model);
  const commits = weighted + undated * model.recency.floor;
  return interpolateUnitCurve(commits, model.skills.medians[skill.type]);
}

function strengthOfWords(gathered: SkillEvidence, { skills }: Model): number {
  const topics = interpolateUnitCurve(gathered.topicRepositories.size, skills.topicMedian);
  let commits = 0;
  for (const readme of gathered.readmes) commits = Math.max(commits, readme.commits, 1);
  return Math.max(
    (topics / 100) * skills.caps.topic,
    (interpolateUnitCurve(commits, skills.readmeMedian) / 100) * skills.caps.readme,
    gathered.isInBio ? skills.caps.bio : 0,
  );
}

function gather(counted: FactsAsOf, vocabulary: Vocabulary): Map<string, SkillEvidence> {
  const found = new Map<string, SkillEvidence>();
  const of = (skill: Skill): SkillEvidence =>
    found.getOrInsertComputed(skill.id, () => ({
      skill,
      pieces: [],
      topicRepositories: new Set(),
      readmes: [],
      isInBio: false,
    }));
  for (const piece of counted.evidence) {
    const skill = skillOf(piece, vocabulary);
    if (!skill) continue;
    // Someone who works with S3 works with AWS, and must be found by either name.
    for (const one of [skill, ...vocabulary.broader(skill.id)]) {
      if (piece.kind === "readme") of(one).readmes.push(piece);
      else of(one).pieces.push(piece);
    }
  }
  for (const { name, owned, fork, commits, language, topics } of counted.repositories) {
    // A fork without own commits shows what its owner looked at, not what they can do.
    if (!owned || (fork && !commits)) continue;
    const main = language === undefined ? undefined : vocabulary.findLanguage(language);
    if (main) of(main).topicRepositories.add(name);
    for (const topic of topics ?? []) {
      const skill = vocabulary.topicSkill(topic);
      if (skill) of(skill).topicRepositories.add(name);
    }
  }
  const { bio } = counted.facts.profile;
  if (bio) for (const skill of vocabulary.textSkills(bio)) of(skill).isInBio = true;
  return found;
}

function skillOf(piece: EvidenceAsOf, vocabulary: Vocabulary): Skill | undefined {
  switch (piece.kind) {
    case "language":
      return vocabulary.findLanguage(piece.name);
    case "readme":
      return vocabulary.skillById(piece.name);
    case "import":
    case "manifest": {
      const colon = piece.name.indexOf(":");
      if (colon < 1) return undefined;
      return vocabulary.packageSkill(piece.name.slice(0, colon), piece.name.slice(colon + 1));
    }
    case "product":
      return vocabulary.productSkill(piece.name);
    case "path":
      return vocabulary.pathSkill(piece.name);
  }
}

function strongestFirst(a: SkillScore, b: SkillScore): number {
  // At full strength, the work behind it decides, and not the alphabet.
  return b.strength - a.strength || b.commits - a.commits || (a.skill.id < b.skill.id ? -1 : 1);
}

/**
 * Scores the tech stack, 50 % of the score: the strongest skills with falling weights, and a little for breadth.
 *
 * @param skills those that count for the role, strongest first.
 */
export function scoreTechStack(
  skills: readonly SkillScore[],
  { techStack }: Model,
): ScoreComponent {
  const parts: ComponentPart[] = techStack.fallingWeights.map((weight, at) => {
    const judged = skills[at];
    return {
      term: judged?.skill.name ?? "no further skill",
      value: judged?.strength ?? 0,
      weight,
      evidence: judged?.evidence ?? [],
    };
  });
  const strong = skills.filter(({ strength }) => strength >= techStack.breadthStrengthMin).length;
  parts.push({
    term: "breadth",
    value: interpolateUnitCurve(strong, techStack.breadthMedian),
    weight: techStack.breadthWeight,
    evidence: [`${strong} skills of strength ${techStack.breadthStrengthMin} or more`],
  });
  const { score, terms } = sumComponent(parts);
  return { score, terms: terms.filter(({ points }) => points > 0) };
}
