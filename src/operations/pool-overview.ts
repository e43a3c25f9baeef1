/** Reads what the start page shows of the pool: busy repositories and who knows them, busy people, and new people. */
import { formatUtcDay } from "../contract/people/history-end.ts";
import type { BusyPerson, BusyRepository, RecentWork } from "../knowledge/knowledge.ts";
import type { Modules } from "./operation.ts";
import { findRepositoryKnowers } from "./path-knowers.ts";
import { readWhoNames } from "./who-names.ts";

export interface PoolOverview extends Pick<RecentWork, "total" | "active" | "spans"> {
  /** The last day of the data, as YYYY-MM-DD. */
  readonly until: string;
  readonly repositories: readonly NamedBusyRepository[];
  readonly people: readonly NamedBusyPerson[];
  /** People whose first commit anywhere is later than the day `newSince`. */
  readonly newcomers: readonly NamedBusyPerson[];
  readonly newSince: string;
}

interface NamedBusyRepository extends BusyRepository {
  /** People who know most of the repository, best first. */
  readonly knowers: readonly NamedLogin[];
  /** The day of the latest commit, as YYYY-MM-DD. */
  readonly last: string;
}

interface NamedLogin {
  readonly login: string;
  readonly name: string | undefined;
}

export type NamedBusyPerson = BusyPerson & NamedLogin;

const repositoriesMax = 10;
const peopleMax = 6;

export async function readPoolOverview({
  pool,
  knowledge,
}: Pick<Modules, "pool" | "knowledge">): Promise<PoolOverview> {
  const { people, newcomers, ...work } = await knowledge.recentWork(knowledge.today());
  const repositories = [];
  for (const repository of work.repositories.slice(0, repositoriesMax)) {
    const first = await findRepositoryKnowers(repository, knowledge);
    repositories.push({ ...repository, first: first.map(({ login }) => ({ login })) });
  }
  const newSince = formatUtcDay(work.untilDay - work.spans.new * 7);
  const analyses = await pool.findAnalyses(newcomers.map(({ login }) => login));
  // The work of a newcomer may be older outside the repositories of the pool.
  const fresh = newcomers.filter((_, at) => {
    const first = analyses[at]?.activity.firstCommit;
    return first !== undefined && first > newSince;
  });
  const shown = [...people, ...fresh, ...repositories.flatMap(({ first }) => first)];
  const names = await readWhoNames(
    { pool },
    shown.map(({ login }) => login),
  );
  // People who have been erased meanwhile have no name, and are left out.
  const name = <Person extends { readonly login: string }>(some: readonly Person[]) =>
    some
      .filter(({ login }) => names.has(login))
      .map((one) => ({ ...one, name: names.get(one.login) }));
  return {
    ...{ ...work, until: formatUtcDay(work.untilDay), newSince },
    repositories: repositories.map(({ first, ...one }) => ({
      ...{ ...one, last: formatUtcDay(one.lastDay), knowers: name(first) },
    })),
    people: name(people).slice(0, peopleMax),
    newcomers: name(fresh).slice(0, peopleMax),
  };
}
