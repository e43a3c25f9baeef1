import type { EvidenceKind } from "../../contract/people/facts.ts";
import type { Skill, Vocabulary } from "../../vocabulary/vocabulary.ts";
import type { EvidenceAsOf, FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import { type ComponentPart, type ScoreComponent, sumComponent } from "./component.ts";
import { interpolateUnitCurve } from "./curve.ts";
import { describeEvidence, type SkillEvidence } from "./evidence-texts.ts";
import type { Lexicon } from "./lexicon.ts";
import {
  type ActiveMonths,
  type KeptShares,
  raiseToMaximum,
  startAmounts,
  sumWeightedByRecency,
} from "./recency.ts";

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
  /** Evidence from commits. */
  readonly pieces: readonly EvidenceAsOf[];
  /** Strongest first. */
  readonly evidence: readonly string[];
}

/** What scores are made of, beside the facts. */
export interface Tools {
  readonly vocabulary: Vocabulary;
  readonly model: Model;
  readonly lexicon: Lexicon;
  readonly activeMonths: ActiveMonths;
}

/**
 * Scores every skill that has evidence, strongest first.
 *
 * Commits decide: recency-weighted own commits with the evidence, on the unit curve. Topics, READMEs
 * and the bio are not work, so they are capped. The strongest single source decides: nothing is counted twice.
 */
export function scoreSkills(counted: FactsAsOf, tools: Tools): SkillScore[] {
  const judged: SkillScore[] = [];
  const evidence = gather(counted, tools);
  dropOtherNames(evidence, tools.vocabulary);
  for (const gathered of evidence.values()) {
    const { skill, pieces } = gathered;
    const wordsStrength = strengthOfWords(gathered, tools.model);
    const whole = { skill, pieces, wordsStrength };
    const others = pieces.filter(({ kind }) => kind !== "path");
    const { strength, commits } = strengthOf(whole, tools);
    judged.push({
      skill,
      strength: Math.max(1, strength),
      wordsStrength,
      commits,
      besidesPaths:
        others.length === pieces.length
          ? { strength, commits }
          : strengthOf({ ...whole, pieces: others }, tools),
      isAuthored: pieces.some(isProduct),
      pieces,
      evidence: describeEvidence(gathered),
    });
  }
  return judged.sort(strongestFirst);
}

/** The strengths of the same skills, largest first, when only a share of each month's commits counts. */
export function scaleSkills(
  skills: readonly SkillScore[],
  kept: KeptShares,
  tools: Tools,
): readonly number[] {
  return skills
    .map((skill) => Math.max(1, strengthOf(skill, { ...tools, kept }).strength))
    .sort((a, b) => b - a);
}

const isProduct = ({ kind }: EvidenceAsOf) => kind === "product";

/** A repository and the packages that it publishes under names like its own are one product: Flask, localstack-core. */
function dropOtherNames(evidence: Map<string, SkillEvidence>, { normalise }: Vocabulary): void {
  const made = [...evidence.values()].filter(({ pieces }) => pieces.some(isProduct));
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

interface CountedBy extends Pick<Tools, "activeMonths" | "model"> {
  readonly kept?: KeptShares;
}

function strengthOf(
  of: Pick<SkillScore, "skill" | "pieces" | "wordsStrength">,
  by: CountedBy,
): { strength: number; commits: number } {
  const strength = Math.max(strengthOfCommits(of, by), of.wordsStrength);
  let commits = 0;
  for (const piece of of.pieces) commits = Math.max(commits, piece.commits);
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
  { pieces, skill }: Pick<SkillScore, "skill" | "pieces">,
  { activeMonths, model, kept }: CountedBy,
): number {
  if (pieces.length === 0) return 0;
  let undated = 0;
  const amounts = startAmounts();
  for (const piece of pieces) {
    const kind = factorOf[piece.kind];
    if (!kind) continue;
    const factor = model.skills.factors[kind];
    undated = Math.max(undated, piece.undated * factor);
    raiseToMaximum(amounts, piece.months, { factor, kept });
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

function gather(counted: FactsAsOf, { vocabulary, lexicon }: Tools): Map<string, SkillEvidence> {
  const found = new Map<string, SkillEvidence>();
  const of = (skill: Skill): SkillEvidence => {
    const known = found.get(skill.id);
    if (known) return known;
    const none = { pieces: [], topicRepositories: new Set<string>(), readmes: [] };
    const made: SkillEvidence = { skill, ...none, isInBio: false };
    found.set(skill.id, made);
    return made;
  };
  for (const piece of counted.evidence) {
    for (const skill of lexicon.skillsOf(piece)) {
      if (piece.kind === "readme") of(skill).readmes.push(piece);
      else of(skill).pieces.push(piece);
    }
  }
  for (const { name, owned, fork, commits, language, topics } of counted.repositories) {
    // A fork without own commits shows what its owner looked at, not what they can do.
    if (!owned || (fork && !commits)) continue;
    const [main] =
      language === undefined ? [] : lexicon.skillsOf({ kind: "language", name: language });
    if (main) of(main).topicRepositories.add(name);
    for (const topic of topics ?? []) {
      const skill = lexicon.topicSkill(topic);
      if (skill) of(skill).topicRepositories.add(name);
    }
  }
  const { bio } = counted.facts.profile;
  if (bio) for (const skill of vocabulary.textSkills(bio)) of(skill).isInBio = true;
  return found;
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
export function scoreTechStack(skills: readonly SkillScore[], model: Model): ScoreComponent {
  const strengths = skills.map(({ strength }) => strength);
  const { score } = sumComponent(techStackParts(strengths, model));
  return {
    score,
    listTerms: () =>
      sumComponent(techStackParts(strengths, model, skills))
        .listTerms()
        .filter(({ points }) => points > 0),
  };
}

/** The score that skills of these strengths make, strongest first. */
export function scoreStrengths(strengths: readonly number[], model: Model): number {
  return sumComponent(techStackParts(strengths, model)).score;
}

/** @param named without them, only the score is right. */
function techStackParts(
  strengths: readonly number[],
  { techStack }: Model,
  named: readonly SkillScore[] = [],
): ComponentPart[] {
  const parts: ComponentPart[] = techStack.fallingWeights.map((weight, at) => ({
    term: named[at]?.skill.name ?? "no further skill",
    value: strengths[at] ?? 0,
    weight,
    evidence: named[at]?.evidence ?? [],
  }));
  let strong = 0;
  for (const strength of strengths) if (strength >= techStack.breadthStrengthMin) strong++;
  parts.push({
    term: "breadth",
    value: interpolateUnitCurve(strong, techStack.breadthMedian),
    weight: techStack.breadthWeight,
    evidence: [`${strong} skills of strength ${techStack.breadthStrengthMin} or more`],
  });
  return parts;
}
