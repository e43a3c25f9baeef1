/** The kinds of findings of `owners check`. Their names are stored in baselines and in code scanning. */

/** The text of each kind of finding. It says what was found and what to do. */
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

/** Identifies a finding in every run. Line numbers and days are left out, because they change between runs. */
export interface FindingIdentity {
  readonly kind: keyof typeof ownersFindings;
  readonly file: string;
  readonly pattern: string;
  readonly owner?: string;
}

export interface OwnersFinding extends FindingIdentity {
  /** The number of the line in the file, counted from 1. */
  readonly line: number;
  readonly message: string;
}

export function formatFindingKey({ kind, file, pattern, owner = "" }: FindingIdentity): string {
  return [file, kind, pattern, owner].join("\0");
}
