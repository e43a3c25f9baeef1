import type { Facts } from "../../../contract/people/facts.ts";
import {
  findAuthorship,
  type Introduced,
  listWorked,
} from "../../../contract/people/introduction.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { formatCount, formatCounted, formatExperience } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { EmptyState, FactList, Fold, FoldedPanel, List, Panel } from "../look/parts.tsx";
import { Strength } from "../look/people.tsx";

export interface DeveloperProperties {
  readonly analysis: ProfileAnalysis;
  /** undefined if the person has just been erased. */
  readonly facts: Facts | undefined;
}

type AboutProperties = Pick<DeveloperProperties, "analysis">;

export function Roles({ analysis: { roleMatch } }: AboutProperties) {
  if (roleMatch.length === 0) return undefined;
  return (
    <FoldedPanel title={`Roles: ${roleMatch[0]?.displayName}`} id="roles">
      <DataTable
        class="small"
        columns={[
          ["Role", ({ displayName }) => displayName],
          ["Match", ({ score }) => <Strength value={score} />],
        ]}
        rows={roleMatch.slice(0, 8)}
      />
    </FoldedPanel>
  );
}

export function CommitQuality({ analysis: { commitQuality: quality } }: AboutProperties) {
  const { label, n, good, share, lowerBound, withBody, withReason, withReference } = quality;
  const { percentage, eligible } = quality.semantic;
  const part = (count: number) =>
    n === 0 ? "none" : `${formatCount(count)} (${formatPercent(count / n)})`;
  const sure = `${formatPercent(share ?? 0)}, at least ${formatPercent(lowerBound ?? 0)} with 95 % certainty`;
  return (
    <FoldedPanel title={`Commit messages: ${label}`} id="messages">
      <FactList
        facts={[
          ["Read", `${formatCount(n)} messages`],
          ["Good", share === undefined ? `${formatCount(good)}; too few to judge` : sure],
          ["Give a reason in words", part(withReason)],
          ["Name an issue", part(withReference)],
          ["Have a body", part(withBody)],
          percentage !== undefined && [
            "Conventional",
            `${Math.round(percentage)} % of ${formatCount(eligible)} subjects`,
          ],
        ]}
      />
      <p class="small muted">
        A good message tells a reader why and what: by a reason in words, a reference or a body, and
        for a fix also by what was changed. Roster does not keep the texts, so it shows none.
      </p>
    </FoldedPanel>
  );
}

const formatPercent = (share: number) => `${Math.round(share * 100)} %`;

export function Badges({ analysis: { badges } }: AboutProperties) {
  if (badges.length === 0) return undefined;
  return (
    <FoldedPanel title={`Badges: ${badges.length}`} id="badges">
      <List
        class="plain-list"
        items={badges.map(({ name, reason }) => (
          <>
            <strong>{name}</strong> <span class="muted small">{reason}</span>
          </>
        ))}
      />
    </FoldedPanel>
  );
}

export function AssistedWork({ analysis: { assistance, activity } }: AboutProperties) {
  const { totalCommits } = activity;
  if (!assistance) return undefined;
  return (
    <FoldedPanel
      title={`AI assistants: ${formatCount(assistance.commits)} of ${formatCount(totalCommits)} commits`}
      id="assistants"
    >
      <List class="plain-list" items={assistance.evidence} />
      <p class="small muted">Many assistants leave no mark, and none of this lowers the score.</p>
    </FoldedPanel>
  );
}

/** The accounts, names and former logins of this person. Unpublished addresses are only counted. */
export function IdentityFacts({ analysis, facts }: DeveloperProperties) {
  const { login, derivedLogin, otherNames = [] } = analysis.profile;
  const { accounts = [], formerLogins = [], emails = [] } = facts ?? {};
  const experience = formatExperience(analysis);
  const hidden = emails.filter(({ published }) => !published).length;
  return (
    <FoldedPanel title="Who this is" id="identity">
      <FactList
        facts={[
          ["Login", derivedLogin ? `${login}, made from the e-mail: no account is known` : login],
          accounts.length > 0 && [
            "Accounts",
            accounts.map((one) => `${one.forge}/${one.login}`).join(", "),
          ],
          experience !== "" && ["Experience", experience],
          otherNames.length > 0 && ["Other names", otherNames.join(", ")],
          formerLogins.length > 0 && ["Also found by", formerLogins.join(", ")],
          hidden > 0 && [
            "Addresses",
            `${hidden} more from commits and lists, which are not published`,
          ],
        ]}
      />
    </FoldedPanel>
  );
}

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
