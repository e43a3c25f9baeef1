/**
 * No text that others wrote keeps an expression busy: on texts made to do so the time grows with the text, and not with its
 * square. Times of two lengths are compared, so the speed of the machine plays no part; then each expression gets a long text.
 */
import { describe, expect, test } from "bun:test";
import { readLinguistRules } from "../../../src/ingest/linguist/data.ts";
import { selectConsidered } from "../../../src/ingest/linguist/heuristics.ts";
import { isLong } from "../../long.ts";
import { superlinearTexts } from "./growth.ts";
import { asText, type HostileText, hostileTexts } from "./hostile-texts.ts";
import { callsRegExp, madeWhileLoading, readExpressions, sourceFiles } from "./of-source.ts";
import type { Expression } from "./parse.ts";

const minute = 60_000;
const megabyte = 2 ** 20;
const longText = isLong ? megabyte : megabyte / 16;

/** Expressions that read only Roster's own text. */
const own: Readonly<Record<string, string>> = {
  "\\B(?=(\\d{3})+$)": "digits of a count",
  "^(-?\\d\\.\\d)( own)?( mostly)?( spoken)? (skill|language|path) (.+?) = (.+)$":
    "lines of the shipped lexicon",
};

const findSuperlinear = (expression: Expression) =>
  superlinearTexts(expression).next().value ?? undefined;

describe("the comparison tells linear time from more", () => {
  for (const [expression, isLinear] of [
    // The expression that stopped an ingest for minutes.
    [/\S*[\d/@_.#]\S*/g, false],
    [/\s+$/, false],
    [/(?<!\s)\s+$/, true],
    [/^(a+)+$/, false],
    [/^(a|b)+$/, true],
    [/<[^>]*>/g, false],
    [/<[^<>]*>/g, true],
    [/^\s*import/m, false],
    [/^[ \t]*import/m, true],
    [/\bonly: \[(\s*:(dev|test)\s*,?)+\]/, false],
    [/(a+)\1b/, false],
    [/x{0,1000}y/, true],
  ] as const) {
    test(`${expression} is ${isLinear ? "" : "not "}linear`, () => {
      expect(findSuperlinear(expression) === undefined).toBe(isLinear);
    });
  }
});

describe("expressions of the source", async () => {
  const files = [...sourceFiles()];
  const written = files.flatMap(readExpressions);
  const loaded = await madeWhileLoading(files.filter(callsRegExp));
  const different = [
    ...new Map([...written, ...loaded].map((each) => [`/${each.source}/${each.flags}`, each])),
  ].map(([, each]) => each);

  test("that are excused are still there", () => {
    expect(written.length).toBeGreaterThan(300);
    expect(loaded.length).toBeGreaterThan(10);
    const sources = new Set(written.map(({ source }) => source));
    expect(Object.keys(own).filter((source) => !sources.has(source))).toEqual([]);
  });

  test(
    "take linear time",
    () => {
      const slow = different
        .filter(({ source }) => !own[source])
        .map((each) => ({ ...each, text: findSuperlinear(each) }))
        .filter(({ text }) => text !== undefined);
      expect(slow).toEqual([]);
    },
    10 * minute,
  );

  test(
    "come to an end on a long text",
    () => {
      for (const each of different) {
        if (own[each.source]) continue;
        const expression = new RegExp(each.source, `${each.flags.replace("g", "")}g`);
        for (const text of ordinary) {
          const long = asText(text, Math.ceil(longText / text.repeated.length));
          expect(long.replace(expression, "").length).toBeLessThanOrEqual(long.length);
        }
      }
    },
    10 * minute,
  );
});

/** Texts that are slow for most expressions. */
const ordinary = ["a", "\n", "[(<{", "/a.b@c-"].map((repeated) => ({
  before: "",
  repeated,
  after: "\0",
}));

/** The data changes only when it is updated, so all of it is left to the long form. */
describe("expressions of Linguist's data", () => {
  const { data } = readLinguistRules();

  test.skipIf(!isLong)(
    "about contents take linear time on what is considered of a file: none takes ten seconds",
    () => {
      const patterns = data.heuristics.flatMap(({ rules }) =>
        rules.flatMap(({ tests }) => tests.flatMap(({ any }) => any)),
      );
      expect(patterns.length).toBeGreaterThan(300);
      const slow = patterns.flatMap(([source, flags]) => {
        const expression = new RegExp(source, flags);
        const isSlow = (text: HostileText) => {
          const long = asText(text, Math.ceil(megabyte / 64 / text.repeated.length));
          const startedAt = performance.now();
          expression.test(selectConsidered(long));
          return performance.now() - startedAt > 10_000;
        };
        const text = hostileTexts({ source, flags }).find((each) => isSlow(each) && isSlow(each));
        return text ? [{ source, text }] : [];
      });
      expect(slow).toEqual([]);
    },
    10 * minute,
  );

  test("see gaps and lines of a file cut", () => {
    const text = selectConsidered(
      `${"\n".repeat(megabyte / 64)}a${" ".repeat(megabyte / 64)}b${"c".repeat(megabyte / 64)}`,
    );
    expect(text.length).toBeLessThan(1200);
  });

  test.skipIf(!isLong)(
    "about paths take at most the square of a path that is cut",
    () => {
      const patterns = [...data.vendored, ...data.documentation].map((source) => [source, ""]);
      for (const [source = "", flags = ""] of [...patterns, ...data.generated]) {
        for (const text of superlinearTexts({ source, flags }).take(3)) {
          const path = asText(text, Math.ceil(1000 / text.repeated.length));
          const startedAt = performance.now();
          path.search(new RegExp(source, flags));
          expect([source, text, performance.now() - startedAt < 1000]).toEqual([
            source,
            text,
            true,
          ]);
        }
      }
    },
    10 * minute,
  );
});
