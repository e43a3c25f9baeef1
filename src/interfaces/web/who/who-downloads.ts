/** The CSV files of the page "Who knows". They cost no call while the answer of the page is cached. */
import type { WhoData } from "../../../contract/people/who-knows.ts";
import { askKnowledge, type RequestedKnowledge } from "../../../operations/requested-knowledge.ts";
import { listHandover, readKnowerTable } from "../../../operations/who-tables.ts";
import type { ComputingModules } from "../calls.ts";
import { createCsvDownload } from "../download.ts";
import { defineSignedInPage } from "../page.ts";
import { formatAddress, readQuestion, toWhoRequest } from "./who-question.ts";

type Rows = Parameters<typeof createCsvDownload>[1];

interface Table {
  readonly path: string;
  readonly fileName: string;
  readRows(
    data: WhoData,
    asked: RequestedKnowledge,
    computing: ComputingModules,
  ): Rows | Promise<Rows>;
}

const defineCsvPage = ({ path, fileName, readRows }: Table) =>
  defineSignedInPage({
    path,
    show: async (ask) => {
      const question = readQuestion(ask.url.searchParams);
      const request = toWhoRequest(question);
      if (!request) return { goTo: formatAddress(question) };
      const asking = { ...ask, isMore: true };
      const answer = await ask.calls.perform(
        asking,
        "who_knows",
        request,
        async (data, computing) => {
          const asked = await askKnowledge(request, computing);
          return createCsvDownload(fileName, await readRows(data, asked, computing));
        },
      );
      if (!answer.ok) throw answer.problem;
      return answer.shown;
    },
  });

export const knowersCsvPage = defineCsvPage({
  ...{ path: "/who/people.csv", fileName: "who-knows.csv" },
  readRows: (_, asked, computing) => readKnowerTable(asked, computing),
});

export const handoverCsvPage = defineCsvPage({
  ...{ path: "/who/handover.csv", fileName: "hand-over.csv" },
  readRows: ({ handover }) => listHandover(handover?.folders ?? []),
});
