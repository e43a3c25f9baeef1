/**
 * Reads the authors of a change from the headers of git's mails and logs. Commit messages are not read, because an author could
 * name a reviewer there to prevent the suggestion of that reviewer.
 */
import { limits } from "./limits.ts";

/** A change with more authors is too large for a review. */
const authorsMax = 20;

/** The header of a commit in a log. Lines of messages and hunks cannot match, because they begin with a space or a sign. */
const ofLog = /^commit [0-9a-f]{4,64}\b.*\n((?:.+\n){0,40})/gm;
const authorOfLog = /^Author: ([^<>\n]*<[^<>\n]+>)[ \t]*$/m;

/** The line before each mail in a file of several mails. A single mail may lack this line. */
const mailStart = /^From \S{1,250} .{0,20}\d\d:\d\d:\d\d .{0,20}\d{4}\n/m;
const authorOfMail = /^From: ([^<>\n]*<[^<>\n]+>)[ \t]*$/im;
const numberOfMail = /^Subject: \[[^\]\n]*?\b(\d+)\/(\d+)\]/im;

/** @returns each author once, as `Name <address>`. The list is empty for a plain diff, which names no authors. */
export function readChangeAuthors(text: string): readonly string[] {
  const authors = new Set<string>();
  for (const author of listHeaderAuthors(`${text.trimStart().replaceAll("\r\n", "\n")}\n`)) {
    const name = decodeWords(author).replace(/\\(.)/g, "$1").replaceAll('"', "").trim();
    authors.add(name.length > limits.textLengthMax ? author.slice(author.indexOf("<")) : name);
    if (authors.size === authorsMax) break;
  }
  return [...authors];
}

/** The first line decides between log and mail, because a mail can quote a log. */
function listHeaderAuthors(text: string): readonly string[] {
  const [first] = text.split("\n", 1);
  if (first?.startsWith("commit ")) {
    return Array.from(text.matchAll(ofLog), ([, header = ""]) => header).flatMap(
      (header) => authorOfLog.exec(header)?.[1] ?? [],
    );
  }
  const isMail = mailStart.test(`${first}\n`) || /^[A-Za-z-]+: /.test(text);
  const headers = isMail ? listMailHeaders(text) : [];
  return headers.flatMap((header) => authorOfMail.exec(header)?.[1] ?? []);
}

/** A subject such as `[PATCH 1/3]` states the number of mails. If the text seems to have more, only the first mail is used. */
function listMailHeaders(text: string): readonly string[] {
  const mails = text.split(mailStart).filter((mail, at) => at > 0 || mail !== "");
  const headers = mails.map((mail) => {
    const [header = ""] = mail.split("\n\n", 1);
    // A long header continues in lines that begin with a space.
    return header.replace(/\n[ \t]+/g, " ");
  });
  const [, number = "1", count = "1"] = numberOfMail.exec(headers[0] ?? "") ?? [];
  // The count of mails does not include a cover letter, which has the number 0.
  const most = Number(count) + (Number(number) === 0 ? 1 : 0);
  return headers.length > most ? headers.slice(0, 1) : headers;
}

/** Decodes names in mail headers. Git encodes the names that are not ASCII (RFC 2047). */
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
