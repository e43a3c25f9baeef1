/** The CSV files of the page "Who knows". They cost no call while the answer of the page is cached. */
import type { KnowingPerson } from "../../../contract/people/who-knows.ts";
import {
  askKnowledge,
  countKnowers,
  type RequestedKnowledge,
  readKnowers,
} from "../../../operations/requested-knowledge.ts";
import type { ComputingModules } from "../calls.ts";
import { createCsvDownload } from "../download.ts";
import { defineSignedInPage } from "../page.ts";
import { listHandover } from "./handover-section.tsx";
import { formatAddress, readQuestion, toWhoRequest } from "./who-question.ts";

export const knowersCsvPage = defineSignedInPage({
  path: "/who/people.csv",
  show: async (ask) => {
    const request = toWhoRequest(readQuestion(ask.url.searchParams));
    if (!request) return { goTo: "/who" };
    const asking = { ...ask, isMore: true };
    const answer = await ask.calls.perform(asking, "who_knows", request, async (_, computing) => {
      const asked = await askKnowledge(request, computing);
      return createCsvDownload("who-knows.csv", [columns, ...(await readRows(asked, computing))]);
    });
    if (!answer.ok) throw answer.problem;
    return answer.shown;
  },
});

/** The most rows of a CSV file. */
const rowsMax = 20_000;
/** The number of rows that are read at once. Between two batches, the server answers other requests. */
const rowsAtOnce = 200;

async function readRows(asked: RequestedKnowledge, computing: ComputingModules) {
  const total = Math.min(rowsMax, countKnowers(asked));
  const rows: ReturnType<typeof toRow>[] = [];
  for (let from = 0; from < total; from += rowsAtOnce) {
    const most = Math.min(rowsAtOnce, total - from);
    rows.push(...(await readKnowers(asked, computing, { from, most })).map(toRow));
    await Bun.sleep(0);
  }
  return rows;
}

export const handoverCsvPage = defineSignedInPage({
  path: "/who/handover.csv",
  show: async (ask) => {
    const question = readQuestion(ask.url.searchParams);
    const request = toWhoRequest(question);
    if (!request || question.without === "") return { goTo: formatAddress(question) };
    const asking = { ...ask, isMore: true };
    const answer = await ask.calls.perform(asking, "who_knows", request, ({ handover }) =>
      createCsvDownload("hand-over.csv", handover ? listHandover(handover) : []),
    );
    if (!answer.ok) throw answer.problem;
    return answer.shown;
  },
});

const columns = [
  ...[
    "login",
    "name",
    "e-mail",
    "score",
    "confidence",
    "active",
    "last active",
    "commits to these files",
  ],
  ...["reviews", "files", "lines", "line share", "recent share", "first", "last"],
];

const toRow = ({ evidence, ...person }: KnowingPerson) => [
  ...[person.login, person.name, person.emails.join(" "), person.score, person.confidence],
  ...[
    person.hasLeft ? "left" : person.isActive ? "yes" : "no",
    person.lastActive,
    evidence.commits,
    evidence.reviews,
  ],
  ...[evidence.files, evidence.lines, evidence.lineShare, evidence.recentShare],
  ...[evidence.first, evidence.last],
];
