import { decodeGitText, type Git } from "../git-command.ts";
import type { TreeFile } from "./tree.ts";

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
