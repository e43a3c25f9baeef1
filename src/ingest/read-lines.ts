/** @package One line of text, or why it could not be decoded. */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly fault: string };

/** The longest accepted line: far above what the schema's limits make likely, and small enough for memory. */
export const lineBytesMax = 8 * 2 ** 20;

const newline = 0x0a;
const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * Splits bytes into lines and holds at most one chunk and one line in memory. Blank lines are counted and
 * skipped; CRLF line breaks and a byte order mark are accepted.
 *
 * @package
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  const pending = new PendingLine();
  for await (const chunk of bytes) {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      pending.add(chunk.subarray(from, at));
      pending.endInto(lines);
      from = at + 1;
    }
    pending.add(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  const last: Line[] = [];
  pending.endInto(last);
  if (last.length > 0) yield last;
}

/** The line being read. Once it is too long, its bytes are dropped and only its length is kept. */
class PendingLine {
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #number = 1;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  add(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > lineBytesMax) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  endInto(lines: Line[]): void {
    const number = this.#number;
    const line = this.#bytes > lineBytesMax ? tooLong(number) : this.#decode(number);
    if (line) lines.push(line);
    this.#pieces = [];
    this.#bytes = 0;
    this.#number += 1;
  }

  #decode(number: number): Line | undefined {
    if (this.#bytes === 0) return undefined;
    const [only] = this.#pieces;
    let bytes = this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces);
    if (number === 1 && byteOrderMark.every((byte, at) => bytes[at] === byte)) {
      bytes = bytes.subarray(byteOrderMark.length);
    }
    try {
      const text = this.#decoder.decode(bytes);
      return text.trim() === "" ? undefined : { number, text };
    } catch {
      return { number, fault: "is not valid UTF-8" };
    }
  }
}

const tooLong = (number: number): Line => ({
  number,
  fault: `is longer than ${lineBytesMax / 2 ** 20} MiB`,
});
