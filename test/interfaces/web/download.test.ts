import { describe, expect, test } from "bun:test";
import { formatCsv } from "../../../src/interfaces/web/download.ts";

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
    for (const sign of ["=", "+", "-", "@", "＝", "＋", "－", "＠"]) {
      for (const before of ["", " ", "\u00a0", "\u200b", "\ufeff", " \u2003", "\u0000"]) {
        expect(formatCsv([[`${before}${sign}1+1`]])).toBe(`'${before}${sign}1+1\r\n`);
        // Where a semicolon, a tab or a line ends a cell whatever quotes say, another one begins behind it.
        for (const end of [";", "\t", "\n", "\r\n"]) {
          const [, second = ""] = formatCsv([[`x${end}${before}${sign}1+1;`]]).split(end);
          expect(second).toStartWith(`'${before}${sign}`);
        }
      }
    }
    expect(formatCsv([["x;y", "C++; Go - and C#", "a-b@example.com"]])).toBe(
      '"x;y","C++; Go - and C#",a-b@example.com\r\n',
    );
    expect(formatCsv([[-1, undefined, 0]])).toBe("-1,,0\r\n");
  });
});
