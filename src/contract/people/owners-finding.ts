/** What `owners check` finds. Baselines and code scanning know findings by these names. */

/** The first sentence says what the kind means, the rest what to do. */
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

/** Has no line and no day, so that it is the same in each run. */
export interface FindingIdentity {
  readonly kind: keyof typeof ownersFindings;
  readonly file: string;
  readonly pattern: string;
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
