import { isFault } from "../../../contract/fault.ts";
import { composeInput, decodeGitText, type Git } from "../git-command.ts";
import { findUnreadable, isUnreadable, resolveObjects } from "./missing-objects.ts";

/**
 * Reads the contents of files in order through one `git cat-file --batch`; only one is in memory at a time, since git waits
 * until its output is taken.
 *
 * @param wanted.bytesMax larger files are skipped without being held in memory.
 * @param onBlob called with each file and its content, whose bytes are valid during the call; files that git does not
 *   have are skipped, and damaged ones.
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
  for (let failures = 0; answered < files.length; failures++) {
    const input = composeInput(files.slice(answered).map(({ sha }) => sha));
    try {
      await git.stream(directory, ["cat-file", "--batch"], parseAnswers(bytesMax, take), input);
      return;
    } catch (error) {
      // Git ends at content whose bytes are wrong.
      if (failures === failuresMax || !isUnreadable(error)) throw error;
      answered += 1;
    }
  }
}

/** A repository with more damaged contents is no longer worth a process for each. */
const failuresMax = 100;

/** Decodes a text file, without a byte order mark. */
export function toFileText(content: Buffer): string {
  return decodeGitText(content).replace(/^\uFEFF/, "");
}

/** Parses git's answers: `sha SP type SP bytes LF content LF`, or `sha SP missing LF`. */
function parseAnswers(bytesMax: number, onAnswer: (content: Buffer | undefined) => void) {
  let head = "";
  let blob: { readonly bytes: number; at: number } | undefined;
  // One for all contents, since thousands of large ones would keep the garbage collector busy.
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
        // One more byte ends the content.
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

/** @returns bytes by object id; git knows sizes without reading the contents, which may be huge. */
export async function readBlobSizes(
  git: Git,
  directory: string,
  shas: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const asked = [...shas];
  const sizes = await resolveObjects(git, directory, asked, "%(objectsize)");
  return new Map(asked.map((sha, at) => [sha, Number(sizes[at] ?? Number.NaN)]));
}

export interface TreeFile {
  readonly path: string;
  readonly sha: string;
  /** NaN when git does not have the content. */
  readonly bytes: number;
}

/**
 * Lists the regular files of the newest tree, without links and submodules; nothing where git lacks a folder.
 *
 * @returns `missing`: folders and contents that git does not have.
 */
export async function readTree(
  git: Git,
  { directory, head }: { readonly directory: string; readonly head: string },
): Promise<{ readonly files: readonly TreeFile[]; readonly missing: readonly string[] }> {
  try {
    const files = await Array.fromAsync(listTree(git, directory, head));
    const lost = files.filter(({ bytes }) => Number.isNaN(bytes));
    return { files, missing: lost.map(({ sha }) => sha) };
  } catch (error) {
    // Without the tree, files are classified by their paths.
    if (isUnreadable(error)) return { files: [], missing: findUnreadable(error) };
    throw error;
  }
}

/** Lists the regular files of a tree, one at a time. @throws Fault when git lacks a folder. */
export async function* listTree(
  git: Git,
  directory: string,
  tree: string,
): AsyncGenerator<TreeFile> {
  const output = await git.read(directory, ["ls-tree", "-r", "-l", "-z", "--full-tree", tree]);
  let from = 0;
  for (let nul = output.indexOf(0); nul !== -1; nul = output.indexOf(0, from)) {
    const line = decodeGitText(output.subarray(from, nul));
    from = nul + 1;
    const [, sha, bytes, path] = /^100\d+ blob ([0-9a-f]+) +(\d+|BAD)\t(.+)$/s.exec(line) ?? [];
    if (sha && path) yield { path, sha, bytes: Number(bytes) };
  }
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
