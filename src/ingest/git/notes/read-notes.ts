/** Reads new and changed notes, and the notes of new commits. Stores only verdicts and counts. */
import { fingerprintSha } from "../commit/fingerprints.ts";
import { openCommits } from "../commit/stored-commits.ts";
import { composeInput, type Git } from "../git-command.ts";
import type { History } from "../read/history.ts";
import { runLog } from "../read/read-log.ts";
import { listTree, readBlobs, toFileText } from "../repository/objects.ts";
import type { FoundRepository } from "../repository/view.ts";
import { judgeNote, type NotedCommit, type StoredNote, type StoredNotes } from "./judge-note.ts";
import { type NoteText, parseNote } from "./parse-note.ts";

/** The most bytes of a note. Larger notes are skipped. */
const noteBytesMax = 4 * 1024 * 1024;
/** The most notes for commits that the history lacks; further notes are skipped. */
const absentMax = 100_000;

/** @param before the stored notes. @returns new and changed notes, and commits that no longer have a note. */
export async function readNotes(
  git: Git,
  found: Pick<FoundRepository, "directory" | "notes" | "cuts">,
  history: () => Pick<History, "names" | "segments">,
  before: StoredNotes,
) {
  const changed = new Map<bigint, StoredNote>();
  if (found.notes === "") return { changed, gone: [...before.keys()] };
  const commits = openHistory(history());
  const listed = new Set<bigint>();
  const open: OpenNote[] = [];
  let absent = 0;
  for (const { path, sha, bytes } of await listTree(git, found.directory, found.notes)) {
    // Git distributes many notes over folders named by the first digits of the commit.
    const commit = path.replaceAll("/", "");
    if (commit.length !== sha.length || !/^[0-9a-f]+$/.test(commit)) continue;
    const key = fingerprintSha(commit);
    const isAbsent = !commits.has(key);
    if (listed.has(key) || (isAbsent && ++absent > absentMax)) continue;
    listed.add(key);
    const content = sha.slice(0, contentDigits);
    const stored = before.get(key);
    const isSame = stored?.content === content && stored.verdict !== "missing";
    if (isSame && (isAbsent || stored.verdict !== "absent")) continue;
    changed.set(key, { content, verdict: isAbsent ? "absent" : "large", lines: {} });
    if (!isAbsent && bytes <= noteBytesMax) open.push({ key, content, commit, sha });
  }
  await judgeAll({ git, found, commits, judged: changed }, open);
  return { changed, gone: [...before.keys()].filter((key) => !listed.has(key)) };
}

const contentDigits = 16;

interface OpenNote {
  readonly key: bigint;
  readonly content: string;
  readonly commit: string;
  /** Object id of the note's text. */
  readonly sha: string;
}

function openHistory({ names, segments }: Pick<History, "names" | "segments">) {
  const { has, find } = openCommits(segments);
  let numbers: ReadonlyMap<string, number> | undefined;
  return {
    has,
    find: ({ key, commit: sha }: OpenNote): NotedCommit | undefined => {
      numbers ??= new Map(names.paths.map((path, at) => [path, at]));
      const commit = find(key);
      if (!commit) return undefined;
      const { seconds, files, isMerge, isIncomplete } = commit;
      const added = new Map(files.map((file) => [file.path, file.added]));
      const addedTo = (path: string) => added.get(numbers?.get(path) ?? -1);
      return { sha, seconds, isMerge, isIncomplete, addedTo };
    },
  };
}

interface Judging {
  readonly git: Git;
  readonly found: Pick<FoundRepository, "directory" | "cuts">;
  readonly commits: ReturnType<typeof openHistory>;
  /** Receives the verdicts. */
  readonly judged: Map<bigint, StoredNote>;
}

/** A note that its commit seems to contradict. */
interface DoubtedNote {
  readonly note: OpenNote;
  readonly text: NoteText;
  readonly commit: NotedCommit;
}

/** Judges notes. Reads each text once, because many commits may have the same note. */
async function judgeAll(judging: Judging, open: readonly OpenNote[]): Promise<void> {
  const { git, found, commits, judged } = judging;
  const doubted = new Map<string, DoubtedNote>();
  const byText = Map.groupBy(open, ({ sha }) => sha);
  const files = [...byText].map(([sha, notes]) => ({ sha, notes }));
  await readBlobs(git, found.directory, { files, bytesMax: noteBytesMax }, ({ notes }, bytes) => {
    const text = parseNote(toFileText(bytes));
    for (const note of notes) {
      const { key, content } = note;
      const commit = commits.find(note);
      if (!text) judged.set(key, { content, verdict: "malformed", lines: {} });
      if (!text || !commit) continue;
      const first = judgeNote(text, commit, []);
      judged.set(key, { content, ...first });
      if (first.verdict === "contradicted" && speaksOf(commit, text)) {
        doubted.set(note.commit, { note, text, commit });
      }
    }
  });
  await lookCloser(judging, doubted);
}

/** Whether the commit may have changed all files of the note. */
function speaksOf({ isIncomplete, addedTo }: NotedCommit, { files }: NoteText): boolean {
  return isIncomplete || files.keys().every((path) => addedTo(path) !== undefined);
}

/** Judges notes again, with the parents of their commits, and with lines counted as git-ai counts them. */
async function lookCloser(
  { git, found: { directory, cuts }, judged }: Judging,
  doubted: ReadonlyMap<string, DoubtedNote>,
): Promise<void> {
  if (doubted.size === 0) return;
  const shas = [...doubted.keys()];
  const command = ["rev-list", "--no-walk=unsorted", "--parents", "--stdin"];
  const listed = (await git.read(directory, command, composeInput(shas))).toString("latin1");
  const parents = new Map(
    listed.split("\n").map((line) => {
      const [sha = "", ...all] = line.split(" ");
      return [sha, cuts.get(sha) ?? all];
    }),
  );
  const judge = ({ note, text, commit }: DoubtedNote, addedTo = commit.addedTo): void => {
    const better = judgeNote(text, { ...commit, addedTo }, parents.get(note.commit) ?? []);
    judged.set(note.key, { content: note.content, ...better });
  };
  for (const one of doubted.values()) judge(one);
  const how = { options: ["--raw", "--numstat", "-M"], settings: ["-c", "diff.context=0"] };
  await runLog(git, directory, { ...how, shas }, ({ sha, files }) => {
    const one = doubted.get(sha);
    const added = new Map(files.map((file) => [file.path, file.added]));
    if (one) judge(one, (path) => added.get(path));
  });
}
