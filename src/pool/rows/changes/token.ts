/**
 * A token says what a copy has read. Rows have ascending ids, in the order in which their imports became visible, so one id says
 * which rows were read. The token also names the newest import and the newest erasure of that time. If the pool has others in
 * their place, it is an older copy that went another way.
 */
export interface ChangesToken {
  readonly importId: number;
  readonly importedMs: number;
  /** The newest row about an erasure. */
  readonly erasedId: number;
  readonly erasedMs: number;
  /** All rows up to this id had been read when the copy was last complete. */
  readonly completeRow: number;
  readonly row: number;
  readonly departure: number;
}

export function formatToken(token: ChangesToken): string {
  const { importId, importedMs, erasedId, erasedMs, completeRow, row, departure } = token;
  return [importId, importedMs, erasedId, erasedMs, completeRow, row, departure].join("-");
}

/** Ids are at most this great, in both databases. */
const idMax = 2 ** 31 - 1;

/** @param text matches the pattern of `since`. */
export function parseToken(text: string): ChangesToken {
  const numbers = text.split("-").map(Number);
  const [importId = 0, importedMs = 0, erasedId = 0, erasedMs = 0, ...read] = numbers;
  const [completeRow = 0, row = 0, departure = 0] = read.map((id) => Math.min(id, idMax));
  return {
    ...{ importId: Math.min(importId, idMax), importedMs },
    ...{ erasedId: Math.min(erasedId, idMax), erasedMs },
    ...{ completeRow, row, departure },
  };
}
