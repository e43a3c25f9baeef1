import { Payload } from "../contract/envelope.ts";
import { ProfileAnalysis } from "../contract/people/profile-analysis.ts";
import { Problem } from "../contract/problem.ts";
import { AnalyzeRequest, isLogin } from "../contract/requests.ts";
import { viewAnalysis } from "./analysis-view.ts";
import { defineOperation } from "./operation.ts";

export const analyzeProfile = defineOperation({
  name: "analyze_profile",
  command: "analyze",
  summary: "Analyze one profile in depth: scores, roles, commit quality, and why",
  description:
    "Judges one developer in depth, with evidence: level, match for each role, skills, commit messages, activity by month, use of AI " +
    "assistants, and what each score is made of. Use it for how good somebody is, and why; for contact details get_developer is " +
    "shorter. Costs one call.",
  scope: "profile",
  method: "POST",
  path: "/v1/profile/analyze",
  input: AnalyzeRequest,
  output: ProfileAnalysis,
  slimWithout: [
    "activity.months",
    "activity.excluded",
    "activity.credits",
    // Slim answers need not repeat these figures, because the summary contains them as text.
    ...["activity.until", "activity.current", "activity.bestYear", "activity.scoreUses"],
    "repositories.ended",
    "assistance",
    ...["profile.experienceSource", "profile.derivedLogin", "profile.source"],
    ...["activity.activeMonths", "activity.mergedElsewhere", "badges.id"],
    "explanation.roleMatch",
    ...["withBody", "withReference", "withReason", "good", "lowerBound"].map(
      (field) => `commitQuality.${field}`,
    ),
  ],
  aliases: ["scores.matchingKeywords"],
  example: { username: "ada-example" },
  view: viewAnalysis,
  async run({ username }, { pool }) {
    const [analysis] = isLogin(username) ? await pool.findWrittenAnalyses([username]) : [];
    if (analysis === undefined) throw new Problem("not_found");
    return Payload.ofValue(readAnalysis(analysis));
  },
});

/** @returns the answer for a stored analysis. */
export function readAnalysis(text: string): ProfileAnalysis {
  const stored = JSON.parse(text) as ProfileAnalysis;
  const matchingKeywords = stored.repositories.skills.map(({ skill }) => skill);
  return { ...stored, scores: { ...stored.scores, matchingKeywords } };
}
