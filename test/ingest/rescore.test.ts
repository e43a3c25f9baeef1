import { describe, expect, test } from "bun:test";
import { createAssessor } from "../../src/analysis/analysis.ts";
import type { ProfileAnalysis, Term } from "../../src/contract/people/profile-analysis.ts";
import { createJudge, type Judge, rescore } from "../../src/ingest/ingest.ts";
import { compareAssessments } from "../../src/ingest/rescore.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";
import { inventedPeople } from "../invented-people.ts";

const places = { resolve: () => ({ places: [], remote: false, why: [] }) };
const assess = createAssessor(createVocabulary());
const judgeOf = (asOf: string): Judge => createJudge({ assess, places, asOf });

async function openFilled() {
  const pool = openSqlitePool(":memory:", { now: () => new Date("2026-11-21T12:00:00Z") });
  const load = await pool.beginImport("test");
  await load.put(inventedPeople.map(judgeOf("2026-11-01")));
  await load.commit();
  return pool;
}

describe("rescoring a pool", () => {
  test("is given up whole when it is interrupted, and the next one may start", async () => {
    const pool = await openFilled();
    const before = await pool.revision();
    const counts = async () =>
      (await pool.sources()).map(({ source, developers }) => [source, developers]);
    const people = await counts();
    const stop = new AbortController();
    const request = { pool, judge: judgeOf("2027-11-01"), movesMax: 5 };
    const stopping = { signal: stop.signal, onProgress: () => stop.abort() };
    const running = rescore({ ...request, write: true, ...stopping });
    await expect(running).rejects.toThrow("Stopped. Nothing was changed.");
    expect(await pool.revision()).toBe(before);
    const login = inventedPeople[0]?.login as string;
    expect((await pool.findAnalyses([login]))[0]?.asOf).toBe("2026-11-01");
    const { revision, judged } = await rescore({ ...request, write: true });
    expect({ revision, judged }).toEqual({ revision: before + 1, judged: inventedPeople.length });
    expect((await pool.findAnalyses([login]))[0]?.asOf).toBe("2027-11-01");
    expect(await counts()).toEqual(people);
    await pool.close();
  });

  test("only looking waits for no import", async () => {
    const pool = await openFilled();
    const other = await pool.beginImport("test");
    const report = await rescore({ pool, judge: judgeOf("2026-11-01"), write: false, movesMax: 5 });
    expect(report).toMatchObject({ moved: 0, unchanged: inventedPeople.length, moves: [] });
    await other.abort();
    await pool.close();
  });
});

describe("why somebody moves", () => {
  const [someone] = inventedPeople;
  if (!someone) throw new Error("There are invented people.");
  const before = judgeOf("2026-11-01")(someone).analysis;
  const term = (name: string, points: number): Term => {
    return { term: name, value: points, weight: 1, points, cap: 100, evidence: [] };
  };
  const withTerms = (score: number, ...techStack: Term[]): ProfileAnalysis => ({
    ...before,
    scores: { ...before.scores, score },
    explanation: { ...before.explanation, techStack },
  });

  test("is the term whose share of the score changed most", () => {
    const move = compareAssessments(
      withTerms(50, term("Go", 30), term("React", 10)),
      withTerms(40, term("Go", 10), term("React", 12)),
    );
    expect(move?.because).toEqual({ component: "techStack", term: "Go", points: -10 });
  });

  test("claims no more than is known of a term that only one side shows", () => {
    const five = ["a", "b", "c", "d"].map((name) => term(name, 10));
    const move = compareAssessments(
      withTerms(50, ...five, term("e", 5)),
      withTerms(51, ...five, term("f", 6)),
    );
    // `f` had at most 5 before, `e` has at least nothing to lose below 5 now.
    expect(move?.because).toEqual({ component: "techStack", term: "f", points: 0.5 });
  });

  test("is nothing where nothing that is shown changed", () => {
    expect(compareAssessments(before, before)).toBeUndefined();
  });
});
