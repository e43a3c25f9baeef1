import { describe, expect, test } from "bun:test";
import { formatCsv } from "../../../../src/interfaces/web/search/csv.ts";

describe("a table as CSV", () => {
  test("quotes what would end a cell, and ends lines as RFC 4180 has it", () => {
    expect(
      formatCsv([
        ["login", "name"],
        ["ada", 'Ada "A", Example\nII'],
      ]),
    ).toBe('login,name\r\nada,"Ada ""A"", Example\nII"\r\n');
  });

  test("no text is taken for a formula, and a negative number stays one", () => {
    for (const start of ["=", "+", "-", "@", "\t", "\r"]) {
      const [cell = ""] = formatCsv([[`${start}HYPERLINK("http://evil.example")`]]).split("\r\n");
      expect([start, cell.replace(/^"/, "").startsWith(`'${start}`)]).toEqual([start, true]);
    }
    expect(formatCsv([[-1, undefined, 0]])).toBe("-1,,0\r\n");
  });
});
