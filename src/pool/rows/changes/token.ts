/**
 * A token says what a copy has read. Rows have ascending ids, in the order in which their imports became visible, so one id says
 * which rows were read. The token also names the newest import and the newest erasure of that time. If the pool has others in
 * their place, it is an older copy that went another way. All rows up to `completeRow` had been read when the copy was last
 * complete.
 */
const fields = [
  ...(["importId", "importedMs", "erasedId", "erasedMs"] as const),
  ...(["completeRow", "row", "departure"] as const),
] as const;

export type ChangesToken = Readonly<Record<(typeof fields)[number], number>>;

export function formatToken(token: ChangesToken): string {
  return fields.map((field) => token[field]).join("-");
}

/** Ids are at most this great, in both databases. */
const idMax = 2 ** 31 - 1;

/** @param text matches the pattern of `since`. */
export function parseToken(text: string): ChangesToken {
  const entries = text.split("-").map((number, at) => {
    const most = fields[at]?.endsWith("Ms") ? Number.MAX_SAFE_INTEGER : idMax;
    return [fields[at], Math.min(Number(number), most)];
  });
  return Object.fromEntries(entries) as ChangesToken;
}
