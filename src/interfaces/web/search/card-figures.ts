/** What the card of a person in a list of results shows of the person's analysis. */
import type { WrittenCard } from "../../../contract/people/developer.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import type { Modules } from "../../../operations/operation.ts";
import {
  explainConfidence,
  formatCommits,
  formatConfidence,
  formatEvidence,
  formatExperience,
} from "../look/figures.ts";

export interface CardFigures extends Pick<ProfileAnalysis, "asOf" | "roleMatch"> {
  /** The end of what was read, where that is before `asOf`. */
  readonly until: string | undefined;
  readonly overall: number;
  /** Empty if nothing tells when the work began. */
  readonly experience: string;
  /** With its reason, unless it is high: that is the rule. */
  readonly confidence: string;
  /** Strongest first. */
  readonly skills: readonly SkillFigures[];
}

interface SkillFigures {
  readonly skill: string;
  readonly strength: number;
  /** The strongest evidence. */
  readonly title: string | undefined;
  /** The largest count of commits that the evidence names; empty without one. */
  readonly commits: string;
}

/**
 * To unpack and read an analysis takes longer than to render its card. An entry goes with the card object, which every
 * change of the person replaces, and with which the pool forgets who is erased.
 */
const kept = new WeakMap<WrittenCard, CardFigures>();

/** @returns one for each login, in order; `undefined` for people who were erased a moment ago. */
export async function readCardFigures(
  pool: Pick<Modules["pool"], "findWrittenCards" | "findAnalyses">,
  logins: readonly string[],
): Promise<readonly (CardFigures | undefined)[]> {
  const cards = await pool.findWrittenCards(logins);
  const unknown = logins.flatMap((login, at) => {
    const card = cards[at];
    return card && !kept.has(card) ? [{ login, card }] : [];
  });
  // Read after the cards, so that figures are never older than the card that they are kept with.
  const analyses =
    unknown.length === 0 ? [] : await pool.findAnalyses(unknown.map(({ login }) => login));
  for (const [at, { card }] of unknown.entries()) {
    const analysis = analyses[at];
    if (analysis) kept.set(card, toCardFigures(analysis));
  }
  return cards.map((card) => card && kept.get(card));
}

/** @package */
export function toCardFigures(analysis: ProfileAnalysis): CardFigures {
  const { asOf, roleMatch, activity, scores, repositories } = analysis;
  const words = formatConfidence(analysis);
  return {
    asOf,
    roleMatch,
    until: activity.until,
    overall: scores.score,
    experience: formatExperience(analysis),
    confidence: words.startsWith("high") ? words : `${words}: ${explainConfidence(analysis)}`,
    skills: repositories.skills.map(({ skill, strength, evidence }) => ({
      ...{ skill, strength },
      title: evidence[0] && formatEvidence(evidence[0]),
      commits: formatMostCommits(evidence),
    })),
  };
}

function formatMostCommits(evidence: readonly string[]): string {
  const counts = evidence.map((line) => Number(/^(\d{1,9}) commits/.exec(line)?.[1] ?? 0));
  const most = Math.max(0, ...counts);
  return most > 0 ? formatCommits(most) : "";
}
