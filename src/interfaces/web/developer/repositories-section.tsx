import type { Facts } from "../../../contract/people/facts.ts";
import { type DataColumn, DataTable } from "../look/data-table.tsx";
import { formatCount, formatShortMonth } from "../look/format.ts";
import { Panel } from "../look/parts.tsx";
import type { DeveloperProperties } from "./developer-properties.ts";

type Repository = Facts["repositories"][number];

/** More are folded up, and more than these are left out. */
const openMax = 6;
const shownMax = 20;

/** Repositories of the person and of others in one table, from the facts; the tiers are from the analysis. */
export function Repositories({ analysis, facts }: DeveloperProperties) {
  const { owned, contributedTo, contributions } = analysis.repositories;
  const tiers = new Map(contributions.map((one) => [one.repository, one.tier_label]));
  const known = (facts?.repositories ?? []).toSorted((a, b) => (b.commits ?? 0) - (a.commits ?? 0));
  const shown = known.slice(0, shownMax);
  const folded = shown.slice(openMax);
  const columns = listColumns(tiers);
  return (
    <Panel title="Repositories" id="repositories">
      <p class="muted">
        {formatCount(owned)} of their own, {formatCount(contributedTo)} of others
        {known.length > shown.length && `; the ${shownMax} with the most commits are shown`}
      </p>
      {shown.length > 0 && (
        <DataTable
          class="small repositories"
          scrolls="Repositories by commits"
          columns={columns}
          rows={shown.slice(0, openMax)}
        />
      )}
      {folded.length > 0 && (
        <details class="folded">
          <summary>
            {formatCount(folded.length)} more {folded.length === 1 ? "repository" : "repositories"}
          </summary>
          <DataTable
            class="small repositories"
            scrolls="More repositories by commits"
            columns={columns}
            rows={folded}
          />
        </details>
      )}
    </Panel>
  );
}

function listColumns(tiers: ReadonlyMap<string, string>): readonly DataColumn<Repository>[] {
  return [
    ["Repository", (one) => <RepositoryLink repository={one} />],
    ["Part in it", (one) => <PartInRepository repository={one} tier={tiers.get(one.name)} />],
    ["Commits", ({ commits }) => commits !== undefined && formatCount(commits), "number"],
    [
      "When",
      ({ firstCommit, lastCommit }) =>
        firstCommit &&
        lastCommit &&
        `${formatShortMonth(firstCommit)} to ${formatShortMonth(lastCommit)}`,
      "wide whole",
    ],
    ["Language", ({ language }) => language, "wide"],
    ["Stars", ({ stars }) => stars !== undefined && formatCount(stars), "number wide"],
  ];
}

/** Leads to the repository on its forge, where one told of it; elsewhere to all people who worked in it. */
function RepositoryLink({ repository: { name, forge } }: { readonly repository: Repository }) {
  const onForge = forge === undefined ? undefined : findForgeUrl(forge, name);
  if (onForge !== undefined) {
    return (
      <a href={onForge} rel="noreferrer nofollow">
        {name}
      </a>
    );
  }
  return <a href={`/?${new URLSearchParams({ repositories: name })}`}>{name}</a>;
}

/** @returns undefined for what is no address of a repository: facts may be imported from anywhere. */
export function findForgeUrl(forge: string, name: string): string | undefined {
  if (!/^[a-z0-9.-]+(:\d+)?(\/[\w./-]*)?$/i.test(forge) || !name.includes("/")) return undefined;
  const path = name.split("/").map(encodeURIComponent).join("/");
  const url = `https://${forge.replace(/\/$/, "")}/${path}`;
  return URL.canParse(url) ? url : undefined;
}

interface PartProperties {
  readonly repository: Repository;
  readonly tier: string | undefined;
}

function PartInRepository({ repository: { owned, fork }, tier }: PartProperties) {
  return (
    <>
      {owned ? (fork ? "own fork" : "own") : "contributes"}
      {tier && <span class="muted"> · {tier}</span>}
    </>
  );
}
