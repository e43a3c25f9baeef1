import { isFault } from "../../../contract/fault.ts";
import { composeInput, decodeGitText, type Git } from "../git-command.ts";
import { isUnreadable } from "./missing-objects.ts";

/** Files requested in advance: enough to keep git busy, few enough for memory. */
const ahead = 64;

interface WantedBlobs<File> {
  readonly files: readonly File[];
  readonly bytesMax: number;
}

/**
 * Reads the contents of files in order through one `git cat-file --batch`; only one is in memory at a time.
 *
 * @param wanted.bytesMax larger files are skipped without being held in memory.
 * @param onBlob called with each file and its content, whose bytes are valid during the call; files that git does not
 *   have are skipped, and damaged ones.
 */
export async function readBlobs<File extends Pick<TreeFile, "sha">>(
  git: Git,
  directory: string,
  { files, bytesMax }: WantedBlobs<File>,
  onBlob: (file: File, content: Buffer) => void,
): Promise<void> {
  let rest = files;
  for (let failures = 0; rest.length > 0; failures++) {
    let answered = 0;
    try {
      const wanted = { files: rest, bytesMax };
      await converse(git, directory, wanted, (file, content) => {
        answered += 1;
        if (file && content) onBlob(file, content);
      });
      return;
    } catch (error) {
      // Git ends at content whose bytes are wrong.
      if (failures === failuresMax || !isUnreadable(error)) throw error;
    }
    rest = rest.slice(answered + 1);
  }
}

/** A repository with more damaged contents is no longer worth a process for each. */
const failuresMax = 100;

async function converse<File extends Pick<TreeFile, "sha">>(
  git: Git,
  directory: string,
  { files, bytesMax }: WantedBlobs<File>,
  onAnswer: (file: File | undefined, content: Buffer | undefined) => void,
): Promise<void> {
  const talk = git.converse(directory, ["cat-file", "--batch"]);
  let requested = 0;
  const request = (end: number): void => {
    const wanted = files.slice(requested, end).map(({ sha }) => sha);
    if (wanted.length === 0) return;
    talk.write(composeInput(wanted));
    requested += wanted.length;
  };
  request(ahead);
  await talk.flush();
  let answered = 0;
  const take = parseAnswers(bytesMax, (content) => {
    const file = files[answered];
    answered += 1;
    onAnswer(file, content);
  });
  try {
    for await (const chunk of talk.chunks) {
      take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (answered === files.length) talk.end();
      else if (requested - answered < ahead / 2) {
        request(answered + ahead);
        await talk.flush();
      }
    }
  } finally {
    // Throws git's own error, which is clearer than a broken pipe.
    await talk.ended();
  }
}

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
  return (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length; ) {
      if (!blob) {
        const end = chunk.indexOf(10, at);
        head += chunk.toString("latin1", at, end === -1 ? chunk.length : end);
        if (end === -1) return;
        at = end + 1;
        // Git repeats the name of an object that it does not find, and the name may have spaces.
        const isFound = !/ (missing|ambiguous)$/.test(head);
        const bytes = Number(head.slice(head.lastIndexOf(" ") + 1));
        head = "";
        if (!isFound) onAnswer(undefined);
        else blob = { bytes, at: 0 };
      } else {
        // One more byte ends the content.
        const length = Math.min(chunk.length - at, blob.bytes + 1 - blob.at);
        const isKept = blob.bytes <= bytesMax;
        const isInOne = length > blob.bytes;
        if (isKept && !isInOne) {
          if (whole.length < blob.bytes) whole = Buffer.allocUnsafeSlow(blob.bytes * 2);
          whole.set(chunk.subarray(at, at + Math.min(length, blob.bytes - blob.at)), blob.at);
        }
        const start = at;
        blob.at += length;
        at += length;
        if (blob.at <= blob.bytes) return;
        const content = isInOne ? chunk.subarray(start, at - 1) : whole.subarray(0, blob.bytes);
        onAnswer(isKept ? content : undefined);
        blob = undefined;
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
  const lines = composeInput([...shas]);
  if (!lines) return new Map();
  const command = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const answer = (await git.read(directory, command, lines)).toString("latin1");
  return new Map(
    answer.split("\n").map((line) => {
      const end = line.indexOf(" ");
      return [line.slice(0, end), Number(line.slice(end))];
    }),
  );
}

export interface TreeFile {
  readonly path: string;
  readonly sha: string;
  /** NaN when git does not have the content. */
  readonly bytes: number;
}

/** Lists the regular files of the newest tree, without links and submodules. */
export async function readTree(
  git: Git,
  repository: { readonly directory: string; readonly head: string },
): Promise<readonly TreeFile[]> {
  const { directory, head } = repository;
  const command = ["ls-tree", "-r", "-l", "-z", "--full-tree", head];
  const output = await git.read(directory, command).catch((error: unknown) => {
    // Without the tree, files are classified by their paths.
    if (isUnreadable(error)) return Buffer.alloc(0);
    throw error;
  });
  const files: TreeFile[] = [];
  let from = 0;
  for (let nul = output.indexOf(0); nul !== -1; nul = output.indexOf(0, from)) {
    const line = decodeGitText(output.subarray(from, nul));
    from = nul + 1;
    const [, sha, bytes, path] = /^100\d+ blob ([0-9a-f]+) +(\d+|BAD)\t(.+)$/s.exec(line) ?? [];
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
