/** What `owners check` finds. Baselines and code scanning know findings by these names. */

/** What each kind means, and what helps. */
export const ownersFindings = {
  "owner-left": [
    "Owner left the repository",
    "This owner did no work in the repository for two years. Name somebody else, or remove the owner from the rule.",
  ],
  "owner-stale": [
    "Owner no longer knows the files",
    "Others changed these files within two years. This owner did not, and five people know them better. Name one of them.",
  ],
  "rule-unmatched": [
    "Rule matches no file",
    "No file of the repository matches this pattern. Correct the pattern, or remove the rule.",
  ],
  "folder-unowned": [
    "Folder has no owner",
    "Most of the repository has owners, and this folder has none. Add a rule: `roster owners propose` writes one.",
  ],
  "line-ignored": [
    "Line is ignored",
    "The forge ignores this line, so its owners are not asked. Correct the line, or remove it.",
  ],
} as const;

/** Without a line or a day, so that it stays the same while the finding does. */
export interface FindingIdentity {
  readonly kind: keyof typeof ownersFindings;
  readonly file: string;
  /** As written, or the folder. */
  readonly pattern: string;
  /** As written; absent where the finding is about no owner. */
  readonly owner?: string;
}

export interface OwnersFinding extends FindingIdentity {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export function formatFindingKey({ kind, file, pattern, owner = "" }: FindingIdentity): string {
  return [file, kind, pattern, owner].join("\0");
}
