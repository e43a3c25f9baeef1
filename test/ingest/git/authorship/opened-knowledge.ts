/** A pool and a ledger that `ingest git` fills, asked who knows what. */
import { readShippedModel } from "../../../../src/analysis/model.ts";
import { readOperatorFiles } from "../../../../src/ingest/ingest.ts";
import { createKnowledgeBase, isRefusal } from "../../../../src/knowledge/knowledge.ts";
import { createVocabulary } from "../../../../src/vocabulary/vocabulary.ts";
import { openData } from "../opened-data.ts";
import { asOf } from "../read.ts";

const vocabulary = createVocabulary();
const [aliasFile, classFile] = [undefined, undefined];
const files = readOperatorFiles({ aliasFile, classFile, names: "repository" });
const now = () => new Date(`${asOf}T12:00:00Z`);

export const toDay = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;

interface Asked {
  readonly repository?: string;
  readonly path?: string;
  readonly asOf?: string;
  readonly without?: readonly string[];
}

/** @param path the file of the pool; default: in memory. */
export function openKnowledge(path?: string) {
  const { pool, ledger, ...data } = openData(path);
  const model = readShippedModel();
  const knowledge = createKnowledgeBase({ authorship: pool.authorship, model: () => model, now });
  const ingest = (paths: readonly string[], anew = false) =>
    data.ingest(paths, { vocabulary, files, anew, canRemoveMany: true });
  const ask = async ({ path, asOf: day = asOf, ...rest }: Asked = {}) => {
    const paths = path === undefined ? [] : [path];
    const answer = await knowledge.ask({ ...rest, paths, asOfDay: toDay(day) });
    if (isRefusal(answer)) throw new Error(answer.message);
    return answer;
  };
  /** Best first. */
  const logins = async (question?: Asked) => (await ask(question)).people.map(({ login }) => login);
  const close = async () => {
    await pool.close();
    ledger.close();
  };
  return { pool, ledger, knowledge, ingest, ask, logins, close };
}
