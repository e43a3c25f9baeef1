/** Selects the commits of one person and day that count, and the agents that took part in them. */
import { perDayMax } from "./tally.ts";

/** A commit of one person, as it counts for them. */
export interface CountedCommit {
  /** 1, or 1/k for a commit of k people. */
  readonly weight: number;
  /** Ids of the agents that took part. */
  readonly agents: readonly string[];
}

/** Shared objects by weight: there are few weights, and millions of commits. */
const unassisted = new Map<number, CountedCommit>();

export function toCountedCommit(weight: number, agents: readonly string[]): CountedCommit {
  if (agents.length > 0) return { weight, agents };
  return unassisted.getOrInsertComputed(weight, () => ({ weight, agents: [] }));
}

/**
 * Selects the heaviest commits of a day, so that the result does not depend on the order of reading. Of equal weights, commits
 * with an assistant come first, so that the limit does not hide them.
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
