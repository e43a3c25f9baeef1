/** Ingests invented repositories into a pool and a ledger in memory. */
import { createAssessor } from "../../../src/analysis/analysis.ts";
import { createJudge, type GitIngest, ingestGit, openLedger } from "../../../src/ingest/ingest.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { asOf, vocabulary } from "./read.ts";

/** @param path the file of the pool; default: in memory, as the ledger. */
export function openData(path = ":memory:") {
  let time = Date.parse("2026-11-21T12:00:00Z");
  const now = () => new Date(time++);
  const pool = openSqlitePool(path, { now });
  const ledger = openLedger(":memory:", { version: "test", now });
  let judged = 0;
  const ingest = (paths: readonly string[], more: Partial<GitIngest> = {}) => {
    const day = more.asOf ?? asOf;
    const judge = judgeAsOf(day);
    const count: GitIngest["judge"] = (facts) => {
      judged += 1;
      return judge(facts);
    };
    const common = { modelVersion: "1", pool, ledger, vocabulary, asOf: day };
    return ingestGit({ ...common, paths, judge: count, ...more });
  };
  const statuses = async (paths: readonly string[], more: Partial<GitIngest> = {}) =>
    (await ingest(paths, more)).summaries.map(({ status, newCommits }) => [status, newCommits]);
  const all = async () => (await Array.fromAsync(pool.facts())).flat();
  const exported = async () => (await all()).map((facts) => JSON.stringify(facts)).join("\n");
  const person = async (name: string) => (await all()).find(({ profile }) => profile.name === name);
  return { pool, ledger, ingest, statuses, all, exported, person, judged: () => judged };
}

const assess = createAssessor(createVocabulary());
const places = { resolve: () => ({ places: [], remote: false, why: [] }) };
export const judgeAsOf = (day: string) => createJudge({ assess, places, asOf: day });
