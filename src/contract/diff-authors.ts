/** Reads who made a change: the mails of `git format-patch` and what `git show` and `git log -p` print say it. */

import { limits } from "./limits.ts";

/** More people than these are named by no question; a series of so many is no change that somebody reviews. */
const authorsMax = 20;

/** Lines of a hunk begin with a mark, and those of a message in a log with spaces. */
const authorLine = /^(?:From|Author): ([^<>]*<[^<>]+>)\s*$/;

/** @returns each as `Name <address>`, once, or the address alone beside an endless name; none for a plain diff or a list of paths. */
export function readChangeAuthors(text: string): readonly string[] {
  const authors = new Set<string>();
  for (const line of unfold(text).split("\n")) {
    const [, author] = authorLine.exec(line.endsWith("\r") ? line.slice(0, -1) : line) ?? [];
    if (author === undefined) continue;
    const name = decodeWords(author).replace(/\\(.)/g, "$1").replaceAll('"', "").trim();
    authors.add(name.length > limits.textLengthMax ? author.slice(author.indexOf("<")) : name);
    if (authors.size === authorsMax) break;
  }
  return [...authors];
}

/** A long header of a mail goes on in lines that begin with a space. */
function unfold(text: string): string {
  return text.replace(/^From: .*(?:\r?\n[ \t]+\S.*)+/gm, (header) =>
    header.replace(/\r?\n[ \t]+/g, " "),
  );
}

/** Encoded words of mail headers (RFC 2047), as git writes names that are not ASCII. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(
      /=\?([\w-]+)\?([qb])\?([^?]*)\?=/gi,
      (word, charset: string, kind: string, coded: string) => {
        const bytes =
          kind.toLowerCase() === "b"
            ? Buffer.from(coded, "base64")
            : Buffer.from(
                coded
                  .replaceAll("_", " ")
                  .replace(/=([0-9a-f]{2})/gi, (_, hex: string) =>
                    String.fromCharCode(Number.parseInt(hex, 16)),
                  ),
                "latin1",
              );
        try {
          return new TextDecoder(charset as "utf-8").decode(bytes);
        } catch {
          return word;
        }
      },
    );
}
