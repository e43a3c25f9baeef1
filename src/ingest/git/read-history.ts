/** Stage 2, read log, for one repository: reads its newest tree, then one `git log` of the new commits. */
import type { Vocabulary } from "../../vocabulary/vocabulary.ts";
import type { Linguist } from "../linguist/linguist.ts";
import type { History } from "./commits/history.ts";
import { createRecording, type RecordingStart } from "./commits/history-recording.ts";
import { readLog } from "./commits/log.ts";
import { createWhitespaceCheck } from "./commits/whitespace-only.ts";
import type { Git } from "./git-command.ts";
import { mapCoAuthors } from "./identity/author-identities.ts";
import { createAddedPackages } from "./repository/added-packages.ts";
import { assignPathMeanings, readNewestTree } from "./repository/newest-tree.ts";
import type { FoundRepository } from "./repository/view.ts";

interface HistoryContext {
  /** The stored history to continue from. */
  readonly since?: RecordingStart & { readonly head: string };
  readonly linguist: Linguist;
  readonly vocabulary: Pick<Vocabulary, "pathClasses" | "packageSkill" | "textSkills">;
  readonly report: {
    now(path: string): void;
    commit(path: string): void;
    count(git: Git, range: Range): Promise<void>;
  };
}

interface Range {
  readonly directory: string;
  readonly head: string;
  readonly since?: string;
}

export async function readHistory(
  git: Git,
  found: FoundRepository,
  context: HistoryContext,
): Promise<{ readonly history: History; readonly newCommits: number }> {
  const { since, linguist, vocabulary, report } = context;
  const { directory, head, path } = found;
  const range = { directory, head, ...(since && { since: since.head }) };
  const recording = createRecording(since);
  const read = async () => {
    const tree = await readNewestTree(git, found, linguist, vocabulary);
    const whitespace = createWhitespaceCheck(git, directory);
    const packages = createAddedPackages(git, directory, vocabulary);
    try {
      await readLog(git, range, (commit) => {
        recording.take(commit);
        whitespace.look(commit);
        packages.look(commit);
        report.commit(path);
      });
    } catch (error) {
      whitespace.stop();
      throw error;
    }
    const [whitespaceOnly, added] = await Promise.all([whitespace.end(), packages.end()]);
    return { tree, whitespaceOnly, added };
  };
  // The count runs in parallel and ends long before the reading.
  const [{ tree, ...learnt }] = await Promise.all([read(), report.count(git, range)]);
  report.now(path);
  const named = await mapCoAuthors(git, found, recording.newTrailers());
  const { metadata, ...rest } = recording.end({ named, ...learnt });
  const meaning = { ...assignPathMeanings(rest.names, tree, vocabulary), language: tree.language };
  return {
    history: { ...rest, metadata: { ...metadata, ...meaning } },
    newCommits: recording.taken(),
  };
}
