/** Turns a commit of the log into its stored form, with numbers instead of texts. */
import { isDisordered } from "../commit/day-number.ts";
import { fingerprintSha, fingerprintText } from "../commit/fingerprints.ts";
import type { LoggedCommit } from "../commit/logged-commit.ts";
import type { StoredCommit } from "../commit/stored-commit.ts";
import { findAgentMarks } from "../credit/agent-marks.ts";
import { assessMessage, getSubject, isRevert, toSubjectTemplate } from "./assess-message.ts";

/** Assigns the numbers that replace texts in the commits of one history. */
interface PathNumbering {
  author(signature: LoggedCommit["author"], commit: { sha: string; isMerge: boolean }): number;
  trailer(value: string): number;
  agent(id: string): number;
  path(path: string): number;
}

/** @package */
export function toStoredCommit(commit: LoggedCommit, numbers: PathNumbering): StoredCommit {
  const isMerge = commit.parents > 1;
  const { agents, isByAgent } = findAgentMarks(commit);
  const files = commit.files.map(({ path, added, deleted, isRegular }) => ({
    path: numbers.path(path),
    added,
    deleted,
    isRegular,
  }));
  return {
    sha: fingerprintSha(commit.sha),
    content: isMerge ? 0n : fingerprintContent(commit),
    template: isMerge ? 0 : toTemplate(commit.message),
    seconds: commit.seconds,
    author: numbers.author(commit.author, { sha: commit.sha, isMerge }),
    coAuthors: commit.coAuthors.map((value) => numbers.trailer(value)),
    credits: commit.credits.map(({ kind, trailer }) => ({
      kind,
      trailer: numbers.trailer(trailer),
    })),
    agents: agents.map((id) => numbers.agent(id)),
    files,
    isMerge,
    // Merges do not count, so their messages are not assessed.
    ...assessMessage(isMerge ? "" : commit.message),
    isRevert: !isMerge && isRevert(commit.message),
    isBulk: isBulkImport(commit),
    isDisordered: isDisordered(commit),
    isIncomplete: commit.isIncomplete,
    isByAgent,
  };
}

function toTemplate(message: string): number {
  return Number(BigInt.asUintN(32, fingerprintText(toSubjectTemplate(getSubject(message)))));
}

/**
 * Fingerprints a change. A cherry-pick or a rebased copy has the same author, author date, subject, files and numbers of lines,
 * so it has the same fingerprint.
 */
function fingerprintContent(commit: LoggedCommit): bigint {
  const changes = commit.files
    .map(({ path, added, deleted }) => `${added}\t${deleted}\t${path}`)
    .join("\0");
  return fingerprintText(
    `${commit.author.line}\0${commit.seconds}\0${getSubject(commit.message)}\0${changes}`,
  );
}

/** Whether a commit adds more than 100 files to one top-level folder. Such a commit does not show its author's skills. */
function isBulkImport(commit: LoggedCommit): boolean {
  if (commit.files.length <= bulkFiles) return false;
  const added = commit.files.filter(({ isNew }) => isNew);
  const folders = Map.groupBy(added, ({ path }) => path.slice(0, Math.max(0, path.indexOf("/"))));
  return folders.values().some((files) => files.length > bulkFiles);
}

const bulkFiles = 100;
