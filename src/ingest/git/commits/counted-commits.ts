/** What of one person's commits of a day counts, and how much of that says that an assistant took part. */
import { perDayMax } from "./tally.ts";

/** A commit of one person, as it counts for them. */
export interface CountedCommit {
  /** 1, or 1/k for a commit of k people. */
  readonly weight: number;
  /** Ids of the agents that took part. */
  readonly agents: readonly string[];
}

/** By weight; there are few, and millions of commits. */
const unassisted = new Map<number, CountedCommit>();

export function toCountedCommit(weight: number, agents: readonly string[]): CountedCommit {
  if (agents.length > 0) return { weight, agents };
  return unassisted.getOrInsertComputed(weight, () => ({ weight, agents: [] }));
}

/**
 * The heaviest commits of a day, so that the result does not depend on the order of reading; of commits that weigh the
 * same those with an assistant come first, so that none of them is hidden by the limit.
 */
export function selectCounted(day: readonly CountedCommit[]): readonly CountedCommit[] {
  if (day.length <= perDayMax) return day;
  return [...day]
    .sort((a, b) => b.weight - a.weight || compareAgents(a.agents, b.agents))
    .slice(0, perDayMax);
}

function compareAgents(a: readonly string[], b: readonly string[]): number {
  const [one, other] = [a.join(" "), b.join(" ")];
  if ((one === "") !== (other === "")) return one === "" ? 1 : -1;
  return one < other ? -1 : one > other ? 1 : 0;
}
