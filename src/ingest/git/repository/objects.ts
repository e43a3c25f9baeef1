import { isFault } from "../../../contract/fault.ts";
import { decodeGitText, type Git } from "../git-command.ts";

/** Asked for and not yet answered, in files: enough to keep git busy, little to hold. */
const ahead = 64;

/**
 * Reads the contents of files through one `git cat-file --batch`, in order, one at a time in memory.
 *
 * @param bytesMax larger files are passed over, and never held.
 * @param onBlob called with each file and its content, to be used at once; files that git does not have are passed over.
 */
export async function readBlobs(
  git: Git,
  directory: string,
  { files, bytesMax }: { readonly files: readonly TreeFile[]; readonly bytesMax: number },
  onBlob: (file: TreeFile, content: Buffer) => void,
): Promise<void> {
  if (files.length === 0) return;
  const talk = git.converse(directory, ["cat-file", "--batch"]);
  let asked = 0;
  const ask = (upTo: number): void => {
    const end = Math.min(files.length, upTo);
    if (asked >= end) return;
    talk.write(
      files
        .slice(asked, end)
        .map(({ sha }) => `${sha}\n`)
        .join(""),
    );
    asked = end;
  };
  ask(ahead);
  await talk.flush();
  let answered = 0;
  const take = answersOf(bytesMax, (content) => {
    const file = files[answered];
    answered += 1;
    if (file && content) onBlob(file, content);
  });
  for await (const chunk of talk.chunks) {
    take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (answered === files.length) talk.end();
    else if (asked - answered < ahead / 2) {
      ask(answered + ahead);
      await talk.flush();
    }
  }
  await talk.ended();
}

/** A text file as text, without the mark that some editors put before it. */
export function toFileText(content: Buffer): string {
  return decodeGitText(content).replace(/^\uFEFF/, "");
}

/** Git answers `sha SP type SP bytes LF content LF`, or `sha SP missing LF`. */
function answersOf(bytesMax: number, onAnswer: (content: Buffer | undefined) => void) {
  let head = "";
  let blob: { readonly pieces: Buffer[]; readonly isKept: boolean; left: number } | undefined;
  return (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length; ) {
      if (!blob) {
        const end = chunk.indexOf(10, at);
        head += chunk.toString("latin1", at, end === -1 ? chunk.length : end);
        if (end === -1) return;
        at = end + 1;
        const [, type, size] = head.split(" ");
        head = "";
        if (type === "missing" || size === undefined) onAnswer(undefined);
        else blob = { pieces: [], isKept: Number(size) <= bytesMax, left: Number(size) + 1 };
      } else {
        const piece = chunk.subarray(at, at + blob.left);
        // A copy: the stream may use its buffer again.
        if (blob.isKept) blob.pieces.push(Buffer.from(piece));
        blob.left -= piece.length;
        at += piece.length;
        if (blob.left > 0) return;
        onAnswer(blob.isKept ? Buffer.concat(blob.pieces).subarray(0, -1) : undefined);
        blob = undefined;
      }
    }
  };
}

/** @returns bytes by name; git knows them without reading the contents, of which some may be gigantic. */
export async function readBlobSizes(
  git: Git,
  directory: string,
  shas: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const lines = [...shas].map((sha) => `${sha}\n`).join("");
  if (!lines) return new Map();
  const asked = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
  const answer = (await git.read(directory, asked, lines)).toString("latin1");
  return new Map(
    answer.split("\n").map((line) => {
      const end = line.indexOf(" ");
      return [line.slice(0, end), Number(line.slice(end))];
    }),
  );
}

/** The newest tree of a repository: paths with sizes, and the language most of it is written in. */

export interface TreeFile {
  readonly path: string;
  readonly sha: string;
  readonly bytes: number;
}

/** Regular files only: no links, no submodules. */
export async function readTree(
  git: Git,
  repository: { readonly directory: string; readonly head: string },
): Promise<readonly TreeFile[]> {
  const output = await git.read(repository.directory, [
    "ls-tree",
    "-r",
    "-l",
    "-z",
    "--full-tree",
    repository.head,
  ]);
  const files: TreeFile[] = [];
  let from = 0;
  for (let nul = output.indexOf(0); nul !== -1; nul = output.indexOf(0, from)) {
    const line = decodeGitText(output.subarray(from, nul));
    from = nul + 1;
    const [, sha, bytes, path] = /^100\d+ blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line) ?? [];
    if (sha && path) files.push({ path, sha, bytes: Number(bytes) });
  }
  return files;
}

/** @returns the name of an object, or undefined when there is none. */
export async function findObject(
  git: Git,
  directory: string,
  revision: string,
): Promise<string | undefined> {
  try {
    const found = await git.read(directory, ["rev-parse", "--verify", "--quiet", revision]);
    return found.toString().trim();
  } catch (error) {
    // A question that git answers with a failure: no. Whatever else went wrong is not swallowed.
    if (isFault(error, "git")) return undefined;
    throw error;
  }
}
