import { expect, test } from "bun:test";
import {
  countWritten,
  explainUncounted,
  formatCommitCounts,
} from "../../src/contract/people/commit-counts.ts";

const busy = {
  totalCommits: 3982,
  excluded: { capped: 401, duplicate: 200, merge: 912, revert: 15 },
};

test("a person's commits have two numbers, and the second is left out when nobody knows it", () => {
  expect(countWritten(busy)).toBe(5510);
  expect(formatCommitCounts(busy)).toBe("3,982 commits count, of 5,510 written");
  expect(formatCommitCounts({ totalCommits: 1, excluded: { merge: 1 } })).toBe(
    "1 commit counts, of 2 written",
  );
  expect(countWritten({ totalCommits: 12, excluded: {} })).toBeUndefined();
  expect(formatCommitCounts({ totalCommits: 12, excluded: {} })).toBe("12 commits");
});

test("the most frequent reasons are named", () => {
  expect(explainUncounted(busy)).toBe(
    "Not counted: 912 merges, 401 beyond five a day and 215 others.",
  );
  expect(explainUncounted({ excluded: { merge: 1 } })).toBe("Not counted: 1 merge.");
  expect(explainUncounted({ excluded: { merge: 2, empty: 1 } })).toBe(
    "Not counted: 2 merges and 1 empty commit.",
  );
  expect(explainUncounted({ excluded: {} })).toBe("");
});
