/** Ingests invented repositories into a pool and a ledger in memory. */
import { createAssessor } from "../../../src/analysis/analysis.ts";
import { createJudge, type GitIngest, ingestGit, openLedger } from "../../../src/ingest/ingest.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { asOf, vocabulary } from "./read.ts";

/** A pool and a ledger as a data folder has them, in memory. */
export function openData() {
  let time = Date.parse("2026-11-21T12:00:00Z");
  const now = () => new Date(time++);
  const pool = openSqlitePool(":memory:", { now });
  const ledger = openLedger(":memory:", { version: "test", now });
  let judged = 0;
  const ingest = (paths: readonly string[], more: Partial<GitIngest> = {}) => {
    const day = more.asOf ?? asOf;
    const { judge } = { judge: judgeAsOf(day) };
    const count: GitIngest["judge"] = (facts) => {
      judged += 1;
      return judge(facts);
    };
    return ingestGit({
      paths,
      modelVersion: "1",
      pool,
      ledger,
      vocabulary,
      asOf: day,
      judge: count,
      ...more,
    });
  };
  const statuses = async (paths: readonly string[], more: Partial<GitIngest> = {}) =>
    (await ingest(paths, more)).summaries.map(({ status, newCommits }) => [status, newCommits]);
  const exported = async () =>
    (await Array.fromAsync(pool.facts()))
      .flat()
      .map((facts) => JSON.stringify(facts))
      .join("\n");
  const person = async (name: string) =>
    (await Array.fromAsync(pool.facts())).flat().find(({ profile }) => profile.name === name);
  return { pool, ledger, ingest, statuses, exported, person, judged: () => judged };
}

const assess = createAssessor({
  ...(await import("../../../src/vocabulary/vocabulary.ts")).createVocabulary(),
});
const places = { resolve: () => ({ places: [], remote: false, why: [] }) };
export const judgeAsOf = (day: string) => createJudge({ assess, places, asOf: day });
