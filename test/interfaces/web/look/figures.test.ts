import { expect, test } from "bun:test";
import type { ProfileAnalysis } from "../../../../src/contract/people/profile-analysis.ts";
import {
  formatAmount,
  formatCommits,
  formatExperience,
} from "../../../../src/interfaces/web/look/format.ts";
import { openTestAppliance } from "../../../appliance.ts";

test("experience is told in whole months or years, by its source", async () => {
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
