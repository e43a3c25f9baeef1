/** Decides whether a commit counts. The daily limit is applied later. */
import type { FileClassification } from "../../linguist/linguist.ts";

/** Why a commit does not count. The facts have these keys in `commits.excluded`. */
export type Exclusion =
  | "merge"
  | "undated"
  | "future"
  | "disordered"
  | "duplicate"
  | "revert"
  | "empty"
  | "whitespace"
  | "generated"
  | "vendored"
  | "capped";

/** @param kinds classifications of the changed files. @returns undefined when the commit counts. */
export function findExclusion(
  commit: { readonly isRevert: boolean; readonly isWhitespace: boolean },
  kinds: readonly FileClassification[],
): Exclusion | undefined {
  if (commit.isRevert) return "revert";
  if (kinds.length === 0) return "empty";
  if (commit.isWhitespace) return "whitespace";
  if (kinds.every((kind) => kind.foreign)) return "vendored";
  if (kinds.every((kind) => kind.foreign || kind.generated)) return "generated";
  return undefined;
}
