import type { TopContribution, TopRepository } from "../contract/people/developer.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { Static } from "../contract/schema.ts";
import type { FactsAsOf } from "./facts-as-of.ts";
import { selectTierLabel } from "./labels.ts";
import type { Model } from "./model.ts";
import { roundHalfUp } from "./scores/curve.ts";

type Repository = Facts["repositories"][number];

/** Selects the developer's own repositories, most own commits first, then stars. Forks without own commits are left out. */
export function selectTopRepositories(
  counted: FactsAsOf,
  max: number,
): Static<typeof TopRepository>[] {
  return counted.repositories
    .filter(({ owned, fork, commits }) => owned && !(fork && !commits))
    .sort(
      (a, b) =>
        (b.commits ?? 0) - (a.commits ?? 0) || (b.stars ?? -1) - (a.stars ?? -1) || byName(a, b),
    )
    .slice(0, max)
    .map(({ name, stars, language }) => ({
      name,
      ...(stars !== undefined && { stars }),
      ...(language !== undefined && { language }),
    }));
}

/** Selects other people's repositories to which the developer has committed, most commits first. */
export function selectTopContributions(
  counted: FactsAsOf,
  model: Model,
  max: number,
): Static<typeof TopContribution>[] {
  return listContributions(counted)
    .sort((a, b) => (b.commits ?? 0) - (a.commits ?? 0) || byName(a, b))
    .slice(0, max)
    .map((repository) => ({
      repository: repository.name,
      tier_label: selectTierLabel(repository, model),
      commits: repository.commits ?? 0,
      ...(repository.language !== undefined && { language: repository.language }),
    }));
}

export function listContributions({ repositories }: FactsAsOf): Repository[] {
  return repositories.filter(({ owned, commits }) => !owned && (commits ?? 0) > 0);
}

/** Computes the share of each language in the developer's changed lines. The largest share comes first. */
export function computeLanguageShares({ evidence }: FactsAsOf) {
  const pieces = evidence.filter(({ kind }) => kind === "language");
  const languages = Map.groupBy(pieces, ({ name }) => name);
  const sums = [...languages].map(([language, pieces]) => ({
    language,
    lines: pieces.reduce((sum, { lines }) => Math.min(Number.MAX_SAFE_INTEGER, sum + lines), 0),
    commits: pieces.reduce((most, { commits }) => Math.max(most, commits), 0),
  }));
  const all = sums.reduce((sum, { lines }) => sum + lines, 0);
  return sums
    .map((sum) => ({ ...sum, share: all > 0 ? roundHalfUp(sum.lines / all, 4) : 0 }))
    .sort(
      (a, b) => b.lines - a.lines || b.commits - a.commits || (a.language < b.language ? -1 : 1),
    );
}

function byName(a: Repository, b: Repository): number {
  return a.name < b.name ? -1 : 1;
}
