/** The files that pages offer: data as JSON, tables as CSV (RFC 4180). */
import type { Download } from "./page.ts";

/** Offers data as a file that people can read, too. */
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

/** A name without anything that means more to a header or a file system. */
export function toCsvFileName(name: string): string {
  return `${name.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "list"}.csv`;
}

type CsvRows = readonly (readonly (string | number | undefined)[])[];

/** @package @param rows the heading first; every row has the same columns. */
export function formatCsv(rows: CsvRows): string {
  return rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("");
}

/**
 * Spreadsheets take a text that begins so for a formula, which may send the table elsewhere; an apostrophe before it makes
 * it a text. Some take `;` or a tab for the end of a cell, and then no quotes hold: what follows one is a beginning too.
 * A number is a number, whatever its sign.
 */
const formulaStarts = /(^|[;\t\r\n])((?:(?![\t\r\n])[\p{Z}\p{C}])*[=+\-@＝＋－＠])/gu;

function formatCell(cell: string | number | undefined): string {
  if (typeof cell !== "string") return cell === undefined ? "" : String(cell);
  const text = cell.replace(/^(?=[\t\r\n])/, "'").replace(formulaStarts, "$1'$2");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
