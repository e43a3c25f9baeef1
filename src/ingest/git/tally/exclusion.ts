/**
 * Decides whether a commit counts, and if not, why. The reasons do not depend on the person behind the author, so
 * they are known before identities are joined; only the daily limit needs the person.
 */
import type { FileClassification } from "../../linguist/linguist.ts";

/** Why a commit was read and not counted; keys of `commits.excluded` in the facts. */
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

/**
 * Finds a reason in the change itself why a commit does not count.
 *
 * @param kinds classifications of the changed files.
 * @returns undefined when the commit counts.
 */
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
