/** Trailers that name people: co-authors, and credit of other kinds. */
import { parseSignatures } from "./signatures.ts";

/** The position of a kind is its number in stored histories, so new kinds come last. */
export const creditKinds = ["reviewed", "tested", "reported", "signedOff", "acked"] as const;
export type CreditKind = (typeof creditKinds)[number];

/** The part that a person other than the author had in a commit. */
export interface TrailerCredit {
  readonly kind: CreditKind;
  /** `Name <address>`. */
  readonly trailer: string;
}

const kindOf: Readonly<Record<string, CreditKind>> = {
  "reviewed-by": "reviewed",
  "tested-by": "tested",
  "reported-by": "reported",
  "signed-off-by": "signedOff",
  "acked-by": "acked",
};
const coAuthorKey = "co-authored-by";

/** The keys that `parseTrailers` understands, as git compares them: without regard to case. */
export const trailerKeys = [coAuthorKey, ...Object.keys(kindOf)];

/** No real commit has more co-authors, or more reviewers; further ones are left out. */
const peopleMax = 100;

/** @param lines `Key: value` each, as git writes trailers. @returns people as `Name <address>`. */
export function parseTrailers(lines: readonly string[]): {
  readonly coAuthors: readonly string[];
  readonly credits: readonly TrailerCredit[];
} {
  const coAuthors: string[] = [];
  const credits = new Map<string, TrailerCredit>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const key = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const kind = kindOf[key];
    for (const { name, email } of parseSignatures(value)) {
      const trailer = `${name} <${email}>`.trim();
      if (key === coAuthorKey && coAuthors.length < peopleMax) coAuthors.push(trailer);
      if (kind && credits.size < peopleMax) credits.set(`${kind} ${trailer}`, { kind, trailer });
    }
  }
  return { coAuthors, credits: [...credits.values()] };
}
