import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Facts } from "../../../src/contract/people/facts.ts";
import { rounds } from "../../long.ts";
import { anyone } from "../anyone.ts";
import { commits, evidence, judged, monthsUpTo, someone } from "../someone.ts";

const volume = monthsUpTo("2026-10", 24, 10);
const react = evidence("import", "npm:react", volume);
const assisted = (amount: number) => ({
  total: amount * 24,
  volume: monthsUpTo("2026-10", 24, amount),
  agents: { claude: amount * 24 - 2, aider: 2 },
});
const told = (amount: number): Facts =>
  someone({
    commits: commits({ volume, ...(amount > 0 && { assisted: assisted(amount) }) }),
    evidence: [react],
  });

describe("work with assistants", () => {
  test("is told by agent, as a share, and in words", () => {
    const { analysis } = judged(told(3));
    expect(analysis.assistance).toMatchObject({
      ...{ commits: 72, share: 0.3, unmarked: 168, scoreHigh: analysis.scores.score },
      agents: [
        { agent: "Claude", commits: 70 },
        { agent: "aider", commits: 2 },
      ],
    });
    const [first = ""] = analysis.assistance?.evidence ?? [];
    expect(first).toBe(
      "72 of 240 counted commits say that an assistant took part (Claude 70, aider 2)",
    );
    expect(analysis.summary.caveats).toContain(first);
  });

  test("lowers no score, and every mark narrows the range", () => {
    const scores = [0, 3, 7, 10].map((amount) => judged(told(amount)).analysis);
    expect(new Set(scores.map(({ scores: { score } }) => score)).size).toBe(1);
    const lows = scores.map(({ assistance }) => assistance?.scoreLow ?? Number.NaN);
    expect(lows).toEqual([...lows].sort((a, b) => a - b));
    expect(lows[0]).toBeLessThan(lows[3] ?? 0);
    // Nothing is unknown of who always tells.
    expect(scores[3]?.assistance).toMatchObject({ unmarked: 0, unknown: 0, share: 1 });
    expect(lows[3]).toBe(scores[3]?.scores.score);
  });

  test("has no unknown part before there were assistants, and of whom nobody looked at", () => {
    expect(judged(someone()).analysis.assistance).toBeUndefined();
    const before = { volume: monthsUpTo("2021-05", 24, 10) };
    expect(judged(someone({ commits: commits(before) })).analysis.assistance).toBeUndefined();
    const after = { volume: { ...before.volume, "2021-06": 10, "2025-02": 10 } };
    const { assistance } = judged(someone({ commits: commits(after) })).analysis;
    expect([assistance?.unmarked, assistance?.unknown]).toEqual([20, 9.4]);
  });

  test("is as it was on the day that is asked for", () => {
    const { analysis } = judged(told(3), { asOf: "2025-11-30" });
    expect(analysis.assistance).toMatchObject({ commits: 39, agents: [] });
    expect(judged(told(3), { asOf: "2024-01-31" }).analysis.assistance).toBeUndefined();
  });

  test("gives a range around the score, whatever the facts", () => {
    fc.assert(
      fc.property(anyone(), (facts) => {
        const { assistance, scores } = judged(facts).analysis;
        if (!assistance) return;
        const { scoreLow, scoreHigh, unknown, unmarked } = assistance;
        expect(scoreHigh).toBe(scores.score);
        expect(scoreLow >= 0 && scoreLow <= scoreHigh).toBe(true);
        expect(unknown).toBeLessThanOrEqual(unmarked);
      }),
      { numRuns: rounds(200) },
    );
  });
});

test("credit of others' commits is shown from its day on, and counts for nothing", () => {
  const reviewed = { count: 12, first: "2026-01-05", last: "2026-06-01" };
  const plain = judged(told(0));
  const credited = judged({ ...told(0), credits: { reviewed } });
  expect(credited.analysis.activity.credits).toEqual([{ kind: "reviewed", ...reviewed }]);
  expect(credited.card).toEqual(plain.card);
  const before = judged({ ...told(0), credits: { reviewed } }, { asOf: "2026-01-04" });
  expect(before.analysis.activity.credits).toBeUndefined();
});
