/** The files that pages offer: data as JSON, tables as CSV (RFC 4180). */
import type { Download } from "./page.ts";

export function createJsonDownload(fileName: string, data: object): Download {
  return {
    content: JSON.stringify(data, undefined, 2),
    type: "application/json",
    fileName,
  };
}

/** Offers a table as a file. @param rows the heading first; every row has the same columns. */
export function createCsvDownload(fileName: string, rows: CsvRows): Download {
  return { content: formatCsv(rows), type: "text/csv; charset=utf-8", fileName };
}

/** Makes a file name of letters, digits and hyphens, which headers and file systems take as they are. */
export function toCsvFileName(name: string): string {
  return `${name.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "list"}.csv`;
}

type CsvRows = readonly (readonly (string | number | undefined)[])[];

/** @package @param rows the heading first; every row has the same columns. */
export function formatCsv(rows: CsvRows): string {
  return rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("");
}

/**
 * Spreadsheets read a text that begins with one of these signs as a formula, which may send the table elsewhere. An
 * apostrophe before it makes it a text. Some spreadsheets end a cell at `;` or a tab even inside quotes, so what
 * follows these is a beginning too. Numbers keep their sign.
 */
const formulaStarts = /(^|[;\t\r\n])((?:(?![\t\r\n])[\p{Z}\p{C}])*[=+\-@＝＋－＠])/gu;

function formatCell(cell: string | number | undefined): string {
  if (typeof cell !== "string") return cell === undefined ? "" : String(cell);
  const text = cell.replace(/^(?=[\t\r\n])/, "'").replace(formulaStarts, "$1'$2");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
