import type { Assessment } from "../../src/contract/people/assessment.ts";
import type { ProfileAnalysis } from "../../src/contract/people/profile-analysis.ts";

/** What one row says, as far as these tests look. */
export interface Invented {
  readonly login: string;
  readonly source?: string;
  readonly bio?: string;
  /** As of when it was judged: changes the judgement, not the facts. */
  readonly asOf?: string;
  readonly searchable?: boolean;
  readonly formerLogins?: readonly string[];
}

/** An assessment as `analysis` shapes one, without asking it: the pool stores what it is given. */
export function invented({
  login,
  source = "test",
  bio = "An invented person.",
  asOf = "2026-11-01",
  searchable = true,
  formerLogins,
}: Invented): Assessment {
  return {
    facts: {
      login,
      source,
      ...(formerLogins && { formerLogins: [...formerLogins] }),
      profile: { bio, location: "Berlin" },
      emails: [],
      repositories: [{ name: `${login}/tools`, owned: true }],
      evidence: [{ kind: "language", name: "Go", commits: 3, months: { "2026-05": 3 } }],
    },
    analysis: analysisOf(login, source, asOf),
    card: {
      login,
      bio,
      ...{ platform_experience: 1, commits_per_month: 0.3, commit_frequency_label: "Occasional" },
      ...{ commit_message_quality_label: "Insufficient Data", top_repositories: [] },
      ...{ top_oss_contributions: [], score: 10, profile_score: 10, tech_stack_score: 10 },
      activity_score: 10,
      keywords: ["Go"],
      roleKeywords: { backend: ["Go"] },
    },
    standing: {
      login,
      searchable,
      ...{ profile: 10, activity: 10, techStack: 10, experienceTenths: 10, hireable: false },
      places: ["2950159"],
      roles: [{ role: "backend", match: 30, techStack: 10 }],
      concepts: [
        { concept: "go", strength: 30 },
        { concept: "kubernetes", strength: 20 },
      ],
      words: ["invented", "tools"],
      repositories: [{ name: `${login}/tools`, forge: "git.example" }, { name: "shared" }],
      weakConcepts: [{ concept: "docker", strength: 4 }],
    },
  };
}

function analysisOf(login: string, source: string, asOf: string): ProfileAnalysis {
  return {
    proficiency: { level: "Beginner", score: 10, experienceYears: 1 },
    emails: { emails: [] },
    roleMatch: [{ role: "backend", displayName: "Backend", score: 30 }],
    scores: { role: "backend", score: 10, scores: { profile: 10, techStack: 10, activity: 10 } },
    profile: {
      ...{ login, places: [], experienceSource: "none", derivedLogin: false, class: "human" },
      source,
    },
    commitQuality: {
      ...{ label: "Insufficient Data", n: 0, good: 0, withBody: 0, withReference: 0 },
      ...{ withReason: 0, semantic: { eligible: 0, matches: 0 } },
    },
    repositories: {
      ...{ owned: 1, contributedTo: 0, top: [], contributions: [], languages: [], skills: [] },
    },
    activity: {
      ...{ totalCommits: 3, commitsPerMonth: 0.3, frequencyLabel: "Occasional" },
      ...{ activeMonths: 1, months: [], excluded: {} },
    },
    badges: [],
    summary: { text: "", strengths: [], caveats: [] },
    confidence: 0,
    explanation: { profile: [], techStack: [], activity: [], roleMatch: [] },
    modelVersion: "test",
    asOf,
  };
}
