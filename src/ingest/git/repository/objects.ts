import { isFault } from "../../../contract/fault.ts";
import { composeInput, decodeGitText, type Git } from "../git-command.ts";
import { createMissingFault } from "./refusal.ts";

/**
 * Reads contents in order through one `git cat-file --batch`, with one content in memory at a time.
 * @param wanted.bytesMax larger files are skipped.
 * @param onBlob called with each file that git has; the content is valid only during the call.
 */
export async function readBlobs<File extends Pick<TreeFile, "sha">>(
  git: Git,
  directory: string,
  { files, bytesMax }: { readonly files: readonly File[]; readonly bytesMax: number },
  onBlob: (file: File, content: Buffer) => void,
): Promise<void> {
  let answered = 0;
  const take = (content: Buffer | undefined): void => {
    const file = files[answered++];
    if (file && content) onBlob(file, content);
  };
  if (files.length === 0) return;
  const input = composeInput(files.map(({ sha }) => sha));
  await git.stream(directory, ["cat-file", "--batch"], parseAnswers(bytesMax, take), input);
}

/** Decodes the content of a text file, and removes a byte order mark. */
export function toFileText(content: Buffer): string {
  return decodeGitText(content).replace(/^\uFEFF/, "");
}

/** Parses git's answers: `sha SP type SP bytes LF content LF`, or `sha SP missing LF`. */
function parseAnswers(bytesMax: number, onAnswer: (content: Buffer | undefined) => void) {
  let head = "";
  let blob: { readonly bytes: number; at: number } | undefined;
  // One buffer for all contents: thousands of large buffers would keep the garbage collector busy.
  let whole = Buffer.alloc(0);
  const answer = (content: Buffer | undefined): void => {
    blob = undefined;
    onAnswer(content);
  };
  return (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length; ) {
      if (!blob) {
        const end = chunk.indexOf(10, at);
        head += chunk.toString("latin1", at, end === -1 ? chunk.length : end);
        if (end === -1) break;
        at = end + 1;
        // Git repeats the name of an object that it does not find, and the name may have spaces.
        if (/ (missing|ambiguous)$/.test(head)) answer(undefined);
        else blob = { bytes: Number(head.slice(head.lastIndexOf(" ") + 1)), at: 0 };
        head = "";
      } else {
        // A line feed follows the content.
        const part = chunk.subarray(at, at + blob.bytes + 1 - blob.at);
        const isKept = blob.bytes <= bytesMax;
        if (isKept) {
          if (whole.length <= blob.bytes) whole = Buffer.allocUnsafeSlow((blob.bytes + 1) * 2);
          whole.set(part, blob.at);
        }
        blob.at += part.length;
        at += part.length;
        if (blob.at > blob.bytes) answer(isKept ? whole.subarray(0, blob.bytes) : undefined);
      }
    }
  };
}

/**
 * @param names without line ends.
 * @param format what `git cat-file --batch-check` prints for each name.
 * @returns answers in the order of the names; undefined for an object that git does not have.
 */
export async function resolveObjects(
  git: Git,
  directory: string,
  names: readonly string[],
  format = "%(objectname)",
): Promise<readonly (string | undefined)[]> {
  if (names.length === 0) return [];
  const command = ["cat-file", `--batch-check=${format}`];
  const answer = await git.read(directory, command, composeInput(names));
  const lines = answer.toString("latin1").split("\n");
  return lines.map((line) => (/ (missing|ambiguous)$/.test(line) ? undefined : line));
}

/** @returns sizes in bytes, by object id. Git does not read the contents for this. */
export async function readBlobSizes(
  git: Git,
  directory: string,
  shas: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const requested = [...shas];
  const sizes = await resolveObjects(git, directory, requested, "%(objectsize)");
  return new Map(requested.map((sha, at) => [sha, Number(sizes[at])]));
}

export interface TreeFile {
  readonly path: string;
  readonly sha: string;
  readonly bytes: number;
}

/** Lists the regular files of a tree, without links and submodules. @throws Fault when git lacks one of them. */
export async function listTree(
  git: Git,
  directory: string,
  tree: string,
): Promise<readonly TreeFile[]> {
  const output = await git.read(directory, ["ls-tree", "-r", "-l", "-z", "--full-tree", tree]);
  const files: TreeFile[] = [];
  let from = 0;
  for (let nul = output.indexOf(0); nul !== -1; nul = output.indexOf(0, from)) {
    const line = decodeGitText(output.subarray(from, nul));
    from = nul + 1;
    const [, sha, bytes, path] = /^100\d+ blob ([0-9a-f]+) +(\d+|BAD)\t(.+)$/s.exec(line) ?? [];
    if (bytes === "BAD") throw createMissingFault();
    if (sha && path) files.push({ path, sha, bytes: Number(bytes) });
  }
  return files;
}

/** @returns the id of an object, or undefined when there is none. */
export async function findObject(
  git: Git,
  directory: string,
  revision: string,
): Promise<string | undefined> {
  try {
    const found = await git.read(directory, ["rev-parse", "--verify", "--quiet", revision]);
    return found.toString().trim();
  } catch (error) {
    // Git reports a missing object as a failure; other errors are passed on.
    if (isFault(error, "git")) return undefined;
    throw error;
  }
}
