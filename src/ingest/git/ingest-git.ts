/** From git history into the pool: all of one run becomes visible at one moment, or nothing of it. */
import type { Facts } from "../../contract/facts/facts.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { type Reading, type ReadOptions, readRepositories } from "./git.ts";
import { withoutForgotten } from "./people/authors-report.ts";
import { carryOver } from "./people/carry-over.ts";

export interface GitIngest extends ReadOptions {
  /** Repositories, bundles, or folders that hold some. */
  readonly paths: readonly string[];
  readonly pool: Pick<Pool, "beginImport" | "findFacts">;
  readonly judge: Judge;
}

export interface GitIngestReport extends Omit<Reading, "people"> {
  /** Developers brought in: people, and bots and assistants, which search does not show. Nobody suppressed. */
  readonly developers: { readonly human: number; readonly bot: number; readonly assistant: number };
  /** What became of the pool; undefined when nothing could be read and nothing was changed. */
  readonly imported: ReturnType<ReturnType<Pool["beginImport"]>["commit"]> | undefined;
}

/** Developers staged at once: a short transaction, so that a serving process is not held up. */
const batchSize = 100;

/**
 * Reads repositories and puts everybody in them into the pool, in place of what git told of
 * the same login before; what others told of it stays. The demo people leave when the first real ones come. The same input again changes nothing.
 *
 * @throws GitFault when there is no git; the signal's reason when it is aborted, and the pool is as before.
 */
export async function ingestGit(request: GitIngest): Promise<GitIngestReport> {
  const { people, ...reading } = await readRepositories(request.paths, request);
  const developers = { human: 0, bot: 0, assistant: 0 };
  if (reading.summaries.length === 0) return { ...reading, developers, imported: undefined };
  const staged = request.pool.beginImport("git");
  try {
    let batch: ReturnType<Judge>[] = [];
    const forgotten: Facts[] = [];
    const flush = async (): Promise<void> => {
      const leftOut = new Set(staged.put(batch));
      for (const assessment of batch) {
        if (leftOut.has(assessment)) forgotten.push(assessment.facts);
        else developers[assessment.facts.class ?? "human"] += 1;
      }
      batch = [];
      // A signal is delivered only when this process is given a moment.
      await Bun.sleep(0);
      request.signal?.throwIfAborted();
    };
    for (const facts of people) {
      const held = request.pool.findFacts(facts.login);
      batch.push(request.judge(carryOver(facts, held)));
      if (batch.length >= batchSize) await flush();
    }
    await flush();
    if (developers.human > 0) staged.removeSource("demo");
    const authors = withoutForgotten(reading.authorsReport, forgotten);
    return { ...reading, authorsReport: authors, developers, imported: staged.commit() };
  } finally {
    staged.abort();
  }
}
