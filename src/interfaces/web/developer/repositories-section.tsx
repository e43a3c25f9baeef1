import type { Facts } from "../../../contract/people/facts.ts";
import { formatCount, formatShortMonth } from "../look/format.ts";
import { type DataColumn, DataTable } from "../look/lists.tsx";
import { Panel } from "../look/parts.tsx";
import type { DeveloperProperties } from "./about-sections.tsx";

type Repository = Facts["repositories"][number];

const openMax = 6;
const shownMax = 20;

/** Lists the repositories to which the person has contributed. */
export function Repositories({ analysis, facts }: DeveloperProperties) {
  const { owned, contributedTo } = analysis.repositories;
  const known = (facts?.repositories ?? []).toSorted((a, b) => (b.commits ?? 0) - (a.commits ?? 0));
  const shown = known.slice(0, shownMax);
  const folded = shown.slice(openMax);
  const table = { class: "small repositories", columns };
  return (
    <Panel title="Repositories" id="repositories">
      <p class="muted">
        {formatCount(owned)} of their own, {formatCount(contributedTo)} of others
        {known.length > shown.length && `; the ${shownMax} with the most commits are shown`}
      </p>
      {shown.length > 0 && (
        <DataTable {...table} scrolls="Repositories by commits" rows={shown.slice(0, openMax)} />
      )}
      {folded.length > 0 && (
        <details class="folded">
          <summary>
            {formatCount(folded.length)} more {folded.length === 1 ? "repository" : "repositories"}
          </summary>
          <DataTable {...table} scrolls="More repositories by commits" rows={folded} />
        </details>
      )}
    </Panel>
  );
}

const columns: readonly DataColumn<Repository>[] = [
  ["Repository", (one) => <RepositoryLink repository={one} />],
  ["Part in it", ({ owned, fork }) => (owned ? (fork ? "own fork" : "own") : "contributes")],
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
