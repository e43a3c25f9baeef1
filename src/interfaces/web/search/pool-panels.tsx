/** What the start page shows of the pool: figures, busy repositories and who knows them, busy people, and new people. */
import type { NamedBusyPerson, PoolOverview } from "../../../operations/pool-overview.ts";
import { formatCommits, formatCount, formatDate } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { Figures, FilePath, Panel } from "../look/parts.tsx";
import { Avatar, formatDeveloperPath, PersonHeading, Sparkline } from "../look/people.tsx";
import { formatAddress, noQuestion } from "../who/who-question.ts";

interface OverviewProperties {
  readonly overview: PoolOverview;
}

/** @param people the number of people whom a search can find. */
export function PoolFigures(properties: OverviewProperties & { readonly people: number }) {
  const { people, overview } = properties;
  const { total, active, until, spans } = overview;
  return (
    <Figures
      items={[
        [formatCount(people), people === 1 ? "person" : "people"],
        [formatCount(total), total === 1 ? "repository" : "repositories"],
        [formatCount(active), `active in ${spans.busy} weeks`],
        [formatDate(until), "data ends"],
      ]}
    />
  );
}

export function BusyRepositories({ overview }: OverviewProperties) {
  const { total, repositories, spans } = overview;
  const all = total > repositories.length && <a href="/who">All {formatCount(total)}</a>;
  return (
    <Panel title="Busiest repositories" id="pool-repositories" actions={all}>
      <DataTable
        class="repositories"
        columns={[
          [
            "Repository",
            ({ asked: repository, name }) => (
              <a href={formatAddress({ ...noQuestion, repository })}>
                <FilePath path={name} />
              </a>
            ),
          ],
          ["Knows most of it", Knowers],
          [
            `Commits, ${spans.shown} weeks`,
            ({ weeks, name }) => <Sparkline values={weeks} label={`Commits a week to ${name}`} />,
            "wide",
          ],
          [`${spans.busy} weeks`, ({ recent }) => formatCount(recent), "number"],
          ["Last commit", ({ last }) => formatDate(last), "when wide"],
        ]}
        rows={repositories}
      />
    </Panel>
  );
}

/** Shows the first person with the name, and the others as avatars. */
function Knowers({ knowers }: Pick<PoolOverview["repositories"][number], "knowers">) {
  return (
    <span class="knowers">
      {knowers.map(({ login, name = login }, at) => (
        <a href={formatDeveloperPath(login)} title={name}>
          <Avatar login={login} name={name} />
          <span class={at === 0 ? "wide" : "unseen"}>{name}</span>
        </a>
      ))}
    </span>
  );
}

interface PeoplePanelProperties {
  readonly id: string;
  readonly title: string;
  readonly people: readonly NamedBusyPerson[];
}

/** Shows nothing if there are no people. */
export function PeoplePanel({ id, title, people }: PeoplePanelProperties) {
  if (people.length === 0) return undefined;
  return (
    <Panel title={title} id={id}>
      <ul class="brief-people">
        {people.map(({ login, name, commits, repository }) => (
          <li>
            <PersonHeading
              {...{ login, name }}
              heading="h3"
              note={repository.slice(repository.lastIndexOf("/") + 1)}
            />
            <span class="number small muted">{formatCommits(commits)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
