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
  const fault = (error: unknown) =>
    new Fault("configuration", `analysis.modelFile (${path}): ${(error as Error).message}`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw fault(error);
  }
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw fault(new Error(`no valid JSON: ${(error as Error).message}`));
  }
  try {
    const roleIds = createVocabulary().roles.map(({ id }) => id);
    return readOperatorModel(file, roleIds);
  } catch (error) {
    throw fault(error);
  }
}
