/**
 * The thread that judges the lines of a file, batch after batch. It is a separate entry point, so `bun build --compile` must
 * list it beside src/main.ts.
 */
import { createAssessor } from "../../analysis/analysis.ts";
import { serveJobs } from "../../contract/descriptors.ts";
import { openPlaces } from "../../places/places.ts";
import { createVocabulary } from "../../vocabulary/vocabulary.ts";
import { createJudge, type Judge } from "../judge.ts";

import { assessLine, type JudgingAnswer, type JudgingOrder } from "./judging-threads.ts";

declare const self: Worker;

let judge: Judge | undefined;

serveJobs(({ recipe, texts }: JudgingOrder) => self.postMessage(answer(recipe, texts)));

function answer(recipe: JudgingOrder["recipe"], texts: readonly string[]): JudgingAnswer {
  try {
    judge ??= createJudgeBy(recipe);
    const own = judge;
    return { judged: texts.map((text) => assessLine(text, own)) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function createJudgeBy({ model, asOf, publishCommitEmails }: JudgingOrder["recipe"]): Judge {
  const assess = createAssessor(createVocabulary(), model);
  return createJudge({ assess, places: openPlaces(), asOf, model, publishCommitEmails });
}
