/** Trailers that name people: co-authors, and credit of other kinds. */

/** The position of a kind is its number in stored histories, so new kinds come last. */
export const creditKinds = ["reviewed", "tested", "reported", "signedOff", "acked"] as const;
export type CreditKind = (typeof creditKinds)[number];

/** The part that a person other than the author had in a commit. */
export interface TrailerCredit {
  readonly kind: CreditKind;
  /** The value of the trailer, as written. */
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

/** No real commit has more reviewers; further ones are left out. */
const creditsMax = 100;

/** @param lines `Key: value` each, as git writes trailers. */
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
    if (!value) continue;
    if (key === coAuthorKey) coAuthors.push(value);
    const kind = kindOf[key];
    if (kind && credits.size < creditsMax)
      credits.set(`${kind} ${value}`, { kind, trailer: value });
  }
  return { coAuthors, credits: [...credits.values()] };
}
