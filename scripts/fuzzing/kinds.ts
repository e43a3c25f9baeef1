import type { OpenTarget } from "./campaign.ts";
import { openGitTarget } from "./git/target.ts";
import { openHttpTarget } from "./http/target.ts";
import { openJsonlTarget } from "./jsonl.ts";

/** What can be fuzzed, in the order in which all kinds run. */
export const kinds = {
  http: openHttpTarget,
  jsonl: openJsonlTarget,
  git: openGitTarget,
} as const satisfies Record<string, OpenTarget>;

export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as readonly Kind[];

export function isKind(text: string): text is Kind {
  return Object.hasOwn(kinds, text);
}
