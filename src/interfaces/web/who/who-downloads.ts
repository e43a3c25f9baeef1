/** The CSV files of the page "Who knows". They cost no call while the answer of the page is cached. */
import type { KnowingPerson, WhoData } from "../../../contract/people/who-knows.ts";
import { listHandover } from "../../../operations/handover-plan.ts";
import {
  askKnowledge,
  countKnowers,
  type RequestedKnowledge,
  readKnowers,
} from "../../../operations/requested-knowledge.ts";
import type { ComputingModules } from "../calls.ts";
import { createCsvDownload } from "../download.ts";
import { defineSignedInPage } from "../page.ts";
import { formatAddress, readQuestion, toWhoRequest } from "./who-question.ts";

type Rows = Parameters<typeof createCsvDownload>[1];
type ReadRows = (
  data: WhoData,
  asked: RequestedKnowledge,
  computing: ComputingModules,
) => Rows | Promise<Rows>;

const defineCsvPage = (path: string, fileName: string, readRows: ReadRows) =>
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

/** The most rows of a CSV file. */
const rowsMax = 20_000;
/** The number of rows that are read at once. Between two batches, the server answers other requests. */
const rowsAtOnce = 200;

const columns = [
  ...["login", "name", "e-mail", "score", "confidence", "active", "last active"],
  ...["commits to these files", "reviews", "files", "lines", "line share", "recent share"],
  ...["first", "last"],
];

const toRow = ({ evidence, isActive, hasLeft, ...person }: KnowingPerson) => [
  ...[person.login, person.name, person.emails.join(" "), person.score, person.confidence],
  ...[hasLeft ? "left" : isActive ? "yes" : "no", person.lastActive, evidence.commits],
  ...[evidence.reviews, evidence.files, evidence.lines, evidence.lineShare],
  ...[evidence.recentShare, evidence.first, evidence.last],
];

export const knowersCsvPage = defineCsvPage(
  ...(["/who/people.csv", "who-knows.csv"] as const),
  async (_, asked, computing) => {
    const total = Math.min(rowsMax, countKnowers(asked));
    const rows: ReturnType<typeof toRow>[] = [];
    for (let from = 0; from < total; from += rowsAtOnce) {
      const most = Math.min(rowsAtOnce, total - from);
      rows.push(...(await readKnowers(asked, computing, { from, most })).map(toRow));
      await Bun.sleep(0);
    }
    return [columns, ...rows];
  },
);

export const handoverCsvPage = defineCsvPage(
  ...(["/who/handover.csv", "hand-over.csv"] as const),
  ({ handover }) => listHandover(handover?.folders ?? []),
);
