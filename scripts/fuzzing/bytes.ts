/** Bytes as text with one letter for each, so that a case is plain data and fast-check can shrink it. */
import fc from "fast-check";

export const asBytes = (text: string) => Buffer.from(text, "latin1");
/** @returns the bytes of the text in UTF-8. */
export const fromText = (text: string) => Buffer.from(text, "utf8").toString("latin1");

export const anyBytes = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString("latin1"));

/** Quotes bytes for a shell's `printf '%b'`. */
export function printed(bytes: string): string {
  const plain = bytes
    .replaceAll("\\", "\\\\")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n")
    .replace(/[^ -~]|'/g, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return plain.length > 2000 ? `${plain.slice(0, 2000)}... (${bytes.length} bytes)` : plain;
}
