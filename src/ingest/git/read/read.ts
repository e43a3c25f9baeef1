/** The stage `read` turns a repository into a stored history. It reads the newest tree, then the new commits in one `git log`. */

import { splitBatches } from "../../../contract/split-batches.ts";
import type { Linguist } from "../../linguist/linguist.ts";
import { isDisordered, toDayNumber } from "../commit/day-number.ts";
import { followRenames } from "../commit/follow-renames.ts";
import type { LoggedCommit, SignedName } from "../commit/logged-commit.ts";
import { findReplacedName } from "../commit/replaced-names.ts";
import { iterateCommits } from "../commit/stored-commits.ts";
import { parseSignatures } from "../credit/signatures.ts";
import { createManifestLog } from "../evidence/manifest-log.ts";
import { assignPathMeanings } from "../evidence/path-meaning.ts";
import type { PathContext } from "../evidence/prose.ts";
import { readTreeEvidence } from "../evidence/read-tree.ts";
import type { TreeContext } from "../evidence/text-files.ts";
import { findPackageWindows } from "../evidence/windows.ts";
import { composeInput, decodeGitText, type Git } from "../git-command.ts";
import { readOwnership } from "../ownership/read-ownership.ts";
import { describeCuts, listRevisions } from "../repository/cut-history.ts";
import { type NewestTree, readNewestTree } from "../repository/newest-tree.ts";
import type { FoundRepository } from "../repository/view.ts";
import type { History } from "./history.ts";
import { createRecording } from "./history-recording.ts";
import { readLog } from "./read-log.ts";
import { readMerges } from "./read-merges.ts";
import type { createReadProgress } from "./read-progress.ts";
import { createWhitespaceCheck } from "./whitespace-only.ts";

export interface HistoryContext {
  readonly since?: History & {
    readonly head: string;
    /** Whether a commit is already stored through another branch. */
    has(sha: string): boolean;
  };
  readonly linguist: Linguist;
  readonly vocabulary: TreeContext["vocabulary"] & PathContext["vocabulary"];
  readonly report: Pick<ReturnType<typeof createReadProgress>, "now" | "commit" | "count">;
}

/** Marks which paths of a history are in the newest tree: one bit for each path, in base64. */
function markPresent(paths: readonly string[], files: readonly { readonly path: string }[]) {
  const present = new Set(files.map(({ path }) => path));
  const bits = new Uint8Array(Math.ceil(paths.length / 8));
  for (const [at, path] of paths.entries()) {
    if (present.has(path)) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  }
  return bits.toBase64();
}

/** Reads the history of an opened repository. With `since`, reads only new commits and adds them to the stored history. */
export async function readHistory(git: Git, found: FoundRepository, context: HistoryContext) {
  const { since, linguist, vocabulary, report } = context;
  const { directory, head, path, cuts } = found;
  const range = { directory, head, cuts, ...(since && { since: since.head }) };
  report.count(Number(await git.read(directory, ["rev-list", "--count", ...listRevisions(range)])));
  const recording = createRecording(since);
  const read = async () => {
    const listed = await readNewestTree(git, found, linguist);
    const whitespace = createWhitespaceCheck(git, directory);
    const manifestLog = createManifestLog(git, directory, vocabulary);
    const merges = await readMerges(git, range);
    const open: LoggedCommit[] = [];
    await readLog(git, range, (logged) => {
      if (since?.has(logged.sha)) return;
      const commit = merges.place(logged);
      if (merges.isOpen(commit.sha)) open.push(commit);
      else recording.take(commit);
      whitespace.look(commit);
      manifestLog.look(commit, isDated(commit) && !isDisordered(commit));
      report.commit(path);
    });
    const own = await merges.own;
    for (const commit of open) recording.take({ ...commit, files: own.get(commit.sha) ?? [] });
    const [whitespaceOnly, manifests] = await Promise.all([
      whitespace.end(),
      manifestLog.end(listed.files),
    ]);
    return { listed, whitespaceOnly, manifests };
  };
  const { listed, ...learnt } = await read();
  const named = await mapCoAuthors(git, found, recording.newTrailers());
  const present = listed.files.map((file) => file.path);
  const { metadata, ...rest } = recording.end({ named, present, ...learnt });
  const { names, segments } = rest;
  const tree = classifyByHistory(listed, rest, linguist);
  const evidence = await readTreeEvidence(git, found, tree, vocabulary);
  const newestPath = followRenames(present, names);
  const manifests = { dates: names.manifestDates, present: learnt.manifests.present };
  const dated = { commits: iterateDated(segments), paths: names.paths, newestPath, manifests };
  const windows = await findPackageWindows(git, directory, dated, evidence, vocabulary);
  const ownership = await readOwnership(git, found, tree);
  // The last report comes when all is read. A run that is cut off at it keeps this repository.
  report.now(path);
  const meaning = {
    ...assignPathMeanings(names.paths, newestPath, { ...tree, ...evidence, vocabulary }),
    ...{ windows, language: tree.language, ownership },
    newest: markPresent(names.paths, tree.files),
  };
  return {
    history: { ...rest, metadata: { ...metadata, ...meaning, missing: describeCuts(cuts) } },
    newCommits: recording.taken(),
  };
}

/** Classifies the files of the newest tree. Folders that look copied are own work where people write source over many commits. */
function classifyByHistory(
  listed: NewestTree,
  { names, segments }: Pick<History, "names" | "segments">,
  linguist: Linguist,
): NewestTree {
  const written = linguist.findWritten({
    tree: listed.files.map(({ path }) => path),
    isSource: (path) => listed.kindOf(path).counts,
    paths: names.paths,
    commits: () => iterateCommits(segments).filter(({ isMerge }) => !isMerge),
  });
  return written.size === 0 ? listed : listed.classify(written);
}

function isDated({ seconds }: { readonly seconds: number }): boolean {
  return toDayNumber(seconds) !== undefined;
}

/** Yields the non-merge commits whose author date can be trusted. */
function* iterateDated(segments: History["segments"]) {
  for (const commit of iterateCommits(segments)) {
    if (!commit.isMerge && !commit.isDisordered && isDated(commit)) yield commit;
  }
}

/** Applies the repository's mailmap to trailers (`Name <address>`). @returns people by trailer. */
export async function mapCoAuthors(
  git: Git,
  { directory }: { readonly directory: string },
  trailers: ReadonlySet<string>,
): Promise<ReadonlyMap<string, SignedName>> {
  const mapped = new Map<string, SignedName>();
  for (const some of splitBatches([...trailers], trailersAtOnce)) {
    const command = ["check-mailmap", "--stdin"];
    const output = decodeGitText(await git.read(directory, command, composeInput(some)));
    for (const [at, line] of output.split("\n").entries()) {
      const trailer = some[at];
      const [written] = parseSignatures(trailer ?? "");
      if (trailer === undefined || !written) continue;
      const { name, email } = parseSignatures(line)[0] ?? written;
      mapped.set(trailer, {
        ...{ name: name || written.name, email, rawEmail: written.email },
        ...(name && findReplacedName(name, written.name, written.email)),
      });
    }
  }
  return mapped;
}

const trailersAtOnce = 10_000;
