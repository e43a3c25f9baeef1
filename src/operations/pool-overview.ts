/** Reads what the start page shows of the pool: busy repositories and who knows them, busy people, and new people. */
import { formatUtcDay } from "../contract/people/history-end.ts";
import type { BusyPerson, BusyRepository, RecentWork } from "../knowledge/knowledge.ts";
import type { Modules } from "./operation.ts";

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
  const today = knowledge.today();
  const { people, newcomers, ...work } = await knowledge.recentWork(today);
  const shown = work.repositories.slice(0, repositoriesMax);
  const knowers = new Map<number, readonly string[]>();
  for (const repository of shown) {
    const untilDay = Math.min(today, repository.lastDay);
    const whole = { repository, untilDay, without: [], paths: [""] };
    const [first = []] = await knowledge.firstKnowers(whole);
    const present = first.filter(({ hasLeft }) => !hasLeft);
    knowers.set(
      repository.id,
      present.map(({ login }) => login),
    );
  }
  const newSince = formatUtcDay(work.untilDay - work.spans.new * 7);
  const analyses = await pool.findAnalyses(newcomers.map(({ login }) => login));
  // The work of a newcomer may be older outside the repositories of the pool.
  const fresh = newcomers.filter((_, at) => {
    const first = analyses[at]?.activity.firstCommit;
    return first !== undefined && first > newSince;
  });
  const logins = [...people, ...fresh].map(({ login }) => login);
  const name = await createNaming(pool, [...logins, ...[...knowers.values()].flat()]);
  return {
    ...{ ...work, until: formatUtcDay(work.untilDay), newSince },
    repositories: shown.map((one) => {
      const known = (knowers.get(one.id) ?? []).map((login) => ({ login }));
      return { ...one, last: formatUtcDay(one.lastDay), knowers: name(known) };
    }),
    people: name(people).slice(0, peopleMax),
    newcomers: name(fresh).slice(0, peopleMax),
  };
}

/** @returns a function that adds names to people. It leaves out people who have been erased meanwhile. */
async function createNaming({ findCards }: Modules["pool"], logins: readonly string[]) {
  const distinct = [...new Set(logins)];
  const cards = await findCards(distinct);
  const cardOf = new Map(distinct.map((login, at) => [login, cards[at]]));
  return <Person extends { readonly login: string }>(people: readonly Person[]) =>
    people.flatMap((one) => {
      const card = cardOf.get(one.login);
      return card ? [{ ...one, name: card.name }] : [];
    });
}
