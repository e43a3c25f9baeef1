/**
 * Reads the notes of a repository that are others than when it was last read, or whose commits have come since. Notes are listed
 * and read in batches, and of each only a verdict and counts are kept.
 */

import { fingerprintSha } from "../commits/fingerprints.ts";
import type { History } from "../commits/history.ts";
import { openCommits } from "../commits/history.ts";
import type { KeptCommit } from "../commits/kept-commit.ts";
import { runLog } from "../commits/read-log.ts";
import { composeInput, type Git } from "../git-command.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { isUnreadable } from "../repository/missing-objects.ts";
import { readBlobSizes, readBlobs, toFileText } from "../repository/objects.ts";
import type { FoundRepository } from "../repository/view.ts";
import { judgeNote, type KeptNote, type NotedCommit } from "./judge-note.ts";
import { type ListedNote, listNotes } from "./list-notes.ts";
import { type NoteText, parseNote } from "./parse-note.ts";

/** Larger notes are left out: those of old versions, which hold whole conversations, have up to four megabytes. */
const noteBytesMax = 8 * 1024 * 1024;

/** Brings the notes of a place up to date with a repository whose history is stored. */
export async function readNotes(
  git: Git,
  found: Pick<FoundRepository, "directory" | "notes" | "cuts">,
  { id }: { readonly id: number },
  ledger: Pick<Ledger, "history" | "notes">,
): Promise<void> {
  const before = ledger.notes.of(id);
  if (found.notes === "") {
    ledger.notes.save(id, new Map(), before.keys());
    ledger.notes.settle(id, "");
    return;
  }
  const commits = openHistory(ledger.history(id));
  const listed = new Set<bigint>();
  try {
    for await (const batch of listNotes(git, found.directory, found.notes)) {
      const changed = new Map<bigint, KeptNote>();
      const open: OpenNote[] = [];
      for (const note of batch) {
        const key = fingerprintSha(note.commit);
        if (listed.has(key)) continue;
        listed.add(key);
        const content = note.sha.slice(0, contentDigits);
        const stored = before.get(key);
        const isSame = stored?.content === content && stored.verdict !== "missing";
        if (!commits.has(key)) {
          if (!isSame) changed.set(key, { content, verdict: "absent", lines: {} });
        } else if (!isSame || stored.verdict === "absent") open.push({ ...note, key, content });
      }
      for (const [key, note] of await judgeAll(git, found, open, commits)) changed.set(key, note);
      ledger.notes.save(id, changed, []);
    }
  } catch (error) {
    // A damaged list says nothing of the notes that are known. The next run tries again.
    if (isUnreadable(error)) return;
    throw error;
  }
  ledger.notes.save(
    id,
    new Map(),
    before.keys().filter((key) => !listed.has(key)),
  );
  ledger.notes.settle(id, found.notes);
}

const contentDigits = 16;

interface OpenNote extends ListedNote {
  /** Fingerprint of its commit. */
  readonly key: bigint;
  readonly content: string;
}

type KnownCommits = ReturnType<typeof openHistory>;

function openHistory({ names, segments }: Pick<History, "names" | "segments">) {
  const { has, find } = openCommits(segments);
  let numbers: ReadonlyMap<string, number> | undefined;
  return {
    has,
    find: (note: OpenNote): NotedCommit | undefined => {
      numbers ??= new Map(names.paths.map((path, at) => [path, at]));
      const commit = find(note.key);
      return commit && toNoted(note.commit, commit, numbers);
    },
  };
}

function toNoted(
  sha: string,
  { seconds, files, isMerge, isIncomplete }: KeptCommit,
  numbers: ReadonlyMap<string, number>,
): NotedCommit {
  const added = new Map(files.map((file) => [file.path, file.added]));
  return {
    ...{ sha, seconds, isMerge, isIncomplete },
    addedTo: (path) => added.get(numbers.get(path) ?? -1),
  };
}

async function judgeAll(
  git: Git,
  found: Pick<FoundRepository, "directory" | "cuts">,
  open: readonly OpenNote[],
  commits: KnownCommits,
): Promise<ReadonlyMap<bigint, KeptNote>> {
  const judged = new Map<bigint, KeptNote>();
  const doubted = new Map<OpenNote, NoteText>();
  const wanted = { files: open, bytesMax: noteBytesMax };
  const unread = new Set(open);
  await readBlobs(git, found.directory, wanted, (note, bytes) => {
    unread.delete(note);
    const { key, content } = note;
    const text = parseNote(toFileText(bytes));
    const commit = commits.find(note);
    if (!text) judged.set(key, { content, verdict: "malformed", lines: {} });
    else if (commit) {
      const found = judgeNote(text, commit, []);
      judged.set(key, { content, ...found });
      if (found.verdict === "contradicted") doubted.set(note, text);
    }
  });
  const look = await lookCloser(git, found, [...doubted.keys()]);
  for (const [note, text] of doubted) {
    const commit = commits.find(note);
    if (!commit) continue;
    const { parents, addedTo = commit.addedTo } = look(note);
    const { key, content } = note;
    judged.set(key, { content, ...judgeNote(text, { ...commit, addedTo }, parents) });
  }
  const lost = [...unread].map(({ sha }) => sha);
  const sizes = await readBlobSizes(git, found.directory, lost);
  for (const { key, content, sha } of unread) {
    const verdict = (sizes.get(sha) ?? 0) > noteBytesMax ? "large" : "missing";
    judged.set(key, { content, verdict, lines: {} });
  }
  return judged;
}

/**
 * Reads what the stored history does not tell of the commits of notes that seem to be contradicted: their parents, and their lines
 * as git-ai counts them. Git pairs some lines otherwise when it is asked for no context.
 */
async function lookCloser(
  git: Git,
  { directory, cuts }: Pick<FoundRepository, "directory" | "cuts">,
  notes: readonly OpenNote[],
): Promise<
  (note: OpenNote) => {
    readonly parents: readonly string[];
    readonly addedTo?: NotedCommit["addedTo"] | undefined;
  }
> {
  if (notes.length === 0) return () => ({ parents: [] });
  const shas = notes.map(({ commit }) => commit);
  const command = ["rev-list", "--no-walk=unsorted", "--parents", "--stdin"];
  const listed = (await git.read(directory, command, composeInput(shas))).toString("latin1");
  const parents = new Map(
    listed.split("\n").map((line) => {
      const [sha = "", ...all] = line.split(" ");
      return [sha, cuts.get(sha) ?? all];
    }),
  );
  const files = new Map<string, ReadonlyMap<string, number>>();
  const how = { options: ["--raw", "--numstat", "-M"], settings: ["-c", "diff.context=0"] };
  await runLog(git, directory, { ...how, shas }, (commit) => {
    files.set(commit.sha, new Map(commit.files.map(({ path, added }) => [path, added])));
  }).catch((error: unknown) => {
    // Where objects are missing, the stored history decides.
    if (!isUnreadable(error)) throw error;
  });
  return ({ commit }) => {
    const added = files.get(commit);
    return {
      parents: parents.get(commit) ?? [],
      addedTo: added && ((path) => added.get(path)),
    };
  };
}
