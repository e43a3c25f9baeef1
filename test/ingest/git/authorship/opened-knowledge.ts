/** A pool and a ledger as a data folder has them, in memory, filled by `ingest git`, and asked who knows what. */
import { createAssessor } from "../../../../src/analysis/analysis.ts";
import { readShippedModel } from "../../../../src/analysis/model.ts";
import {
  createJudge,
  ingestGit,
  openLedger,
  readOperatorFiles,
} from "../../../../src/ingest/ingest.ts";
import { createKnowledgeBase, isRefusal } from "../../../../src/knowledge/knowledge.ts";
import { openSqlitePool } from "../../../../src/pool/sqlite/sqlite-pool.ts";
import { createVocabulary } from "../../../../src/vocabulary/vocabulary.ts";

const whole = createVocabulary();
const asOf = "2026-11-21";
const judge = createJudge({
  assess: createAssessor(whole),
  places: { resolve: () => ({ places: [], remote: false, why: [] }) },
  asOf,
});
const files = readOperatorFiles({
  aliasFile: undefined,
  classFile: undefined,
  names: "repository",
});
const now = () => new Date(`${asOf}T12:00:00Z`);

export const toDay = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;

export function openKnowledge(path = ":memory:") {
  const pool = openSqlitePool(path, { now });
  const ledger = openLedger(":memory:", { version: "test", now });
  const model = readShippedModel();
  const knowledge = createKnowledgeBase({ authorship: pool.authorship, model: () => model, now });
  const common = {
    ...{ modelVersion: "1", pool, judge, vocabulary: whole },
    ...{ asOf, ledger, files },
  };
  const ingest = (paths: readonly string[], forgetting: readonly number[] = [], anew = false) =>
    ingestGit({ ...common, paths, forgetting, anew, canRemoveMany: true } as Parameters<
      typeof ingestGit
    >[0]);
  const ask = async (
    question: { repository?: string; path?: string; asOf?: string; package?: string } = {},
  ) => {
    const { path, asOf: day, ...rest } = question;
    const paths = path === undefined ? [] : [path];
    const asOfDay = toDay(day ?? asOf);
    const answer = await knowledge.ask({ ...rest, paths, asOfDay });
    if (isRefusal(answer)) throw new Error(answer.message);
    return answer;
  };
  /** Login to share in per cent, best first. */
  const shares = async (question: Parameters<typeof ask>[0] = {}) =>
    (await ask(question)).people.map(({ login, share }) => [login, Math.round(share * 100)]);
  const logins = async (question: Parameters<typeof ask>[0] = {}) =>
    (await ask(question)).people.map(({ login }) => login);
  const close = async () => {
    await pool.close();
    ledger.close();
  };
  return { pool, ledger, knowledge, ingest, ask, shares, logins, close };
}
