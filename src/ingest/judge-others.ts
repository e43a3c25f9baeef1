/** Makes sure that all people in the pool are judged by the same model after an import. */
import type { Import, Pool } from "../pool/pool.ts";
import type { Judge } from "./judge.ts";
import { readStored } from "./read-stored.ts";

/**
 * Judges people again in the same import if another model judged them and the import would keep them. A search then never mixes
 * results of two models. After the first import with a model nobody is left to judge. Call it last before the commit.
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

/** @returns a message for the operator; undefined when the current model judged everybody, or the pool is empty. */
export async function describeOtherModel(pool: Pick<Pool, "model">, modelVersion: string) {
  const model = await pool.model();
  if (model === undefined || model === modelVersion) return undefined;
  return `people were judged by ${model === "" ? "the model of an earlier version" : `model ${model}`}, not by ${modelVersion}, which is in force`;
}

/** @returns whether an earlier version of Roster's model judged people. Operators' models have no order. */
export function isOfEarlierVersion(model: string | undefined, modelVersion: string): boolean {
  if (model === undefined || `${model}${modelVersion}`.includes("+")) return false;
  return model.localeCompare(modelVersion, "en", { numeric: true }) < 0;
}
