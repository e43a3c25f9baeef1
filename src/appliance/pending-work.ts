import { existsSync } from "node:fs";
import { describeOtherModel, isOfEarlierVersion, isRecountPending } from "../ingest/ingest.ts";
import type { Runs } from "../interfaces/web/web.ts";
import type { DataFolder, Dependencies } from "./data-folder.ts";

/** Work that an upgrade or a change by the operator requires. `why` may also say that this could not be checked. */
export interface PendingWork {
  readonly why: string;
  readonly advice?: string;
}

type CountedFolder = Pick<
  DataFolder,
  "ledger" | "paths" | "modules" | "modelVersion" | "identityFiles" | "publishCommitEmails"
>;

/** Logs pending work. Never rejects. */
export async function logPendingWork(
  folder: CountedFolder,
  { log }: Pick<Dependencies, "log">,
): Promise<void> {
  for (const pending of await findPending(folder)) {
    if (pending) log.warn([pending.why, pending.advice].filter(Boolean).join(": "));
  }
}

/** How long a result is cached if the pool does not change. */
const cachedMs = 60_000;

/** Looks for pending work. Results are cached, because open pages ask every few seconds. */
export function createPendingLookup(folder: CountedFolder, now: () => Date) {
  let cached: { readonly revision: number; readonly atMs: number } | undefined;
  let found: ReturnType<typeof findPending> | undefined;
  return (revision: number) => {
    const atMs = now().getTime();
    if (!found || cached?.revision !== revision || Math.abs(atMs - cached.atMs) >= cachedMs) {
      cached = { revision, atMs };
      found = findPending(folder);
    }
    return found;
  };
}

/** Looks for both kinds of pending work. Never rejects. */
const findPending = (folder: CountedFolder) =>
  Promise.all([
    tryToFind("counted", () => findPendingRecount(folder)),
    tryToFind("judged", () => findPendingRescore(folder)),
  ]);

async function tryToFind(
  done: string,
  find: () => Promise<PendingWork | undefined>,
): Promise<PendingWork | undefined> {
  try {
    return await find();
  } catch (error) {
    const reason = (error as Error).message;
    return { why: `it could not be checked whether people must be ${done} again: ${reason}` };
  }
}

/** Checks whether the rules that identify people have changed, so that all commits should be counted again. */
async function findPendingRecount({
  ledger,
  paths,
  modules,
  identityFiles,
  publishCommitEmails,
}: CountedFolder): Promise<PendingWork | undefined> {
  if (!existsSync(paths.ledger)) return undefined;
  const files = identityFiles();
  const sources = { ledger: ledger(), pool: modules.pool, files, publishCommitEmails };
  return (await isRecountPending(sources)) ? { why: otherRules, advice: recountAdvice } : undefined;
}

const otherRules = "people were counted with older identity rules";
const recountAdvice =
  "`roster ingest git --diff` shows the joins and splits, `roster ingest git` counts people again without reading a repository";

/** Checks whether people were scored with another model than the current model. */
async function findPendingRescore({
  modules,
  modelVersion,
}: CountedFolder): Promise<PendingWork | undefined> {
  const why = await describeOtherModel(modules.pool, modelVersion());
  return why ? { why, advice: rescoreAdvice } : undefined;
}

/**
 * Scores everyone again in a child process if an earlier version has computed the scores. Searches must not combine the scores of
 * two models.
 */
export async function rescoreAfterUpgrade(
  { modules, modelVersion }: Pick<CountedFolder, "modules" | "modelVersion">,
  { canStart, start }: Pick<Runs, "canStart" | "start">,
): Promise<void> {
  if (canStart && isOfEarlierVersion(await modules.pool.model(), modelVersion())) {
    await start({ kind: "rescore" }, "server");
  }
}

const rescoreAdvice =
  "`roster rescore --diff` shows whose scores change, `roster rescore` or the next import judges everyone again";
