/** What `owners check` finds. Baselines and code scanning know findings by these names. */

/** What each kind means, in its first sentence, and what helps. */
export const ownersFindings = {
  "owner-left": "The owner left the repository: no work in two years. Name somebody else.",
  "owner-stale":
    "The owner no longer knows the files: others changed them within two years, and five people know them better. Name one of them.",
  "rule-unmatched": "No file matches the rule. Correct its pattern, or remove it.",
  "folder-unowned":
    "The folder has no owner, as most others have. Add a rule: `roster owners propose` writes one.",
  "line-ignored":
    "The forge ignores the line, and asks none of its owners. Correct it, or remove it.",
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
