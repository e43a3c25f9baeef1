/** Selects the commits of one person and day that count, and the agents that took part in them. */
import { perDayMax } from "./author-tally.ts";

export interface CountedCommit {
  /** The weight: 1, or 1/k for a commit of k people. */
  readonly weight: number;
  /** Ids of the agents that took part. */
  readonly agents: readonly string[];
  /** Whether a note says that no agent took part. */
  readonly isUnassisted: boolean;
}

/**
 * Selects the commits of a day with the highest weights. If weights are equal, commits with an agent come first, then commits
 * with a note that no agent took part.
 */
export function selectCounted(day: readonly CountedCommit[]): readonly CountedCommit[] {
  if (day.length <= perDayMax) return day;
  return [...day]
    .sort((a, b) => b.weight - a.weight || compareStatements(a, b))
    .slice(0, perDayMax);
}

function compareStatements(a: CountedCommit, b: CountedCommit): number {
  const [one, other] = [a.agents.join(" "), b.agents.join(" ")];
  if ((one === "") !== (other === "")) return one === "" ? 1 : -1;
  if (a.isUnassisted !== b.isUnassisted) return a.isUnassisted ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
