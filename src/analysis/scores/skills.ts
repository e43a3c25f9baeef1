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
   * What speaks for a role: how far the skill is there, 0 to 100 on the unit curve, and the commits. Both without evidence from
   * paths, since a role counts paths separately, and one Dockerfile must not count for it twice; and without books, since who writes
   * about compilers need not write one.
   */
  readonly forRoles: { readonly presence: number; readonly commits: number };
  /** Whether own commits went to the source code of it, or of a part of it. */
  readonly isAuthored: boolean;
  /** Whether a role has the skill, which is then as strong as the role's match. */
  readonly isOfRole: boolean;
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
  readonly fading: FadingWeights;
}

/**
 * Scores every skill that has evidence, strongest first.
 *
 * Commits decide: recency-weighted own commits with the evidence, on the open curve. Topics, READMEs
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

/** The strengths of the same skills, largest first, when only a share of each month's commits counts. */
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
 * A repository and the packages that it publishes under names like its own are one product: Flask, localstack-core. And whose
 * other work shows the known skill of a product's name have that one alone. Their product is taken for the tool of that name, but
 * never for a language or a field, whose names anybody gives to a repository.
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

/** Letters at the beginning by which names of one project are recognised. */
const sameBeginning = 5;

/**
 * Whether the skill is only the name of a product, which the vocabulary does not know. It makes its authors findable,
 * and says nothing of what else they can do.
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

/** The strongest piece of evidence decides. */
function strengthOfOne(of: StrengthBasis, by: CountedBy): number {
  return Math.round(Math.max(strengthOfCommits(of, by), of.wordsStrength));
}

/**
 * Two kinds of evidence decide together, since one alone is a tool that somebody uses. Source code of a project that is about the
 * field is work in it.
 */
function strengthOfField(of: StrengthBasis, by: CountedBy): number {
  const strengths = [of.wordsStrength];
  // Words are capped by themselves.
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

/** An import and the manifest that names the package are one kind of evidence. */
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
  // A file that only one tool reads is as good evidence as an entry in a manifest.
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

/** @returns commits with the evidence, each with the factor of its kind and the share that has not faded. */
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
 * How far imports count: by the share of one's changed lines that are in files which use the packages, in the repositories that
 * have them; so work elsewhere takes nothing away. Whole where lines are unknown.
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
    // A fork without own commits shows what its owner looked at, not what they can do.
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
  // At full strength, the work behind it decides, and not the alphabet.
  return b.strength - a.strength || b.commits - a.commits || (a.skill.id < b.skill.id ? -1 : 1);
}
