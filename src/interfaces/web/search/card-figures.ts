/** Reads the figures that the card of a person in a list of results shows from the person's analysis. */
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
 * The figures by card object. Reading the analyses would take a third of the processor time of a page of results. The cache
 * cannot be outdated: the pool replaces the card object if a person changes, and drops it if the person is erased.
 */
const cached = new WeakMap<WrittenCard, CardFigures>();

/** @returns the figures of each login, in the same order; `undefined` for people who were erased a moment ago. */
export async function readCardFigures(
  pool: Pick<Modules["pool"], "findWrittenCards" | "findAnalyses">,
  logins: readonly string[],
): Promise<readonly (CardFigures | undefined)[]> {
  const cards = await pool.findWrittenCards(logins);
  const unknown = logins.flatMap((login, at) => {
    const card = cards[at];
    return card && !cached.has(card) ? [{ login, card }] : [];
  });
  // The analyses are read after the cards, so that the figures are never older than the cards that they are cached for.
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
    /** The confidence, with its reason unless the confidence is high. */
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
