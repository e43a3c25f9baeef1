/** Lets one model judge all people in the pool, so that a search never mixes the results of two models. */
import type { Import, Pool } from "../pool/pool.ts";
import type { Judge } from "./judge.ts";
import { readStored } from "./read-stored.ts";

/**
 * Judges again all people whom another model judged. Call it after the other changes of the import, just before the commit.
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
    const judged = people.map(({ facts }) => judge(facts));
    await staged.put(judged, basis);
  }
}

/** @returns a message for the operator if another model judged people; otherwise undefined. */
export async function describeOtherModel(pool: Pick<Pool, "model">, modelVersion: string) {
  const model = await pool.model();
  if (model === undefined || model === modelVersion) return undefined;
  return `people were scored with ${model === "" ? "the model of an earlier version" : `model ${model}`}, not with the current model ${modelVersion}`;
}

/** @returns whether `model` is an earlier version of Roster's own model. A version with `+` is an operator's model. */
export function isOfEarlierVersion(model: string | undefined, modelVersion: string): boolean {
  if (model === undefined || `${model}${modelVersion}`.includes("+")) return false;
  return model.localeCompare(modelVersion, "en", { numeric: true }) < 0;
}
