/** Compares a repository's ownership files with the measured knowledge of its files. */
import { formatUtcDay } from "../../contract/people/history-end.ts";
import type { AuthorshipHead, KnownOwnership } from "../../pool/pool.ts";
import { sumKnowers } from "../file-knowers.ts";
import { describeHead, nobody } from "../head-index.ts";
import type { Knowledge, PersonKnowledge } from "../measure-knowledge.ts";
import {
  type FilePart,
  findOwnershipDrift,
  type OwnershipDrift,
  type RuleKnower,
} from "./ownership-drift.ts";

export interface MeasuredOwnership {
  /** Paths of the ownership files that have a rule in force for any requested file. */
  readonly files: readonly string[];
  /** `rules` counts the rules in force. `judged` counts the rules that cover only the requested files. */
  readonly rules: number;
  readonly judged: number;
  /** Judged rules that the history contradicts, in the order of files and lines. */
  readonly drifting: readonly OwnershipDrift[];
}

interface OwnershipContext {
  readonly ownership: KnownOwnership;
  readonly head: AuthorshipHead;
  readonly knowledge: Knowledge;
  /** The files, grouped by the rules in force for them. */
  readonly parts: readonly FilePart[];
  /** The requested files or folders; `""` for the whole repository. */
  readonly within: readonly string[];
  readonly asOfDay: number;
}

/** @returns undefined if no rule is in force for the files. */
export function measureOwnership({
  ownership,
  head,
  knowledge,
  parts,
  within,
  asOfDay,
}: OwnershipContext): MeasuredOwnership | undefined {
  const { people, knowers } = knowledge;
  const lastOf = findLastDays(head, people, asOfDay);
  const accountless = new Set(ownership.accountless.map((author) => head.logins[author]));
  const { inForce, judged } = findOwnershipDrift({
    rules: ownership.rules,
    ...{ parts, within },
    isAccountless: (login) => accountless.has(login),
    lastDayOf: (login) => {
      const day = lastOf.get(login);
      return day === undefined ? undefined : formatUtcDay(day);
    },
    knowersOf: (files) =>
      sumKnowers(files.flatMap((at) => knowers[at] ?? [])).map(
        ({ person, share, lastDay }, at): RuleKnower => {
          const { login = "", commits = 0 } = people[person] ?? {};
          return { login, rank: at + 1, share, commits, lastDay: formatUtcDay(lastDay) };
        },
      ),
    asOf: formatUtcDay(asOfDay),
  });
  if (inForce.length === 0) return undefined;
  return {
    files: [...new Set(inForce.map(({ file }) => file))],
    rules: inForce.length,
    judged: judged.length,
    drifting: judged.filter(({ departed, unnamed }) => departed.length + unnamed.length > 0),
  };
}

/** Returns the latest day of each person's work anywhere in the repository, by login. */
export function findLastDays(
  head: AuthorshipHead,
  people: readonly PersonKnowledge[],
  asOfDay: number,
): ReadonlyMap<string, number> {
  const { personOf, lastWork } = describeHead(head);
  const { days } = lastWork(asOfDay);
  const found = new Map<string, number>();
  for (const [author, login] of head.logins.entries()) {
    const day = days[personOf[author] ?? nobody] ?? 0;
    if (login !== undefined && day > 0) found.set(login, day);
  }
  // Reviews also count as work.
  for (const { login, last } of people) found.set(login, Math.max(last, found.get(login) ?? 0));
  return found;
}
