/** @package One line of text, or a line that could not be decoded. */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly fault: string };

/** The longest accepted line in bytes. Lines with facts are far shorter. */
export const lineBytesMax = 8 * 2 ** 20;

const newline = 0x0a;
/** @package Splits bytes into lines. Holds at most one chunk and one line in memory. Blank lines are left out, but counted. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let number = 0;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array) => {
    length += piece.length;
    // Drops the text of a line that is too long.
    if (length > lineBytesMax) pieces = [];
    else pieces.push(piece);
  };
  const endLine = (): readonly Line[] => {
    number += 1;
    const line = length > lineBytesMax ? tooLong(number) : decodeLine(number, pieces);
    pieces = [];
    length = 0;
    return line ? [line] : [];
  };
  for await (const chunk of bytes) {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, at));
      lines.push(...endLine());
      from = at + 1;
    }
    add(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  yield [...endLine()];
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decodeLine(number: number, pieces: readonly Uint8Array[]): Line | undefined {
  try {
    const text = decoder.decode(Buffer.concat(pieces));
    return text.trim() === "" ? undefined : { number, text };
  } catch {
    return { number, fault: "is not valid UTF-8" };
  }
}

const tooLong = (number: number): Line => ({
  number,
  fault: `is longer than ${lineBytesMax / 2 ** 20} MiB`,
});
