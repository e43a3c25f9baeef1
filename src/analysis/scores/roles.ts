import type { Term } from "../../contract/people/profile-analysis.ts";
import type { Role, Vocabulary } from "../../vocabulary/vocabulary.ts";
import type { FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import { sortTerms, toTerm } from "./component.ts";
import { interpolateUnitCurve } from "./curve.ts";
import { describeEvidencePiece } from "./evidence-texts.ts";
import { bothHalves, type Hint, halves, type Lexicon } from "./lexicon.ts";
import { type ActiveMonths, raiseToMaximum, sumWeightedByRecency } from "./recency.ts";
import type { SkillScore } from "./skills.ts";

export interface RoleScores {
  readonly role: Role;
  /** Whole, 1 to 100. */
  readonly match: number;
  /** The terms that add up to the match, largest first. */
  readonly terms: readonly Term[];
}

/** A piece of evidence for or against a role. */
interface Clue {
  readonly name: string;
  /** How strongly it is there, 0 to 1. */
  readonly presence: number;
  readonly logOdds: number;
  /** Why it speaks for the role. Clues that share a reason are not independent. */
  readonly reason: string;
  /** Of the role's own kind. */
  readonly isOwn: boolean;
  readonly evidence: readonly string[];
}

/**
 * Scores how well a developer fits each role, best first; roles without a match are left out.
 *
 * match = u(sum of log odds x presence, the role's median), for each role on its own; of the clues that share a
 * reason, each counts half as much as the one before. Clues that are not of the role's own kind only add, up to as much
 * again: pipelines alone make no DevOps engineer. Full stack is derived from its two halves. Leadership roles
 * come from a self-described title only: no commit shows them.
 */
export function scoreRoles(
  counted: FactsAsOf,
  skills: readonly SkillScore[],
  tools: {
    readonly vocabulary: Vocabulary;
    readonly model: Model;
    readonly lexicon: Lexicon;
    readonly activeMonths: ActiveMonths;
  },
): RoleScores[] {
  const { vocabulary, model } = tools;
  const clues = gatherClues(counted, skills, tools);
  addTitles(clues, counted, tools);
  const cap = commitsSeen(counted) < model.roles.commitsMin ? model.roles.thinCap : 100;
  const exact = new Map<string, number>();
  const judged: RoleScores[] = [];
  for (const role of vocabulary.roles) {
    if (role.id === bothHalves) continue;
    const ofRole = limitGeneral(
      discountRepeats(clues.get(role.id) ?? [], model.roles.sameReasonFactor),
    );
    const sum = sumOf(ofRole);
    const full = interpolateUnitCurve(
      sum,
      model.roles.medians[role.id] ?? model.roles.medianDefault,
    );
    exact.set(role.id, full);
    const match = Math.min(cap, Math.round(full));
    if (match > 0) judged.push({ role, match, terms: roleTerms(ofRole, sum, match) });
  }
  const whole = fullstack(vocabulary, exact, { cap, balance: model.roles.fullstackBalance });
  if (whole) judged.push(whole);
  return judged.sort((a, b) => b.match - a.match || (a.role.id < b.role.id ? -1 : 1));
}

/** A skill or a kind of file before it is weighed for a role. */
interface Sighting extends Pick<Clue, "name" | "evidence"> {
  /** 0 to 100. */
  readonly strength: number;
  /** What words alone give: they are no part of the work. */
  readonly wordsStrength: number;
  readonly isAuthored: boolean;
  /** Commits of all, and the share that counts whole. */
  readonly share: { readonly commits: number; readonly of: number; readonly full: number };
}

function gatherClues(
  counted: FactsAsOf,
  skills: readonly SkillScore[],
  tools: { lexicon: Lexicon; model: Model; activeMonths: ActiveMonths },
): Map<string, Clue[]> {
  const { lexicon, model, activeMonths } = tools;
  const clues = new Map<string, Clue[]>();
  const add = (hints: readonly Hint[] | undefined, { share, ...of }: Sighting) => {
    for (const { role, logOdds, reason, isShared, ...hint } of hints ?? []) {
      const isOwn = hint.isOwn || (of.isAuthored && logOdds >= model.roles.authorLogOddsMin);
      const full = isShared ? model.roles.sharedWorkFull : share.full;
      const { name, evidence } = of;
      // Who wrote a tool put more into its field than those who use it.
      const weight = of.isAuthored && logOdds > 0 ? logOdds * model.roles.authorFactor : logOdds;
      const strength = Math.max(of.strength * shareOf({ ...share, full }), of.wordsStrength);
      addClue(clues, role, {
        ...{ name, presence: strength / 100, logOdds: weight, reason, isOwn, evidence },
      });
    }
  };
  const seen = commitsSeen(counted);
  for (const { skill, besidesPaths, evidence, ...of } of skills) {
    const { strength, commits } = besidesPaths;
    if (strength <= 0) continue;
    const full =
      skill.type === "language" ? model.roles.languageShareFull : model.roles.skillShareFull;
    const share = { commits, of: seen, full };
    add(lexicon.ofSkill.get(skill.id), { ...of, name: skill.name, strength, share, evidence });
  }
  const paths = Map.groupBy(
    counted.evidence.filter(({ kind, name }) => kind === "path" && lexicon.ofPath.has(name)),
    ({ name }) => name,
  );
  for (const [name, pieces] of paths) {
    const amounts = new Float64Array(activeMonths.length);
    let undated = 0;
    let most = 0;
    for (const piece of pieces) {
      raiseToMaximum(amounts, piece.months, 1);
      undated = Math.max(undated, piece.undated);
      most = Math.max(most, piece.commits);
    }
    const weighted = sumWeightedByRecency(amounts, activeMonths, model);
    const commits = weighted + undated * model.recency.floor;
    const strength = interpolateUnitCurve(commits, model.roles.pathMedian);
    const share = { commits: most, of: seen, full: model.roles.pathShareFull };
    add(lexicon.ofPath.get(name), {
      name: `${name} files`,
      strength,
      wordsStrength: 0,
      isAuthored: false,
      share,
      evidence: pieces.map(describeEvidencePiece),
    });
  }
  return clues;
}

/** Everyone edits some tests, documents and pipelines: they count by their share of all commits. */
function shareOf({ commits, of, full }: Sighting["share"]): number {
  return of > 0 ? Math.min(1, commits / of / full) : 0;
}

function addTitles(
  clues: Map<string, Clue[]>,
  counted: FactsAsOf,
  { vocabulary, model }: { vocabulary: Vocabulary; model: Model },
): void {
  const named = new Map<string, { role: Role; where: string }>();
  const { bio, company } = counted.facts.profile;
  for (const [where, text] of [
    ["bio", bio],
    ["company line", company],
  ] as const) {
    if (!text) continue;
    for (const role of vocabulary.titleRoles(text)) {
      if (!named.has(role.id)) named.set(role.id, { role, where });
    }
  }
  for (const { role, where } of named.values()) {
    const isLeadership = role.kind === "leadership";
    addClue(clues, role.id, {
      name: "self-described title",
      presence: 1,
      logOdds: isLeadership ? model.roles.leadershipLogOdds : model.roles.titleLogOdds,
      reason: "says so",
      isOwn: true,
      evidence: [`${role.displayName} by the ${where}`],
    });
  }
}

function addClue(clues: Map<string, Clue[]>, role: string, clue: Clue): void {
  clues.getOrInsertComputed(role, () => []).push(clue);
}

/** React, Redux and Next.js together say little more than React alone: further clues of the same reason count less. */
function discountRepeats(clues: readonly Clue[], factor: number): Clue[] {
  const weigh = ({ presence, logOdds }: Clue) => presence * Math.abs(logOdds);
  const seen = new Map<string, number>();
  return [...clues]
    .sort((a, b) => weigh(b) - weigh(a) || (a.name < b.name ? -1 : 1))
    .map((clue) => {
      const before = seen.get(clue.reason) ?? 0;
      seen.set(clue.reason, before + 1);
      return { ...clue, logOdds: clue.logOdds * factor ** before };
    });
}

/** What speaks for many roles speaks for this one at most as much as its own kind does. */
function limitGeneral(clues: readonly Clue[]): readonly Clue[] {
  const isGeneral = ({ isOwn, logOdds }: Clue) => !isOwn && logOdds > 0;
  const own = sumOf(clues.filter(({ isOwn }) => isOwn));
  const general = sumOf(clues.filter(isGeneral));
  if (general <= own) return clues;
  return clues.map((clue) =>
    isGeneral(clue) ? { ...clue, logOdds: (clue.logOdds * own) / general } : clue,
  );
}

function sumOf(clues: readonly Clue[]): number {
  return clues.reduce((sum, { presence, logOdds }) => sum + presence * logOdds, 0);
}

/** The match is on a curve and not a sum, so it is divided among the clues in proportion. */
function roleTerms(clues: readonly Clue[], sum: number, match: number): Term[] {
  return clues
    .map(({ name, presence, logOdds, reason, evidence }) =>
      toTerm({
        term: name,
        value: 100 * presence,
        share: (match * logOdds) / sum / 100,
        evidence: [reason, ...evidence],
      }),
    )
    .sort(sortTerms);
}

/** The weaker half counts, raised a little: for someone good at both halves, full stack is the better description. */
function fullstack(
  vocabulary: Vocabulary,
  exact: ReadonlyMap<string, number>,
  { cap, balance }: { cap: number; balance: number },
): RoleScores | undefined {
  const role = vocabulary.roles.find(({ id }) => id === bothHalves);
  const values = halves.map((half) => exact.get(half) ?? 0);
  const match = Math.min(cap, 100, Math.round(balance * Math.min(...values)));
  if (!role || match <= 0) return undefined;
  const terms = halves.map((half, at) => {
    const value = values[at] ?? 0;
    const share = match / halves.length / value;
    return toTerm({ term: `${half} half`, value, share, evidence: [`match ${Math.round(value)}`] });
  });
  return { role, match, terms: terms.sort(sortTerms) };
}

/** Without commit facts, the largest piece of evidence gives a lower bound. */
function commitsSeen({ commits: counted, evidence }: FactsAsOf): number {
  if (counted) return counted.total;
  return evidence.reduce((most, { commits }) => Math.max(most, commits), 0);
}
