/** The tables of answers of `who_knows`, for CSV files. The first row has the headings. */
import type { KnowingPerson, WhoData } from "../contract/people/who-knows.ts";
import {
  countKnowers,
  type KnowledgeAccess,
  type RequestedKnowledge,
  readKnowers,
} from "./requested-knowledge.ts";

type Table = readonly (readonly (string | number | undefined)[])[];

/** The most rows of a table. */
const rowsMax = 20_000;
/** The number of rows that are read at once. Between two batches, the server answers other requests. */
const rowsAtOnce = 200;

/** Lists all people who know the files of a question. */
export async function readKnowerTable(
  asked: RequestedKnowledge,
  modules: Pick<KnowledgeAccess, "pool" | "knowledge">,
): Promise<Table> {
  const total = Math.min(rowsMax, countKnowers(asked));
  const rows: ReturnType<typeof toRow>[] = [];
  for (let from = 0; from < total; from += rowsAtOnce) {
    const most = Math.min(rowsAtOnce, total - from);
    rows.push(...(await readKnowers(asked, modules, { from, most })).map(toRow));
    await Bun.sleep(0);
  }
  return [columns, ...rows];
}

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

/** Lists the folders of a hand-over. */
export function listHandover(folders: NonNullable<WhoData["handover"]>["folders"]): Table {
  return [
    [
      ...["folder", "files", "they know", "nobody else", "their part"],
      ...["next", "part of next", "second", "part of second", "third", "part of third"],
    ],
    ...folders.map(({ path, files, known, lost, share, next }) => [
      ...[path, files, known, lost, share],
      ...next.flatMap((one) => [one.login, one.share]),
    ]),
  ];
}
