import type { Git } from "../git-command.ts";
import type { TreeFile } from "./tree.ts";

/** Asked for and not yet answered, in files: enough to keep git busy, little to hold. */
const ahead = 64;

/**
 * Reads the contents of files through one `git cat-file --batch`, in order, one at a time in memory.
 *
 * @param onBlob called with each file and its content, to be used at once; files that git does not have are passed over.
 */
export async function readBlobs(
  git: Git,
  directory: string,
  files: readonly TreeFile[],
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
  let buffer = Buffer.alloc(0);
  let answered = 0;
  for await (const chunk of talk.chunks) {
    buffer = buffer.length === 0 ? Buffer.from(chunk) : Buffer.concat([buffer, chunk]);
    for (let blob = nextBlob(buffer); blob; blob = nextBlob(buffer)) {
      const file = files[answered];
      answered += 1;
      if (file && blob.content) onBlob(file, blob.content);
      buffer = buffer.subarray(blob.length);
    }
    if (answered === files.length) talk.end();
    else if (asked - answered < ahead / 2) {
      ask(answered + ahead);
      await talk.flush();
    }
  }
  await talk.ended();
}

/** `sha SP type SP bytes LF content LF`, or `sha SP missing LF`. */
function nextBlob(buffer: Buffer): { content: Buffer | undefined; length: number } | undefined {
  const end = buffer.indexOf(10);
  if (end === -1) return undefined;
  const [, type, size] = buffer.toString("latin1", 0, end).split(" ");
  if (type === "missing" || size === undefined) return { content: undefined, length: end + 1 };
  const length = end + 1 + Number(size) + 1;
  if (buffer.length < length) return undefined;
  return { content: buffer.subarray(end + 1, length - 1), length };
}
