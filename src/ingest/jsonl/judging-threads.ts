import { availableParallelism } from "node:os";
import { createWorker } from "../../contract/descriptors.ts";
import { Fault } from "../../contract/fault.ts";
import { type PackedDeveloper, packDeveloper } from "../../pool/pool.ts";
import type { Judge, JudgeRecipe } from "../judge.ts";
import { parseFacts } from "../parse-facts.ts";
import type { LineComplaint } from "../refusal.ts";

/** @package The result for one line, in a form that threads can send. */
export type JudgedLine = { readonly row: PackedDeveloper } | { readonly complaint: LineComplaint };

/** @package */
export function assessLine(text: string, judge: Judge): JudgedLine {
  const parsed = parseFacts(text);
  return "complaint" in parsed ? parsed : { row: packDeveloper(judge(parsed.facts)) };
}

/** @package */
export interface JudgingOrder {
  readonly recipe: JudgeRecipe;
  readonly texts: readonly string[];
}

/** @package */
export type JudgingAnswer =
  | { readonly judged: readonly JudgedLine[] }
  /** An error of the program, with its stack. */
  | { readonly failure: string };

/** Judges batches of lines, several at once. @package */
export interface LineJudge {
  /** More batches at once would only fill the memory. */
  readonly batchesAtOnce: number;
  judge(texts: readonly string[]): Promise<readonly JudgedLine[]>;
  /** Ends the threads; batches that are not done are lost. */
  close(): void;
}

/** A thread takes a quarter of a second of CPU and 60 MB before it is worth it. */
const linesBeforeThreads = 500;
/** More threads would wait for the thread that stores. */
const threadsMax = 3;
/**
 * Two processors are often two threads of one core. There, a second judging thread took 25 % more CPU and 120 MB, and was no
 * faster beside other work.
 */
const processorsPerThread = 2;
/** One batch is judged while the next one waits. */
const batchesPerThread = 2;

/**
 * Judges in this thread, and in others beside it as soon as there are many lines. The answers are the same.
 *
 * @package
 * @param threads number of further threads; by default none on two processors, one on four.
 */
export function createLineJudge(
  judge: Judge,
  threads = Math.min(threadsMax, Math.floor(availableParallelism() / processorsPerThread) - 1),
): LineJudge {
  const { recipe } = judge;
  let left = linesBeforeThreads;
  let started: readonly JudgingThread[] = [];
  return {
    get batchesAtOnce() {
      return 1 + started.length * (1 + batchesPerThread);
    },
    async judge(texts) {
      if (recipe && threads > 0 && left <= 0 && started.length === 0) {
        started = Array.from({ length: threads }, () => startThread(recipe));
      }
      left -= texts.length;
      const free = started.find((thread) => thread.waiting() < batchesPerThread);
      return free ? free.judge(texts) : texts.map((text) => assessLine(text, judge));
    },
    close() {
      for (const { end } of started) end();
    },
  };
}

interface JudgingThread {
  /** Batches that it has not answered. */
  waiting(): number;
  judge(texts: readonly string[]): Promise<readonly JudgedLine[]>;
  end(): void;
}

function startThread(recipe: JudgeRecipe): JudgingThread {
  const worker = createWorker("ingest/jsonl/worker.ts");
  const asked: PromiseWithResolvers<readonly JudgedLine[]>[] = [];
  worker.onmessage = ({ data }: MessageEvent<JudgingAnswer>) => {
    const first = asked.shift();
    if ("judged" in data) first?.resolve(data.judged);
    else first?.reject(new Error(data.failure));
  };
  let fault: Fault | undefined;
  worker.onerror = ({ message }) => {
    fault = new Fault("system", `A thread that judges people died: ${message}`);
    for (const { reject } of asked.splice(0)) reject(fault);
  };
  return {
    waiting: () => asked.length,
    async judge(texts) {
      if (fault) throw fault;
      const answer = Promise.withResolvers<readonly JudgedLine[]>();
      asked.push(answer);
      worker.postMessage({ recipe, texts } satisfies JudgingOrder);
      return answer.promise;
    },
    end: () => worker.terminate(),
  };
}
