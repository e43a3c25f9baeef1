/**
 * Estimates how much of the work was done with an assistant. Some commits state it, and others may hide it. The estimate does not
 * change the score. It tells how low the score would be without the commits that may hide an assistant.
 */
import list from "../../../seed/agents.json" with { type: "json" };
import { formatCount } from "../../contract/format.ts";
import type { ByMonth } from "../../contract/people/credit-facts.ts";
import type { ProfileAnalysis } from "../../contract/people/profile-analysis.ts";
import { toMonthIndex } from "../calendar.ts";
import type { DatedEvidence, FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import { roundHalfUp } from "./curve.ts";

export type LeftOut = NonNullable<ReturnType<typeof removeUnknown>>;

/**
 * Removes the commits that may hide an assistant. The result has the remaining facts (`counted`), the share of evidence that
 * still counts by age in months (`counting`), the number of commits that say nothing about assistants (`unmarked`), and the
 * number of removed commits (`unknown`). Undefined means that nothing was removed.
 */
export function removeUnknown(counted: FactsAsOf, model: Model) {
  const { commits, untilMonth } = counted;
  if (!commits) return undefined;
  // From which month on each share applies, the latest month first.
  const shares = Object.entries(model.assistance.unmarkedShares)
    .map(([from, share]) => [toMonthIndex(from), share] as const)
    .sort(([a], [b]) => b - a);
  const stated = new Map<number, number>();
  const { assisted, unassisted } = counted.facts.commits ?? {};
  for (const volume of [assisted?.volume ?? {}, unassisted?.volume ?? {}]) {
    for (const month in volume) {
      const age = untilMonth - toMonthIndex(month);
      stated.set(age, (stated.get(age) ?? 0) + (volume[month] ?? 0));
    }
  }
  const counting = new Array<number | undefined>((commits.oldest ?? 0) + 1).fill(undefined);
  let [unmarked, unknown] = [0, 0];
  for (const { age, amount } of commits.volume) {
    const share = shares.find(([from]) => from <= untilMonth - age)?.[1] ?? 0;
    const silent = Math.max(0, amount - (stated.get(age) ?? 0));
    if (share > 0) unmarked += silent;
    unknown += silent * share;
    counting[age] = amount > 0 ? 1 - (silent * share) / amount : 1;
  }
  if (unknown === 0) return undefined;
  const reduce = ({ age, amount }: DatedEvidence): DatedEvidence => ({
    age,
    amount: amount * (counting[age] ?? 1),
  });
  const volume = commits.volume.map(reduce);
  const reduced: FactsAsOf = { ...counted, commits: { ...commits, volume } };
  return { counted: reduced, counting, unmarked, unknown };
}

/** @returns undefined if no commits are known, or if all commits are older than the first assistants. */
export function describeAssistance(
  counted: FactsAsOf,
  left: LeftOut | undefined,
  score: { readonly low: number; readonly high: number },
): ProfileAnalysis["assistance"] {
  const stated = countAssisted(counted);
  const total = counted.commits?.total ?? 0;
  const unassisted = countUntil(counted.facts.commits?.unassisted, counted.asOf);
  if (total === 0 || (!left && stated.commits + unassisted === 0)) return undefined;
  const unmarked = roundHalfUp(left?.unmarked ?? 0, 2);
  const unknown = roundHalfUp(left?.unknown ?? 0, 2);
  const agents = stated.agents.map(({ agent, commits }) => `${agent} ${commits}`).join(", ");
  const evidence = [
    stated.commits === 0
      ? `None of ${formatCount(total)} counted commits says that an assistant took part`
      : `${formatCount(stated.commits)} of ${formatCount(total)} counted commits say that an assistant took part${agents && ` (${agents})`}`,
    ...(unassisted > 0
      ? [
          `${formatCount(unassisted)} of ${formatCount(total)} counted commits have a note by which no assistant wrote a line`,
        ]
      : []),
    ...(stated.commits + unassisted > 0
      ? ["Commits and their notes state this; it is not proved"]
      : []),
  ];
  return {
    ...stated,
    share: roundHalfUp(Math.min(1, stated.commits / total), 4),
    ...{ unassisted, unmarked, unknown, scoreLow: score.low, scoreHigh: score.high, evidence },
  };
}

const names = new Map(list.agents.map(({ id, name }) => [id, name]));

function countAssisted({ facts, asOf }: FactsAsOf) {
  const { total = 0, agents = {} } = facts.commits?.assisted ?? {};
  const commits = countUntil(facts.commits?.assisted, asOf);
  // The counts by agent have no dates. If some commits are later than the as-of day, the counts cannot be used.
  if (commits < total) return { commits, agents: [] };
  const byAgent = Object.entries(agents).map(([id, commits]) => ({
    agent: names.get(id) ?? id,
    commits,
  }));
  byAgent.sort((a, b) => b.commits - a.commits || (a.agent < b.agent ? -1 : 1));
  return { commits: total, agents: byAgent };
}

/** Counts commits up to the as-of day. */
function countUntil(
  stated: { readonly total: number; readonly volume: ByMonth } | undefined,
  asOf: string,
): number {
  const { total = 0, volume = {} } = stated ?? {};
  let later = 0;
  for (const [month, amount] of Object.entries(volume)) {
    if (toMonthIndex(month) > toMonthIndex(asOf)) later += amount;
  }
  return Math.max(0, Math.round(total - later));
}
