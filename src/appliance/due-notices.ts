import { existsSync } from "node:fs";
import { describeOtherModel, isRecountDue } from "../ingest/ingest.ts";
import type { DataFolder, Dependencies } from "./data-folder.ts";

/**
 * Logs that commits should be counted again, because an upgrade or the operator has changed the rules of identity. The server does
 * not do it by itself: it changes logins and scores, which an operator wants to see first, and takes minutes of CPU.
 * Never rejects.
 */
export async function noteDueRecount(
  {
    ledger,
    paths,
    modules,
    identityFiles,
    publishCommitEmails,
  }: Pick<DataFolder, "ledger" | "paths" | "modules" | "identityFiles" | "publishCommitEmails">,
  { log }: Pick<Dependencies, "log">,
): Promise<void> {
  try {
    if (!existsSync(paths.ledger)) return;
    const files = identityFiles();
    const sources = { ledger: ledger(), pool: modules.pool, files, publishCommitEmails };
    if (await isRecountDue(sources)) log.warn(recountNotice);
  } catch (error) {
    log.warn({ err: error }, "it could not be checked whether people must be counted again");
  }
}

const recountNotice =
  "people were counted with other rules than those in force: `roster ingest git --diff` shows the joins and splits, " +
  "`roster ingest git` counts people again without reading a repository";

/**
 * Logs that people were judged by another model than the one in force, as after an upgrade. Until they are judged again, all of
 * them are ranked by the former one. Never rejects.
 */
export async function noteDueRescore(
  folder: Pick<DataFolder, "modules" | "modelVersion">,
  { log }: Pick<Dependencies, "log">,
): Promise<void> {
  const due = await findDueRescore(folder);
  if (due !== undefined) log.warn(due);
}

/** @returns why a rescore is due, or why that is not known; undefined when it is not. */
export async function findDueRescore({
  modules,
  modelVersion,
}: Pick<DataFolder, "modules" | "modelVersion">): Promise<string | undefined> {
  try {
    const found = await describeOtherModel(modules.pool, modelVersion());
    return found && `${found}: ${rescoreNotice}`;
  } catch (error) {
    return `it could not be checked whether people must be judged again: ${(error as Error).message}`;
  }
}

const rescoreNotice =
  "`roster rescore --diff` shows whose scores change, `roster rescore` judges everyone again; so does the next import";
