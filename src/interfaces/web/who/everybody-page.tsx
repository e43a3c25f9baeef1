/** All people who know the files of a question, and its CSV files. This costs no call while the answer is cached. */

import type { WhoData } from "../../../contract/people/who-knows.ts";
import {
  askKnowledge,
  countKnowers,
  type RankedKnower,
  type RequestedKnowledge,
  readRanks,
} from "../../../operations/requested-knowledge.ts";
import { listHandover, readKnowerTable } from "../../../operations/who-tables.ts";
import type { ComputingModules } from "../calls.ts";
import { createCsvDownload } from "../download.ts";
import { formatCount, formatDate, formatPeople, formatShare } from "../look/format.ts";
import { type DataColumn, DataTable, PageLinks, readPage } from "../look/lists.tsx";
import { EmptyState } from "../look/parts.tsx";
import { CallResult, Share } from "../look/people.tsx";
import { defineSignedInPage } from "../page.ts";
import { PersonLine } from "./who-parts.tsx";
import {
  formatAddress,
  formatFailure,
  formatTitle,
  readQuestion,
  toWhoRequest,
} from "./who-question.tsx";

const pageSize = 100;

export const everybodyPage = defineSignedInPage({
  path: "/who/people",
  show: async (ask) => {
    const question = readQuestion(ask.url.searchParams);
    const request = toWhoRequest(question);
    if (!request) return { goTo: "/who" };
    const isByActivity = ask.url.searchParams.get("order") === "active";
    const asking = { ...ask, isMore: true };
    const answer = await ask.calls.perform(asking, "who_knows", request, async (_, computing) => {
      const asked = await askKnowledge(request, computing);
      const total = countKnowers(asked);
      const page = readPage(ask.url, pageSize, total);
      const from = (page - 1) * pageSize;
      const rows = await readRanks(asked, computing, { from, most: pageSize, isByActivity });
      const largest = asked.answer.people.reduce((most, { share }) => Math.max(most, share), 0);
      const address = formatAddress(question, {}, "/who/people");
      if (total === 0) return <EmptyState>No known person has worked on these files.</EmptyState>;
      return (
        <>
          <p>
            {formatPeople(total)}, by {isByActivity ? "last activity" : "share of what is known"}.
            Bars are scaled to {formatShare(largest)}.{" "}
            <a href={address + (isByActivity ? "" : "&order=active")}>
              Order by {isByActivity ? "share" : "last activity"}
            </a>
            ,{" "}
            <a href={formatAddress(question, {}, "/who/people.csv")} download="">
              CSV
            </a>
            : free
          </p>
          <div class="card">
            <DataTable
              scrolls="All people who know these files"
              class="everybody"
              columns={listColumns(largest)}
              rows={rows}
            />
          </div>
          <PageLinks label="Pages of people" url={ask.url} size={pageSize} {...{ page, total }} />
        </>
      );
    });
    return {
      title: formatTitle("All people who know", question),
      back: { to: formatAddress(question), label: "First people and folders" },
      body: <CallResult answer={answer} failure={formatFailure(answer, question)} />,
      status: answer.ok ? undefined : answer.problem.status,
    };
  },
});

/** @param largest the share that fills the bar: the largest of all people. */
const listColumns = (largest: number): readonly DataColumn<RankedKnower>[] => [
  ["Person", ({ login, name }) => <PersonLine login={login} names={new Map([[login, name]])} />],
  ["Share", ({ share }) => <Share share={share} largest={largest} />],
  ["Commits to these files", ({ commits }) => formatCount(commits), "number wide"],
  ["Files changed", ({ files }) => formatCount(files), "number wide"],
  ["Remaining lines", ({ lines }) => formatCount(Math.round(lines)), "number wide"],
  ["Last active", (one) => formatDate(one.lastActive) + (one.hasLeft ? ", left" : ""), "when"],
];

type Rows = Parameters<typeof createCsvDownload>[1];

function defineCsvPage(
  path: string,
  fileName: string,
  readRows: (
    data: WhoData,
    asked: RequestedKnowledge,
    from: ComputingModules,
  ) => Rows | Promise<Rows>,
) {
  return defineSignedInPage({
    path,
    show: async (ask) => {
      const question = readQuestion(ask.url.searchParams);
      const request = toWhoRequest(question);
      if (!request) return { goTo: formatAddress(question) };
      const asking = { ...ask, isMore: true };
      const answer = await ask.calls.perform(asking, "who_knows", request, async (data, from) => {
        const asked = await askKnowledge(request, from);
        return createCsvDownload(fileName, await readRows(data, asked, from));
      });
      if (!answer.ok) throw answer.problem;
      return answer.shown;
    },
  });
}

export const knowersCsvPage = defineCsvPage("/who/people.csv", "who-knows.csv", (_, asked, from) =>
  readKnowerTable(asked, from),
);

export const handoverCsvPage = defineCsvPage("/who/handover.csv", "hand-over.csv", ({ handover }) =>
  listHandover(handover?.folders ?? []),
);
