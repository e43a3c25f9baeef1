/** Reads the figures on the cards of search results from the analyses of the people. */
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

export type CardFigures = ReturnType<typeof toCardFigures>;

/**
 * The figures of each card object, because reading the analyses is slow. The pool replaces the object if the person changes, so
 * the figures are never outdated.
 */
const cached = new WeakMap<WrittenCard, CardFigures>();

/** @returns the figures of each login, in the same order; `undefined` for an erased person. */
export async function readCardFigures(
  pool: Pick<Modules["pool"], "findWrittenCards" | "findAnalyses">,
  logins: readonly string[],
): Promise<readonly (CardFigures | undefined)[]> {
  const cards = await pool.findWrittenCards(logins);
  const unknown = logins.flatMap((login, at) => {
    const card = cards[at];
    return card && !cached.has(card) ? [{ login, card }] : [];
  });
  // The analyses are read after the cards, so the figures are never older than their cards.
  const analyses =
    unknown.length === 0 ? [] : await pool.findAnalyses(unknown.map(({ login }) => login));
  for (const [at, { card }] of unknown.entries()) {
    const analysis = analyses[at];
    if (analysis) cached.set(card, toCardFigures(analysis));
  }
  return cards.map((card) => card && cached.get(card));
}

/** @package */
export function toCardFigures(analysis: ProfileAnalysis) {
  const { asOf, roleMatch, activity, scores, repositories } = analysis;
  const words = formatConfidence(analysis);
  return {
    asOf,
    roleMatch,
    /** The day up to which history was read, if that is before `asOf`. */
    until: activity.until,
    overall: scores.score,
    experience: formatExperience(analysis),
    /** The confidence. A reason follows, unless the confidence is high. */
    confidence: words.startsWith("high") ? words : `${words}: ${explainConfidence(analysis)}`,
    skills: repositories.skills.map(({ skill, strength, evidence }) => ({
      ...{ skill, strength },
      /** The strongest evidence, as a sentence. */
      title: evidence[0] && formatEvidence(evidence[0]),
      /** The largest number of commits in the evidence; empty if no evidence is a number of commits. */
      commits: formatMostCommits(evidence),
    })),
  };
}

function formatMostCommits(evidence: readonly string[]): string {
  const counts = evidence.map((line) => Number(/^(\d{1,9}) commits/.exec(line)?.[1] ?? 0));
  const most = Math.max(0, ...counts);
  return most > 0 ? formatCommits(most) : "";
}
