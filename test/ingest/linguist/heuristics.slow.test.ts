import { describe, expect, test } from "bun:test";
import { fromRuby } from "../../../scripts/seeding/linguist/ruby-regexp.ts";
import { readLinguistRules } from "../../../src/ingest/linguist/data.ts";
import { applyHeuristic } from "../../../src/ingest/linguist/heuristics.ts";

describe("a regular expression of Ruby in JavaScript", () => {
  const fits = (source: string, text: string): boolean => {
    const [pattern, flags] = fromRuby(source);
    return new RegExp(pattern, flags).test(text);
  };
  for (const [source, text, does] of [
    ["^b$", "a\nb\nc", true],
    ["\\Ab", "a\nb", false],
    ["\\A\\z", "", true],
    ["a\\z", "a\n", false],
    ["(?i)ABC", "xabcx", true],
    ["(?im)a.b", "A\nB", true],
    ["a.b", "a\nb", false],
    ["(?-m)a.b", "a\nb", false],
    ["^\\s+(?i)db\\s", " DB 1", true],
    ["^X(?i)db", "xdb", false],
    ["(?i:ab)c", "ABC", false],
    ["^[\\s&&[^\\r\\n]]=", "\t=", true],
    ["^[\\s&&[^\\r\\n]]=", "\n\n=", false],
  ] as const) {
    test(`${source} ${does ? "fits" : "does not fit"} ${JSON.stringify(text)}`, () => {
      expect(fits(source, text)).toBe(does);
    });
  }

  test("what has no translation is refused, not changed in meaning", () => {
    for (const source of ["(?x) a b", "a*+b", "(?>a)", "[[:alpha:]]", "\\p{L}", "(a(?i)b)"]) {
      expect(() => fromRuby(source)).toThrow();
    }
  });
});

describe("the shipped heuristics", () => {
  const { data, heuristics } = readLinguistRules();

  test("name languages that the data know", () => {
    const unknown = data.heuristics
      .flatMap(({ rules }) => rules.flatMap(({ languages }) => languages))
      .filter((name) => !data.languages[name]);
    expect(unknown).toEqual([]);
    expect(heuristics.size).toBeGreaterThan(100);
  });

  test("compile, each pattern, and take little of hostile text", () => {
    const hostile = [" ", "a ", "\n", "(", ": ", "a_1 ", "{", "<a ", ".A\n"].map((piece) =>
      piece.repeat(400),
    );
    let patterns = 0;
    for (const { rules } of data.heuristics) {
      for (const { any } of rules.flatMap(({ tests }) => tests)) {
        for (const [pattern, flags] of any) {
          patterns += 1;
          const expression = new RegExp(pattern, flags);
          for (const text of hostile) expect(typeof expression.test(`${text}!`)).toBe("boolean");
        }
      }
    }
    expect(patterns).toBeGreaterThan(300);
  });

  test("take old line ends for line ends, where long lines are cut", () => {
    const lines = Array.from({ length: 200 }, (_, at) => `"comment ${at}"`).join("\r");
    const text = `${lines}\r!Collection methodsFor: 'adding'!\r`;
    const [heuristic] = heuristics.get(".cs") ?? [];
    expect(heuristic && applyHeuristic(heuristic, text)).toEqual(["Smalltalk"]);
  });

  // Each took seconds to minutes for one extension or another before repetitions were bounded.
  const pieces = ["\n", " \n", `${"\n".repeat(60)}a`, "a_", "a\n", "\ta\n", "%%\n", "{\n", "((\n"];
  for (const piece of [...pieces, "#\n", ":\n", "begin\n", "a.b.", "/* ", "a a("]) {
    test(`come to an end, for every extension, with 50 KiB of ${JSON.stringify(piece.slice(-6))}`, () => {
      const text = `${piece.repeat(Math.ceil((50 * 1024) / piece.length))}!`;
      const ended = data.heuristics.filter((each) => Array.isArray(applyHeuristic(each, text)));
      expect(ended).toHaveLength(data.heuristics.length);
    });
  }
});
