/** Reads the figures on the cards of search results from the analyses of the people. */
import type { WrittenCard } from "../../../contract/people/developer.ts";
import {
  describeFirstRole,
  type ProfileAnalysis,
  readCommits,
} from "../../../contract/people/profile-analysis.ts";
import type { Modules } from "../../../operations/operation.ts";
import {
  explainConfidence,
  formatConfidence,
  formatExperience,
  listSkillsByWork,
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
  const { asOf, roleMatch, activity, scores } = analysis;
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
    role: describeFirstRole(analysis),
    skills: listSkillsByWork(analysis).map(({ skill, strength, evidence: [most = ""] }) => ({
      ...{ skill, strength },
      /** What the person did most with the skill, as a sentence. */
      title: most,
      /** The number of commits; undefined if no commit shows the skill. */
      commits: readCommits(most),
    })),
  };
}
