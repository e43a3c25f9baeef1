import type { Facts } from "../../../contract/people/facts.ts";
import {
  findAuthorship,
  type Introduced,
  listWorked,
} from "../../../contract/people/introduction.ts";
import { formatCount, formatCounted } from "../look/format.ts";
import { EmptyState, Fold, Panel } from "../look/parts.tsx";

type Repository = Facts["repositories"][number];

const openMax = 6;
const shownMax = 20;

interface RepositoriesProperties extends Pick<Introduced, "known"> {
  readonly repositories: readonly Repository[];
  readonly login: string;
}

export function Repositories({ repositories, known, login }: RepositoriesProperties) {
  const worked = listWorked(repositories);
  const all = [...worked, ...repositories.filter((one) => !worked.includes(one))];
  const folded = all.slice(openMax, shownMax);
  const more = all.length - openMax;
  const show = (shown: readonly Repository[]) => (
    <ul class="repositories">
      {shown.map((one) => (
        <li>
          <RepositoryLink repository={one} />
          <span class="number">{one.commits !== undefined && formatCount(one.commits)}</span>
          <span class="small muted">
            {describeRepository(one, known)}
            {known.some(({ name, forge }) => name === one.name && forge === one.forge) && [
              " ",
              <a href={`/who?${new URLSearchParams({ repository: one.name, without: login })}`}>
                Hand-over<span class="unseen"> of {one.name}</span>
              </a>,
            ]}
          </span>
        </li>
      ))}
    </ul>
  );
  return (
    <Panel title="Repositories, by commits" id="repositories">
      {all.length === 0 ? (
        <EmptyState>No repository is known.</EmptyState>
      ) : (
        show(all.slice(0, openMax))
      )}
      {folded.length > 0 && (
        <Fold
          label={`${formatCount(more)} more${more > folded.length ? `; ${folded.length} are shown` : ""}`}
        >
          {show(folded)}
        </Fold>
      )}
    </Panel>
  );
}

/** Describes the person's part: `main author, 2016 to 2026, Rust, 498 stars`. */
function describeRepository(one: Repository, known: Introduced["known"]): string {
  const { owned, fork, firstCommit, lastCommit, language, stars } = one;
  const [first, last] = [firstCommit?.slice(0, 4), lastCommit?.slice(0, 4)];
  return [
    findAuthorship(one, known) ?? (owned && (fork ? "own fork" : "own")),
    first && last && (first === last ? first : `${first} to ${last}`),
    language,
    stars !== undefined && formatCounted(stars, "star"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Links to the repository on its forge. If the forge is not known, links to a search for the repository's people. */
function RepositoryLink({ repository: { name, forge } }: { readonly repository: Repository }) {
  const onForge = forge === undefined ? undefined : findForgeUrl(forge, name);
  const people = `/?${new URLSearchParams({ repositories: name })}`;
  return (
    <a href={onForge ?? people} rel={onForge && "noreferrer nofollow"}>
      {name}
    </a>
  );
}

/** @returns undefined if forge and name make no valid address. */
export function findForgeUrl(forge: string, name: string): string | undefined {
  if (!/^[a-z0-9.-]+(:\d+)?(\/[\w./-]*)?$/i.test(forge) || !name.includes("/")) return undefined;
  const path = name.split("/").map(encodeURIComponent).join("/");
  const url = `https://${forge.replace(/\/$/, "")}/${path}`;
  return URL.canParse(url) ? url : undefined;
}
