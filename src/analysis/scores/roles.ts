import type { Term } from "../../contract/people/profile-analysis.ts";
import type { Role, Vocabulary } from "../../vocabulary/vocabulary.ts";
import type { EvidenceAsOf, FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import { sortTerms, toTerm } from "./component.ts";
import { interpolateUnitCurve } from "./curve.ts";
import { describePiece } from "./evidence-texts.ts";
import { bothHalves, type Hint, halves } from "./lexicon.ts";
import { raiseToMaximum, startAmounts, sumWeightedByRecency } from "./recency.ts";
import type { SkillScore, Tools } from "./skills.ts";

export interface RoleScores {
  readonly role: Role;
  /** A whole number from 1 to 100. */
  readonly match: number;
  /** Lists the terms that add up to the match, largest first. */
  listTerms(): readonly Term[];
}

interface Clue {
  readonly name: string;
  /** How strong the evidence is, from 0 to 1. */
  readonly presence: number;
  readonly logOdds: number;
  /** Why the evidence speaks for the role. Clues with the same reason are not independent. */
  readonly reason: string;
  /** Whether the clue is typical of this role, rather than of many roles. */
  readonly isOwn: boolean;
  readonly evidence: readonly string[];
}

/**
 * Scores how well a developer fits each role, best first. Roles without a match are left out. The match grows with the log odds
 * and the presence of the clues. Of clues with the same reason, each counts half as much as the clue before. Clues that many
 * roles share add at most as much as the typical clues of the role: pipelines alone make no DevOps engineer. Leadership comes
 * only from a title in the profile, because no commit shows it.
 */
export function scoreRoles(
  counted: FactsAsOf,
  skills: readonly SkillScore[],
  tools: Tools,
): RoleScores[] {
  const { vocabulary, model } = tools;
  const clues = gatherClues(counted, skills, tools);
  addTitles(clues, counted, tools);
  const cap = commitsSeen(counted) < model.roles.commitsMin ? model.roles.thinCap : 100;
  const exact = new Map<string, number>();
  const judged: RoleScores[] = [];
  for (const role of vocabulary.roles) {
    if (role.id === bothHalves) continue;
    const ofRole = clues.get(role.id);
    if (!ofRole) continue;
    const weighed = weighClues(ofRole, model.roles.sameReasonFactor);
    const median = model.roles.medians[role.id] ?? model.roles.medianDefault;
    const full = interpolateUnitCurve(weighed.sum, median);
    exact.set(role.id, full);
    const match = Math.min(cap, Math.round(full));
    if (match > 0) judged.push({ role, match, listTerms: () => roleTerms(weighed, match) });
  }
  const whole = fullstack(tools, exact, cap);
  if (whole) judged.push(whole);
  return judged.sort((a, b) => b.match - a.match || (a.role.id < b.role.id ? -1 : 1));
}

/** The evidence for a skill or a kind of file. */
interface Sighting
  extends Pick<Clue, "name" | "evidence">,
    Pick<SkillScore, "strength" | "wordsStrength" | "isAuthored"> {
  /** `commits` out of `of` commits are of this kind. From the share `full` on, the evidence counts in full. */
  readonly share: { readonly commits: number; readonly of: number; readonly full: number };
}

function gatherClues(
  counted: FactsAsOf,
  skills: readonly SkillScore[],
  tools: Pick<Tools, "lexicon" | "model" | "activeMonths" | "fading">,
): Map<string, Clue[]> {
  const { lexicon, model } = tools;
  const clues = new Map<string, Clue[]>();
  const { authorLogOddsMin, sharedWorkFull, authorFactor } = model.roles;
  const written = listWritten(skills);
  const add = (hints: readonly Hint[] | undefined, of: Sighting) => {
    const { name, evidence, isAuthored, share } = of;
    for (const { role, logOdds, reason, isShared, isSpoken, isOwn: isOfRole } of hints ?? []) {
      const isOwn =
        (isOfRole || (isAuthored && logOdds >= authorLogOddsMin)) &&
        !(isSpoken && written?.isDisjointFrom(lexicon.languagesOf.get(role) ?? written));
      const full = isShared ? sharedWorkFull : share.full;
      // Authors of a tool know its field better than its users do.
      const weight = isAuthored && logOdds > 0 ? logOdds * authorFactor : logOdds;
      const strength = Math.max(of.strength * shareOf(share, full), of.wordsStrength);
      const presence = strength / 100;
      addClue(clues, role, { name, presence, logOdds: weight, reason, isOwn, evidence });
    }
  };
  const seen = commitsSeen(counted);
  for (const { skill, forRoles, evidence, wordsStrength, ...score } of skills) {
    // Authors of a language build compilers. They need not write in it.
    const isAuthored = score.isAuthored && skill.type !== "language";
    const { presence: strength, commits } = forRoles;
    const hints = lexicon.ofSkill.get(skill.id);
    if (strength <= 0 || !hints) continue;
    const full =
      skill.type === "language" ? model.roles.languageShareFull : model.roles.skillShareFull;
    const share = { commits, of: seen, full };
    const { name } = skill;
    add(hints, { name, strength, wordsStrength, isAuthored, share, evidence });
  }
  const isClue = ({ kind, name }: EvidenceAsOf) => kind === "path" && lexicon.ofPath.has(name);
  const paths = Map.groupBy(counted.evidence.filter(isClue), ({ name }) => name);
  for (const [name, pieces] of paths) {
    const amounts = startAmounts(tools.activeMonths);
    for (const piece of pieces) raiseToMaximum(amounts, piece.months, { factor: 1 });
    const undated = Math.max(...pieces.map((piece) => piece.undated));
    const most = Math.max(...pieces.map((piece) => piece.commits));
    const weighted = sumWeightedByRecency(amounts, tools);
    const commits = weighted + undated * model.recency.floor;
    const strength = interpolateUnitCurve(commits, model.roles.pathMedian);
    const share = { commits: most, of: seen, full: model.roles.pathShareFull };
    add(lexicon.ofPath.get(name), {
      name: `${name} files`,
      strength,
      wordsStrength: 0,
      isAuthored: false,
      share,
      evidence: pieces.map((piece) => describePiece(piece)),
    });
  }
  return clues;
}

/** Lists the languages that a person mostly writes: those with a third of the commits of the first. */
function listWritten(skills: readonly SkillScore[]): ReadonlySet<string> | undefined {
  const languages = skills.filter(({ skill }) => skill.type === "language");
  const least = Math.max(...languages.map(({ commits }) => commits)) / 3;
  const written = languages.filter(({ commits }) => commits >= least);
  return written.length > 0 ? new Set(written.map(({ skill }) => skill.id)) : undefined;
}

/** Weights evidence by its share of all commits, because everyone edits some tests and documents. */
function shareOf({ commits, of }: Sighting["share"], full: number): number {
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
    for (const role of text ? vocabulary.titleRoles(text) : []) {
      named.getOrInsert(role.id, { role, where });
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

/** Weighs a role's clues. @returns the clues, strongest first, with their log odds and the weighted sum. */
function weighClues(unsorted: readonly Clue[], factor: number) {
  const clues = [...unsorted].sort(strongestFirst);
  const discounted = discountRepeats(clues, factor);
  const logOdds = limitGeneral(clues, discounted);
  const sum = clues.reduce((all, { presence }, at) => all + presence * (logOdds[at] ?? 0), 0);
  return { clues, logOdds, sum };
}

function strongestFirst(a: Clue, b: Clue): number {
  const difference = b.presence * Math.abs(b.logOdds) - a.presence * Math.abs(a.logOdds);
  return difference || (a.name < b.name ? -1 : 1);
}

/** Lowers the log odds of clues with the same reason. React, Redux and Next.js together say little more than React alone. */
function discountRepeats(clues: readonly Clue[], factor: number): readonly number[] {
  const seen = new Map<string, number>();
  return clues.map(({ reason, logOdds }) => {
    const before = seen.get(reason) ?? 0;
    seen.set(reason, before + 1);
    return logOdds * factor ** before;
  });
}

/** Limits evidence that many roles share. It adds at most as much as the evidence that is typical of this role. */
function limitGeneral(clues: readonly Clue[], logOdds: readonly number[]): readonly number[] {
  let own = 0;
  let general = 0;
  for (const [at, { isOwn, presence }] of clues.entries()) {
    const odds = logOdds[at] ?? 0;
    if (isOwn) own += presence * odds;
    else if (odds > 0) general += presence * odds;
  }
  if (general <= own) return logOdds;
  return logOdds.map((odds, at) => (clues[at]?.isOwn || odds <= 0 ? odds : (odds * own) / general));
}

/** Divides the match among the clues in proportion to their weight. */
function roleTerms({ clues, logOdds, sum }: ReturnType<typeof weighClues>, match: number): Term[] {
  return clues
    .map(({ name, presence, reason, evidence }, at) =>
      toTerm({
        term: name,
        value: 100 * presence,
        share: (match * (logOdds[at] ?? 0)) / sum / 100,
        evidence: [reason, ...evidence],
      }),
    )
    .sort(sortTerms);
}

/** Scores full stack by the weaker of front end and back end, slightly raised. */
function fullstack(
  { vocabulary, model }: Pick<Tools, "vocabulary" | "model">,
  exact: ReadonlyMap<string, number>,
  cap: number,
): RoleScores | undefined {
  const role = vocabulary.roles.find(({ id }) => id === bothHalves);
  const values = halves.map((half) => exact.get(half) ?? 0);
  const weaker = Math.min(...values);
  // Full stack is raised only if both halves match well.
  const balance = weaker < model.skills.fieldRoleMin ? 1 : model.roles.fullstackBalance;
  const match = Math.min(cap, Math.round(balance * weaker));
  if (!role || match <= 0) return undefined;
  const listTerms = () =>
    halves
      .map((half, at) => ({ term: `${half} half`, value: values[at] ?? 0 }))
      .map(({ term, value }) => {
        const share = match / halves.length / value;
        return toTerm({ term, value, share, evidence: [`match ${Math.round(value)}`] });
      })
      .sort(sortTerms);
  return { role, match, listTerms };
}

/** Counts all commits. Without commit facts, the largest piece of evidence decides. */
function commitsSeen({ commits: counted, evidence }: FactsAsOf): number {
  if (counted) return counted.total;
  return evidence.reduce((most, { commits }) => Math.max(most, commits), 0);
}
