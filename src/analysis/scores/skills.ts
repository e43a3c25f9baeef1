import type { EvidenceKind } from "../../contract/people/facts.ts";
import type { Skill, Vocabulary } from "../../vocabulary/vocabulary.ts";
import type { EvidenceAsOf, FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import { interpolateOpenCurve, interpolateUnitCurve } from "./curve.ts";
import { describeEvidence, type SkillEvidence } from "./evidence-texts.ts";
import type { Lexicon } from "./lexicon.ts";
import {
  type ActiveMonths,
  type CountingShares,
  type FadingWeights,
  raiseToMaximum,
  startAmounts,
  sumWeightedByRecency,
} from "./recency.ts";

export interface SkillScore {
  readonly skill: Skill;
  /** A whole number from 1 to 100. */
  readonly strength: number;
  /** The strength that topics, READMEs and the bio give without any commit. */
  readonly wordsStrength: number;
  /** The most that the strength can be. */
  readonly cap: number;
  /** The person's commits in the largest piece of evidence. */
  readonly commits: number;
  /**
   * The evidence that counts for roles. `presence` is from 0 to 100. Paths are left out, because roles count paths separately.
   * Books are left out, because writing about compilers is not building compilers.
   */
  readonly forRoles: { readonly presence: number; readonly commits: number };
  /** Whether the person changed the source code of the tool itself, or of a part of it. */
  readonly isAuthored: boolean;
  /** Whether the skill follows from a role. Its strength is then the role's match. */
  readonly isOfRole: boolean;
  readonly pieces: readonly EvidenceAsOf[];
  /** The evidence in words: what the person did most comes first. */
  readonly evidence: readonly string[];
}

/** The model, the vocabulary, and the tables that are prepared for scoring. */
export interface Tools {
  readonly vocabulary: Vocabulary;
  readonly model: Model;
  readonly lexicon: Lexicon;
  readonly activeMonths: ActiveMonths;
  readonly fading: FadingWeights;
}

/**
 * Scores every skill that has evidence, strongest first. Recent commits count most. Topics, READMEs and the bio are not work, so
 * their part is capped. The strongest source decides.
 */
export function scoreSkills(counted: FactsAsOf, tools: Tools): SkillScore[] {
  const judged: SkillScore[] = [];
  const evidence = gather(counted, tools);
  dropOtherNames(evidence, tools.vocabulary);
  for (const gathered of evidence.values()) {
    const { skill, pieces } = gathered;
    const wordsStrength = strengthOfWords(gathered, tools.model);
    const whole = { skill, pieces, wordsStrength };
    const others = pieces.filter((piece) => piece.kind !== "path" && !isOfBook(piece));
    const presence = interpolateUnitCurve(weighCommits(others, tools), medianOf(skill, tools));
    judged.push({
      skill,
      strength: Math.max(1, strengthOf(whole, tools)),
      wordsStrength,
      commits: countMost(pieces),
      forRoles: {
        presence: Math.round(Math.max(presence, wordsStrength)),
        commits: countMost(others),
      },
      cap: 100,
      isAuthored: pieces.some(isProduct),
      isOfRole: false,
      pieces,
      evidence: describeEvidence(gathered),
    });
  }
  return capClaims(judged.sort(compareSkills), tools.model).sort(compareSkills);
}

/** Puts what only a README claims below the strongest skills that files bear out. @param skills the strongest first. */
function capClaims(skills: readonly SkillScore[], model: Model): SkillScore[] {
  const isClaimed = ({ pieces }: SkillScore) => pieces.length > 0 && pieces.every(isClaim);
  const shown = skills.filter((skill) => !isClaimed(skill)).slice(0, model.skills.claimsAfter);
  const cap = Math.max(1, (shown.at(-1)?.strength ?? 101) - 1);
  return skills.map((skill) =>
    isClaimed(skill)
      ? {
          ...{ ...skill, cap, strength: Math.min(cap, skill.strength) },
          forRoles: { ...skill.forRoles, presence: Math.round(skill.forRoles.presence / 2) },
        }
      : skill,
  );
}

/** Scores the skills as if only a share of each month's commits counted, strongest first. */
export function scaleSkills(skills: readonly SkillScore[], counting: CountingShares, tools: Tools) {
  return skills
    .map((skill) => {
      if (skill.isOfRole) return skill;
      const strength = Math.min(skill.cap, strengthOf(skill, { ...tools, counting }));
      return { ...skill, strength: Math.max(1, strength) };
    })
    .sort(compareSkills);
}

const isOfBook = ({ name }: EvidenceAsOf) => name.startsWith("book:");
const isClaim = ({ name }: EvidenceAsOf) => name.startsWith("claimed:");
const isProduct = (piece: EvidenceAsOf) => piece.kind === "product" && !isOfBook(piece);

/**
 * Removes further names of one project. If the person has a known skill of a product's name, only the known skill remains. A
 * package that its repository defines is the project itself, under another name: `localstack-core` in the repository localstack.
 */
function dropOtherNames(
  evidence: Map<string, SkillEvidence>,
  { normalise, findSkill }: Vocabulary,
): void {
  const made = [...evidence.values()].filter(({ pieces }) => pieces.some(isProduct));
  for (const one of made) {
    if (!isProductName(one.skill)) continue;
    const name = normalise(one.skill.name);
    const known = evidence.get(findSkill(one.skill.name)?.id ?? "");
    if (known && normalise(known.skill.name) === name) {
      if (!["language", "domain"].includes(known.skill.type)) known.pieces.push(...one.pieces);
      evidence.delete(one.skill.id);
      continue;
    }
    const isOfRepository = listPlaces(one, "repository:").length > 0;
    const others = made.filter(
      (other) =>
        other !== one &&
        (isOfRepository
          ? isKnown(other.skill) && other.skill.name.split(" ").map(normalise).includes(name)
          : listPlaces(other, "repository:").length > 0),
    );
    const places = new Set(others.flatMap((other) => listPlaces(other)));
    const own = listPlaces(one);
    if (own.length > 0 && own.every((place) => places.has(place))) evidence.delete(one.skill.id);
  }
}

/** Lists the repositories of a person's work on products whose name begins with the mark. */
function listPlaces({ pieces }: SkillEvidence, mark = ""): readonly string[] {
  const products = pieces.filter((piece) => isProduct(piece) && piece.name.startsWith(mark));
  return products.flatMap(({ repositories }) => repositories);
}

const isKnown = (skill: Skill) => !isProductName(skill) && skill.type !== "domain";

/** Whether the skill is only a product's name, which the vocabulary does not know. */
export function isProductName({ id }: Skill): boolean {
  return id.startsWith("product:");
}

interface CountedBy extends Pick<Tools, "activeMonths" | "fading" | "model" | "vocabulary"> {
  readonly counting?: CountingShares;
}

type StrengthBasis = Pick<SkillScore, "skill" | "pieces" | "wordsStrength">;

/** Computes the strength of a skill. The strongest evidence decides, except for a field. Plumbing counts whole for its authors. */
function strengthOf(of: StrengthBasis, by: CountedBy): number {
  const { isField, isPlumbing } = by.vocabulary;
  if (isField(of.skill.id)) return strengthOfField(of, by);
  const isUsed = isPlumbing(of.skill.id) && !of.pieces.some(isProduct);
  const factor = isUsed ? by.model.skills.plumbingFactor : 1;
  return Math.round(Math.max(strengthOfCommits(of, by) * factor, of.wordsStrength));
}

/**
 * Computes the strength of a field. Two kinds of evidence are needed, because one kind may be just a tool in use. Source code of
 * a project about the field is enough alone.
 */
function strengthOfField(of: StrengthBasis, by: CountedBy): number {
  const strengths = [of.wordsStrength];
  // `wordsStrength` has been capped before.
  let own = of.wordsStrength;
  // An import and a manifest entry count as one kind.
  const toGroup = ({ kind }: EvidenceAsOf) => (kind === "manifest" ? "import" : kind);
  for (const [group, pieces] of Map.groupBy(of.pieces, toGroup)) {
    const strength = strengthOfCommits({ ...of, pieces }, by);
    strengths.push(strength);
    if (group === "product") own = Math.max(own, strength);
  }
  const [first = 0, second = 0] = strengths.sort((a, b) => b - a);
  const alone = Math.min(first, by.model.skills.oneKindCap);
  return Math.round(Math.max(own, alone, Math.sqrt(first * second)));
}

function countMost(pieces: readonly EvidenceAsOf[]): number {
  return pieces.reduce((most, { commits }) => Math.max(most, commits), 0);
}

function factorFor(kind: EvidenceKind, { skills: { factors } }: Model): number {
  if (kind === "readme") return 0;
  // A file that only one tool reads is as good evidence as a manifest entry.
  return factors[kind === "path" ? "manifest" : kind];
}

function strengthOfCommits({ pieces, skill }: StrengthBasis, by: CountedBy): number {
  return interpolateOpenCurve(weighCommits(pieces, by), medianOf(skill, by));
}

function medianOf({ type }: Skill, { model }: Pick<CountedBy, "model">): number {
  return model.skills.medians[type];
}

/** Sums the commits with evidence for a skill. Old commits and weak kinds of evidence count less. */
function weighCommits(
  pieces: readonly EvidenceAsOf[],
  { activeMonths, fading, model, counting }: CountedBy,
): number {
  if (pieces.length === 0) return 0;
  let undated = 0;
  const share = shareOfImports(pieces, model);
  const amounts = startAmounts(activeMonths);
  for (const piece of pieces) {
    const factor = factorFor(piece.kind, model) * (piece.kind === "import" ? share : 1);
    if (factor === 0) continue;
    undated = Math.max(undated, piece.undated * factor);
    raiseToMaximum(amounts, piece.months, { factor, counting });
  }
  const weighted = sumWeightedByRecency(amounts, { activeMonths, fading, model });
  return weighted + undated * model.recency.floor;
}

/**
 * Computes the share of the person's changed lines that are in files with these imports. Only repositories that use the packages
 * count. If the lines are unknown, the result is 1.
 */
function shareOfImports(pieces: readonly EvidenceAsOf[], { skills }: Model): number {
  let [lines, all] = [0, 0];
  for (const piece of pieces) {
    if (piece.kind !== "import") continue;
    lines += piece.lines;
    all = Math.max(all, piece.linesAround);
  }
  return lines === 0 || all === 0 ? 1 : Math.min(1, lines / all / skills.importShareFull);
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
  const of = (skill: Skill): SkillEvidence =>
    found.getOrInsertComputed(skill.id, () => ({
      ...{ skill, pieces: [], topicRepositories: new Set(), readmes: [], isInBio: false },
    }));
  for (const piece of counted.evidence) {
    for (const skill of lexicon.skillsOf(piece)) {
      if (piece.kind === "readme") of(skill).readmes.push(piece);
      else of(skill).pieces.push(piece);
      // The authors of a language build a compiler.
      const isLanguage = piece.name.toLowerCase() === `repository:${skill.name.toLowerCase()}`;
      const compilers =
        isLanguage && skill.type === "language" && vocabulary.skillById("compilers");
      if (compilers) of(compilers).pieces.push(piece);
    }
  }
  for (const { name, owned, fork, commits, language, topics } of counted.repositories) {
    // A fork without own commits shows an interest, not a skill.
    if (!owned || (fork && !commits)) continue;
    const [main] =
      language === undefined ? [] : lexicon.skillsOf({ kind: "language", name: language });
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

/**
 * Lists skills by the work on them, for texts that name a few: the main language, then the skills with most commits. Leaves out
 * skills that a search finds by words alone, or not at all.
 */
export function listByWork(skills: readonly SkillScore[], { skills: model }: Model): SkillScore[] {
  const worked = skills
    .filter(
      ({ commits, strength, wordsStrength }) =>
        commits > 0 && strength >= Math.max(model.matchStrengthMin, wordsStrength + 1),
    )
    .sort((a, b) => b.commits - a.commits || compareSkills(a, b));
  const inLanguage = ({ pieces }: SkillScore) =>
    countMost(pieces.filter(({ kind, lines }) => kind === "language" && lines > 0));
  const most = Math.max(...worked.map(inLanguage));
  const main = most > 0 ? worked.find((skill) => inLanguage(skill) === most) : undefined;
  return main ? [main, ...worked.filter((skill) => skill !== main)] : worked;
}

export function compareSkills(a: SkillScore, b: SkillScore): number {
  // Of equally strong skills, the skill with more commits comes first.
  return b.strength - a.strength || b.commits - a.commits || (a.skill.id < b.skill.id ? -1 : 1);
}
