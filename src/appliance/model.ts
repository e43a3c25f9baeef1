/** Reads the scoring model: the built-in model, or the operator's file. */
import { readFileSync } from "node:fs";
import { type Model, readOperatorModel, readShippedModel } from "../analysis/analysis.ts";
import type { Config } from "../config/config.ts";
import { Fault } from "../contract/fault.ts";
import { createVocabulary } from "../vocabulary/vocabulary.ts";

/**
 * Returns the scoring model. An operator's file is read at each call.
 * @throws Fault for a wrong file. The message names the wrong constant and says what would be right.
 */
export function chooseModel({ analysis }: Pick<Config, "analysis">): Model {
  const path = analysis.modelFile;
  if (path === undefined) return readShippedModel();
  try {
    const roleIds = createVocabulary().roles.map(({ id }) => id);
    return readOperatorModel(JSON.parse(readFileSync(path, "utf8")), roleIds);
  } catch (error) {
    const reason = (error as Error).message;
    throw new Fault("configuration", `analysis.modelFile (${path}): ${reason}`);
  }
}
