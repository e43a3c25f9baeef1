/** A table as CSV (RFC 4180). Every page that offers one writes it here. */

/** @param rows the heading first; every row has the same columns. */
export function formatCsv(rows: readonly (readonly (string | number | undefined)[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("");
}

/**
 * Spreadsheets take a text that begins so for a formula, which may send the table elsewhere; an apostrophe before it
 * makes it a text. A number is a number, whatever its sign.
 */
const formulaStart = /^[=+\-@\t\r]/;

function formatCell(cell: string | number | undefined): string {
  if (typeof cell !== "string") return cell === undefined ? "" : String(cell);
  const text = formulaStart.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
