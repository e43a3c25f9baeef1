/** Parses trailers that name people. Trailers of co-authors may be on any line of the message. */
import type { LoggedCommit, TrailerCredit } from "../commit/logged-commit.ts";
import type { CreditKind } from "../commit/stored-commit.ts";
import { parseSignatures } from "./signatures.ts";

const kindOf: Readonly<Record<string, CreditKind>> = {
  "reviewed-by": "reviewed",
  "tested-by": "tested",
  "reported-by": "reported",
  "signed-off-by": "signedOff",
  "acked-by": "acked",
};
const coAuthorKey = "co-authored-by";

/** The keys that `parseTrailers` knows, in lower case. */
export const trailerKeys = [coAuthorKey, ...Object.keys(kindOf)];

/** The most co-authors, and the most credits, of one commit. */
const peopleMax = 100;

/** @param lines trailers as `Key: value`. @returns people as `Name <address>`. */
export function parseTrailers(
  lines: readonly string[],
  message = "",
): Pick<LoggedCommit, "coAuthors" | "credits"> {
  const coAuthors = new Set<string>();
  const credits = new Map<string, TrailerCredit>();
  const take = (line: string): void => {
    const colon = line.indexOf(":");
    const key = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const kind = kindOf[key];
    for (const { name, email } of parseSignatures(value)) {
      const trailer = `${name} <${email}>`.trim();
      if (key === coAuthorKey && coAuthors.size < peopleMax) coAuthors.add(trailer);
      if (kind && credits.size < peopleMax) credits.set(`${kind} ${trailer}`, { kind, trailer });
    }
  };
  for (const line of lines) take(line);
  if (coAuthorHint.test(message)) {
    for (const line of listOwnLines(message)) if (coAuthorLine.test(line)) take(line);
  }
  return { coAuthors: [...coAuthors], credits: [...credits.values()] };
}

const coAuthorHint = new RegExp(`${coAuthorKey} ?:`, "i");
const coAuthorLine = new RegExp(`^${coAuthorKey} ?:`, "i");

const linesMax = 5000;
/** A bullet or emoji that may precede a trailer. */
const decorated = /^(?:[-*_]{1,3} ?)?(?:\p{Extended_Pictographic}\ufe0f? ?)?/u;
const fence = /^(?:```|~~~)/;

/** Lists the lines outside code fences. A bullet or emoji before a line is removed. */
export function listOwnLines(message: string): readonly string[] {
  const lines = message.split("\n", linesMax);
  const own: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const mark = fence.exec(line)?.[0];
    const end = mark ? lines.findIndex((other, to) => to > at && other.startsWith(mark)) : -1;
    if (end === -1) own.push(line.trimEnd().replace(decorated, ""));
    else at = end;
  }
  return own;
}
