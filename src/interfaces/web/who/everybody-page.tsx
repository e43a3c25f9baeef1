/** Lists all people who know the files of a question, a hundred on a page. This costs no call while the answer is cached. */
import {
  askKnowledge,
  countKnowers,
  type RankedKnower,
  readRanks,
} from "../../../operations/requested-knowledge.ts";
import { formatCount, formatDate, formatPeople } from "../look/format.ts";
import { DataTable, PageLinks, readPage } from "../look/lists.tsx";
import { EmptyState } from "../look/parts.tsx";
import { CallResult, DeveloperLink, Share } from "../look/people.tsx";
import { defineSignedInPage } from "../page.ts";
import {
  formatAddress,
  formatTitle,
  readQuestion,
  toWhoRequest,
  type WhoQuestion,
} from "./who-question.ts";

const pageSize = 100;

export const everybodyPage = defineSignedInPage({
  path: "/who/people",
  show: async (ask) => {
    const question = readQuestion(ask.url.searchParams);
    const request = toWhoRequest(question);
    if (!request) return { goTo: "/who" };
    const asking = { ...ask, isMore: true };
    const answer = await ask.calls.perform(asking, "who_knows", request, async (_, computing) => {
      const asked = await askKnowledge(request, computing);
      const total = countKnowers(asked);
      const page = readPage(ask.url, pageSize, total);
      const from = (page - 1) * pageSize;
      const rows = await readRanks(asked, computing, { from, most: pageSize });
      const largest = asked.answer.people.reduce((most, { share }) => Math.max(most, share), 0);
      return <Everybody {...{ question, rows, total, largest, page }} />;
    });
    return {
      title: formatTitle("Everybody who knows", question),
      back: { to: formatAddress(question), label: "The first ten, and the folders" },
      body: <CallResult answer={answer} failure="The question was not answered" />,
      status: answer.ok ? undefined : answer.problem.status,
    };
  },
});

interface RankTableProperties {
  readonly rows: readonly RankedKnower[];
  readonly largest: number;
  readonly hasLeft: boolean;
}

function RankTable({ rows, largest, hasLeft }: RankTableProperties) {
  return (
    <DataTable
      scrolls={hasLeft ? "People who left" : "Everybody who knows these files"}
      class="everybody"
      columns={[
        ["Person", ({ login, name }) => <DeveloperLink login={login} name={name} />, "free"],
        ["Place", ({ rank }) => formatCount(rank), "number"],
        ["Share", ({ share }) => <Share share={share} largest={largest} />],
        ["Commits to these files", ({ commits }) => formatCount(commits), "number"],
        ["Files changed", ({ files }) => formatCount(files), "number"],
        ["Lines that stand", ({ lines }) => formatCount(Math.round(lines)), "number"],
        ["Last active", ({ lastActive }) => formatDate(lastActive), "when"],
      ]}
      rows={rows}
    />
  );
}

interface EverybodyProperties {
  readonly question: WhoQuestion;
  readonly rows: readonly RankedKnower[];
  readonly total: number;
  /** The share that fills the bar: the largest of all people. */
  readonly largest: number;
  readonly page: number;
}

function Everybody({ question, rows, total, largest, page }: EverybodyProperties) {
  const toPage = (number: number) => {
    const address = formatAddress(question, {}, "/who/people");
    return number === 1 ? address : `${address}&page=${number}`;
  };
  if (total === 0) return <EmptyState>No known person has worked on these files.</EmptyState>;
  return (
    <>
      <p>
        {formatPeople(total)}, by their share of what is known; people who left come last. Further
        pages and the{" "}
        <a href={formatAddress(question, {}, "/who/people.csv")} download="">
          CSV of all
        </a>{" "}
        are part of the same call.
      </p>
      {[false, true].map((hasLeft) => {
        const shown = rows.filter((row) => row.hasLeft === hasLeft);
        return (
          shown.length > 0 && (
            <>
              {hasLeft && <h2>People who left</h2>}
              <RankTable rows={shown} largest={largest} hasLeft={hasLeft} />
            </>
          )
        );
      })}
      <PageLinks label="Pages of people" size={pageSize} {...{ page, total, toPage }} />
    </>
  );
}
