/** Keeps people judged by different models apart: an import leaves nobody in the pool whom another model judged. */
import type { Import, Pool } from "../pool/pool.ts";
import type { Judge } from "./judge.ts";
import { readStored } from "./read-stored.ts";

/**
 * Judges again, in the same import, whom it would leave as another model judged them, so that a search never ranks them
 * together with newer ones. That is nobody after the first import with a model. Call it last before the commit.
 *
 * @throws Fault when the signal is aborted.
 */
export async function judgeOthers(
  staged: Pick<Import, "judgedOtherwise" | "put">,
  pool: Pick<Pool, "findFacts" | "findAnalyses">,
  judge: Judge,
  signal?: AbortSignal,
): Promise<void> {
  const { basis, modelVersion } = judge;
  if (modelVersion === undefined) return;
  const logins = await staged.judgedOtherwise(modelVersion);
  for await (const { people } of readStored(pool, logins, signal)) {
    await staged.put(
      people.map(({ facts }) => judge(facts)),
      basis,
    );
  }
}

/** @returns what to tell an operator; undefined when everybody was judged by the model in force, or nobody is there. */
export async function describeOtherModel(pool: Pick<Pool, "model">, modelVersion: string) {
  const model = await pool.model();
  if (model === undefined || model === modelVersion) return undefined;
  return `people were judged by ${model === "" ? "the model of an earlier version" : `model ${model}`}, not by ${modelVersion}, which is in force`;
}

/** @returns whether a model of an earlier version of Roster judged people; models of the operator have no order. */
export function isOfEarlierVersion(model: string | undefined, modelVersion: string): boolean {
  if (model === undefined || `${model}${modelVersion}`.includes("+")) return false;
  return model.localeCompare(modelVersion, "en", { numeric: true }) < 0;
}
