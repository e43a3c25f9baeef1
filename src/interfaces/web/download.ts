/** The files that pages offer: data as JSON, tables as CSV (RFC 4180). */
import type { Download } from "./page.ts";

export function createJsonDownload(fileName: string, data: object): Download {
  return { content: JSON.stringify(data, undefined, 2), type: "application/json", fileName };
}

export function createCsvDownload(fileName: string, rows: CsvRows): Download {
  return { content: formatCsv(rows), type: "text/csv; charset=utf-8", fileName };
}

/** Makes a file name of letters, digits and hyphens, which are safe in headers and on file systems. */
export const toCsvFileName = (name: string): string =>
  `${name.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "list"}.csv`;

type CsvRows = readonly (readonly (string | number | undefined)[])[];

/** @package The first row contains the headings. */
export const formatCsv = (rows: CsvRows): string =>
  rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("");

/**
 * Matches signs that could begin a formula. A spreadsheet would run the formula, which could send the table to another machine.
 * Signs after `;`, a tab or a line break count too, because some spreadsheets begin a new cell there even inside quotes.
 */
const formulaStarts = /(^|[;\t\r\n])((?:(?![\t\r\n])[\p{Z}\p{C}])*[=+\-@＝＋－＠])/gu;

function formatCell(cell: string | number | undefined): string {
  if (typeof cell !== "string") return cell === undefined ? "" : String(cell);
  const text = cell.replace(/^(?=[\t\r\n])/, "'").replace(formulaStarts, "$1'$2");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
