/** A table as CSV (RFC 4180). Every page that offers one writes it here. */

/** @param rows the heading first; every row has the same columns. */
export function formatCsv(rows: readonly (readonly (string | number | undefined)[])[]): string {
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
