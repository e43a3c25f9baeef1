import { expect, test } from "bun:test";
import type { ProfileAnalysis } from "../../../../src/contract/people/profile-analysis.ts";
import {
  explainConfidence,
  formatAmount,
  formatCommits,
  formatConfidence,
  formatExperience,
} from "../../../../src/interfaces/web/look/figures.ts";
import { openTestAppliance } from "../../../appliance.ts";

test("confidence is a word, and the level changes where scoring.md says that a level is named", () => {
  const words = [0, 0.49, 0.5, 0.79, 0.8, 1].map((confidence) => formatConfidence({ confidence }));
  expect(words).toEqual([
    ...["low (0 %)", "low (49 %)", "medium (50 %)", "medium (79 %)", "high (80 %)", "high (100 %)"],
  ]);
});

test("its reason names the commits and what is lacking, of a person as the pool has them", async () => {
  const login = "derived-example";
  const facts = {
    ...{ login, source: "git", derivedLogin: true, profile: {}, emails: [], repositories: [] },
    evidence: [],
    commits: {
      ...{ total: 40, volume: { "2026-09": 40 }, first: "2026-09-01", last: "2026-09-30" },
      semantic: { eligible: 0, matches: 0 },
      quality: { n: 0, good: 0, withBody: 0, withReference: 0, withReason: 0 },
    },
  };
  const roster = await openTestAppliance({ people: [facts] });
  const [analysis] = await roster.modules.pool.findAnalyses([login]);
  await roster.close();
  const one = analysis as ProfileAnalysis;
  expect(explainConfidence(one)).toBe(
    "40 commits, no skill with evidence, no forge account is known",
  );
  expect(explainConfidence(one, 0)).toBe("40 commits");
  expect(one.proficiency.experienceYears).toBeLessThan(0.5);
  expect(formatExperience(one)).toMatch(/^first commit \d months? ago$/);
});

test("no fraction of a commit is shown", () => {
  expect([0, 1, 1204, 20.5, 0.25, 1.2].map(formatCommits)).toEqual([
    ...["0 commits", "1 commit", "1,204 commits", "about 21 commits"],
    ...["less than 1 commit", "about 1 commit"],
  ]);
  expect(formatAmount(20.5)).toBe("about 21");
});
