/**
 * Writes the answer of `who_knows` as a comment on a change: a heading and one block of HTML. Forges read no Markdown in such a
 * block. So a name like `@ada` notifies nobody.
 */
import { cleanForComment, quoteForComment } from "../contract/foreign-text.ts";
import { formatCount, formatCounted, formatDate, formatShare } from "../contract/format.ts";
import type { KnowingPerson, WhoData } from "../contract/people/who-knows.ts";
import { listAuthorSentences } from "./author-sentence.ts";
import { viewKnowledge } from "./knowledge-view.ts";

/** Characters of all rows together. A comment on GitHub has at most 65,536 characters. */
const rowLettersMax = 40_000;
const newFilesMax = 10;
const repositoriesMax = 3;
const accountsMax = 2;

export function writeKnowledgeComment(data: WhoData): readonly string[] {
  const { isChange, repositories } = data;
  const title = isChange ? "### Suggested reviewers" : "### Who knows these files";
  if (isChange && repositories.length === 0) {
    return [title, "", "The change touches no file, so it needs no review."];
  }
  const rows = listRows(data);
  const columns = ["Person", "Share", "Knows", "Because"];
  const staying = Math.min(rows.length, data.people.filter(({ hasLeft }) => !hasLeft).length);
  return [
    title,
    "",
    `<p>${sayWho(data, rows.length)}</p>`,
    ...(staying > 0 ? writeTable(columns, rows.slice(0, staying)) : []),
    ...(rows.length > staying
      ? ["<p>People who left</p>", ...writeTable(columns, rows.slice(staying))]
      : []),
    ...listAuthorSentences(data, (kind, text) =>
      kind === "login" || kind === "path" ? quoteForComment(text) : cleanForComment(text),
    ).map((sentence) => `<p>${sentence}</p>`),
    ...sayNewFiles(data),
    ...(isChange ? [] : writeOtherTables(data)),
    `<p>${sayWhen(data)}</p>`,
  ];
}

function sayWho({ isChange, total, repositories }: WhoData, shown: number): string {
  const names = repositories.slice(0, repositoriesMax).map(({ name }) => quoteForComment(name));
  const where = `${names.join(", ")}${repositories.length > repositoriesMax ? " and others" : ""}`;
  if (shown === 0) {
    return isChange
      ? `No reviewer is known in ${where}.`
      : `No known person has worked on these files in ${where}.`;
  }
  return `${total === 1 ? "1 person" : `${shown} of ${total} people`} in ${where}, best first.`;
}

function listRows(data: WhoData): readonly (readonly string[])[] {
  let letters = 0;
  const rows = data.people.map((person) => [
    formatWho(person),
    formatShare(person.score / 100),
    formatKnown(person, data),
    person.reasons.map((reason) => cleanForComment(reason)).join(" "),
  ]);
  return rows.filter((row) => {
    letters += row.join("").length;
    return letters <= rowLettersMax;
  });
}

function formatWho({ login, name, accounts = [] }: KnowingPerson): string {
  const who = `${quoteForComment(login)}${name ? ` ${cleanForComment(name)}` : ""}`;
  return [who, ...accounts.slice(0, accountsMax).map((one) => quoteForComment(one))].join("<br>");
}

function formatKnown({ files, evidence }: KnowingPerson, { isChange, files: all }: WhoData) {
  if (!isChange) return `${formatCount(evidence.files)} of ${formatCounted(all, "file")}`;
  return (files ?? [])
    .map(({ path, share }) => `${quoteForComment(path)} ${formatShare(share)}`)
    .join("<br>");
}

function sayNewFiles({ isChange, unknownPaths = [] }: WhoData): readonly string[] {
  if (unknownPaths.length === 0) return [];
  const shown = unknownPaths.slice(0, newFilesMax).map((path) => quoteForComment(path));
  const more = unknownPaths.length - shown.length;
  const these = `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return [
    isChange
      ? `<p>New or generated, answered by the people of the nearest folder: ${these}.</p>`
      : `<p>Unknown paths: ${these}.</p>`,
  ];
}

/** Writes the tables of the hand-over plan and of the outdated rules in ownership files. */
function writeOtherTables(data: WhoData): readonly string[] {
  return viewKnowledge(data).flatMap((part) => {
    const { title, headings = [], rows } = (typeof part !== "string" && part.table) || {};
    const cells = title === undefined ? [] : (rows?.() ?? []);
    if (cells.length === 0) return [];
    const quoted = cells.map((row) => row.map((cell) => cleanForComment(cell)));
    return [`<p>${title}</p>`, ...writeTable(headings, quoted)];
  });
}

function sayWhen({ historyEnd, asOf }: WhoData): string {
  const end =
    historyEnd && ` Data ends on ${cleanForComment(formatDate(historyEnd))}; later work may exist.`;
  return `As of ${cleanForComment(formatDate(asOf))}, by Roster.${end ?? ""}`;
}

/** @param rows the cells of each row, as inline HTML. */
export function writeTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const write = (cells: readonly string[], element: string) =>
    `<tr>${cells.map((cell) => `<${element}>${cell}</${element}>`).join("")}</tr>`;
  return [
    "<table>",
    `<thead>${write(headings, "th")}</thead>`,
    ...["<tbody>", ...rows.map((row) => write(row, "td")), "</tbody>"],
    "</table>",
  ];
}
