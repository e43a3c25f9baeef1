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

/** A skill for which a person has evidence. */
export interface SkillScore {
  readonly skill: Skill;
  /** A whole number from 1 to 100. */
  readonly strength: number;
  /** The strength that topics, READMEs and the bio alone would give, without any commit. */
  readonly wordsStrength: number;
  /** The person's commits in the largest piece of evidence. */
  readonly commits: number;
  /**
   * The evidence of the skill that counts for roles: its presence, 0 to 100 on the unit curve, and its commits. Leaves out paths,
   * which roles count separately, so that one Dockerfile does not count twice. Leaves out books, since writing about compilers is
   * not building them.
   */
  readonly forRoles: { readonly presence: number; readonly commits: number };
  /** Whether the person changed the source code of the tool itself, or of a part of it. */
  readonly isAuthored: boolean;
  /** Whether the skill follows from a role. Its strength is then the role's match. */
  readonly isOfRole: boolean;
  /** The pieces of evidence that come from commits. */
  readonly pieces: readonly EvidenceAsOf[];
  /** The evidence in words, strongest first. */
  readonly evidence: readonly string[];
}

/** What scoring needs besides the facts: the model, the vocabulary and tables prepared from them. */
export interface Tools {
  readonly vocabulary: Vocabulary;
  readonly model: Model;
  readonly lexicon: Lexicon;
  readonly activeMonths: ActiveMonths;
  readonly fading: FadingWeights;
}

/**
 * Scores every skill that has evidence, strongest first.
 * Strength comes from commits, weighted by recency, on the open curve. Topics, READMEs and the bio are not work, so their part is
 * capped. The strongest single source decides, so nothing is counted twice.
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
      isAuthored: pieces.some(isProduct),
      isOfRole: false,
      pieces,
      evidence: describeEvidence(gathered, (kind) => factorFor(kind, tools.model)),
    });
  }
  return judged.sort(compareSkills);
}

/** Computes how strong the skills would be if only a share of each month's commits counted. @returns strengths, largest first. */
export function scaleSkills(
  skills: readonly SkillScore[],
  counting: CountingShares,
  tools: Tools,
): readonly number[] {
  return skills
    .map((skill) =>
      skill.isOfRole ? skill.strength : Math.max(1, strengthOf(skill, { ...tools, counting })),
    )
    .sort((a, b) => b - a);
}

const isOfBook = ({ name }: EvidenceAsOf) => name.startsWith("book:");
const isProduct = (piece: EvidenceAsOf) => piece.kind === "product" && !isOfBook(piece);

/**
 * Removes duplicate names of one product. A repository and the packages it publishes under similar names are one product, such as
 * localstack-core. If the person also has the known skill of the same name, only that skill remains. The product then counts as
 * evidence for it, unless the skill is a language or a field: anybody may name a repository like those.
 */
function dropOtherNames(
  evidence: Map<string, SkillEvidence>,
  { normalise, findSkill }: Vocabulary,
): void {
  const made = [...evidence.values()].filter(({ pieces }) => pieces.some(isProduct));
  const isOfRepository = ({ pieces }: SkillEvidence) =>
    pieces.some(({ kind, name }) => kind === "product" && name.startsWith("repository:"));
  for (const one of made) {
    if (!isProductName(one.skill)) continue;
    const name = normalise(one.skill.name);
    const known = evidence.get(findSkill(one.skill.name)?.id ?? "");
    if (known && normalise(known.skill.name) === name) {
      if (!["language", "domain"].includes(known.skill.type)) known.pieces.push(...one.pieces);
      evidence.delete(one.skill.id);
      continue;
    }
    const isNamedAgain = made.some((other) => {
      const otherName = normalise(other.skill.name);
      if (other === one) return false;
      if (isOfRepository(one) || !isOfRepository(other)) return false;
      return name.length >= sameBeginning && otherName.startsWith(name.slice(0, sameBeginning));
    });
    if (isNamedAgain) evidence.delete(one.skill.id);
  }
}

/** Names of packages that share this many first letters count as names of one project. */
const sameBeginning = 5;

/**
 * Whether the skill is only the name of a product that the vocabulary does not know. Search can find the product's authors by it.
 * It says nothing about their other skills.
 */
export function isProductName({ id }: Skill): boolean {
  return id.startsWith("product:");
}

interface CountedBy extends Pick<Tools, "activeMonths" | "fading" | "model" | "vocabulary"> {
  readonly counting?: CountingShares;
}

type StrengthBasis = Pick<SkillScore, "skill" | "pieces" | "wordsStrength">;

function strengthOf(of: StrengthBasis, by: CountedBy): number {
  return by.vocabulary.isField(of.skill.id) ? strengthOfField(of, by) : strengthOfOne(of, by);
}

/** Computes the strength of an ordinary skill: the strongest piece of evidence decides. */
function strengthOfOne(of: StrengthBasis, by: CountedBy): number {
  return Math.round(Math.max(strengthOfCommits(of, by), of.wordsStrength));
}

/**
 * Computes the strength of a field. Two kinds of evidence decide together, since one kind alone may be just a tool in use. Source
 * code of a project about the field decides alone.
 */
function strengthOfField(of: StrengthBasis, by: CountedBy): number {
  const strengths = [of.wordsStrength];
  // `wordsStrength` is already capped.
  let own = of.wordsStrength;
  for (const [group, pieces] of Map.groupBy(of.pieces, toKindOfEvidence)) {
    const strength = strengthOfCommits({ ...of, pieces }, by);
    strengths.push(strength);
    if (group === "product") own = Math.max(own, strength);
  }
  const [first = 0, second = 0] = strengths.sort((a, b) => b - a);
  const alone = Math.min(first, by.model.skills.oneKindCap);
  return Math.round(Math.max(own, alone, Math.sqrt(first * second)));
}

/** Maps a piece to its kind of evidence. An import and the manifest entry of the same package count as one kind. */
function toKindOfEvidence({ kind }: EvidenceAsOf): EvidenceKind {
  return kind === "manifest" ? "import" : kind;
}

function countMost(pieces: readonly EvidenceAsOf[]): number {
  let commits = 0;
  for (const piece of pieces) commits = Math.max(commits, piece.commits);
  return commits;
}

const factorOf: Partial<Record<EvidenceKind, keyof Model["skills"]["factors"]>> = {
  import: "import",
  manifest: "manifest",
  language: "language",
  product: "product",
  // A file that only one tool reads is as good evidence as a manifest entry.
  path: "manifest",
};

function factorFor(kind: EvidenceKind, { skills }: Model): number {
  const name = factorOf[kind];
  return name === undefined ? 0 : skills.factors[name];
}

function strengthOfCommits({ pieces, skill }: StrengthBasis, by: CountedBy): number {
  return interpolateOpenCurve(weighCommits(pieces, by), medianOf(skill, by));
}

function medianOf({ type }: Skill, { model }: Pick<CountedBy, "model">): number {
  return model.skills.medians[type];
}

/** Sums commits with evidence for a skill, weighted by the kind of evidence and by how far the skill has faded since. */
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
 * Computes how much imports count: the share of the person's changed lines that are in files importing the packages. Only
 * repositories with these packages matter, so work elsewhere does not lower the share. 1 where lines are unknown.
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

export function compareSkills(a: SkillScore, b: SkillScore): number {
  // Among equally strong skills, the one with more commits comes first.
  return b.strength - a.strength || b.commits - a.commits || (a.skill.id < b.skill.id ? -1 : 1);
}
