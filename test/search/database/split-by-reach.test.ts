import { describe, expect, test } from "bun:test";
import type { TermList } from "../../../src/search/database/blocks/block-list.ts";
import type { ListSets } from "../../../src/search/database/blocks/count-blocks.ts";
import { splitByReach } from "../../../src/search/database/querying/split-by-reach.ts";

const [a, b, c, role] = ["a", "b", "c", "role"].map(
  (term): TermList => ({ kind: "term", count: 1, term, few: undefined }),
) as [TermList, TermList, TermList, TermList];

interface Asked {
  readonly skills?: readonly TermList[];
  readonly role?: TermList;
  readonly isStrict?: boolean;
}

/** Where each range begins and ends, and its sets. */
function split(bases: readonly number[], threshold: number, { isStrict, ...asked }: Asked) {
  const ranking = { skills: [], role: undefined, ...asked };
  const { skills, role } = ranking;
  const ofSkills = isStrict ? skills.map((skill) => [skill]) : [skills];
  const clauses = [...(role ? [[role]] : []), ...(skills.length > 0 ? ofSkills : [])];
  const getTopBase = (block: number) => bases[block] as number;
  const range = { from: 0, to: bases.length };
  const ranges = splitByReach({ getTopBase }, { clauses, ranking }, range, threshold);
  return ranges.map(({ from, to, sets }) => [from, to, show(sets)] as const);
}

function show(sets: ListSets): string {
  if (sets.length === 0) return "nobody";
  const names = sets.map((lists) => lists.map((list) => (list as TermList).term).join(" "));
  return names.join(", ") || "everybody";
}

/** What it takes for somebody with this base. */
function reach(base: number, threshold: number, asked: Asked): string | undefined {
  return split([base], threshold, asked)[0]?.[2];
}

describe("a score is reached", () => {
  test("by whoever has as many skills as it takes", () => {
    // A base of 600 gives 120 tenths. A tech stack of 100 adds 800; one skill of three is 33 of it, two are 67.
    const skills = [a, b, c];
    expect(reach(600, 120, { skills })).toBe("everybody");
    expect(reach(600, 121, { skills })).toBe("a, b, c");
    expect(reach(600, 384, { skills })).toBe("a, b, c");
    expect(reach(600, 385, { skills })).toBe("a b, a c, b c");
    expect(reach(600, 656, { skills })).toBe("a b, a c, b c");
    expect(reach(600, 657, { skills })).toBe("a b c");
    expect(reach(600, 920, { skills })).toBe("a b c");
    expect(reach(600, 921, { skills })).toBe("nobody");
  });

  test("with lists that everybody is in who is found: a role, and skills of which all are asked for", () => {
    // The role is 40 of a tech stack, one skill of two 30.
    const asked = { skills: [a, b], role };
    expect(reach(0, 320, asked)).toBe("everybody");
    expect(reach(0, 560, asked)).toBe("a, b");
    expect(reach(0, 561, asked)).toBe("a b");
    expect(reach(0, 800, asked)).toBe("a b");
    expect(reach(0, 800, { ...asked, isStrict: true })).toBe("everybody");
    expect(reach(0, 801, { ...asked, isStrict: true })).toBe("nobody");
  });

  test("by the best role's tech stack where nothing is asked for that scores", () => {
    // A base of 600 gives 300 tenths, a tech stack of 100 adds 500.
    expect(reach(600, 800, {})).toBe("everybody");
    expect(reach(600, 801, {})).toBe("nobody");
  });

  test("by anybody before there are enough, by nobody who only counts, and perhaps by all with very many skills", () => {
    const seven = [a, b, c, ...Array.from({ length: 4 }, () => ({ ...a }))];
    expect(reach(0, -1, { skills: [a, b] })).toBe("everybody");
    expect(reach(1000, Number.POSITIVE_INFINITY, { skills: [a, b] })).toBe("nobody");
    expect(reach(0, 800, { skills: seven })).toBe("everybody");
    expect(reach(0, 801, { skills: seven })).toBe("nobody");
    expect(reach(1000, Number.POSITIVE_INFINITY, { skills: seven })).toBe("nobody");
  });
});

test("blocks are split where it takes more lists, and short ranges let through whom the ones before do", () => {
  const of = (blocks: number, base: number) => Array.from({ length: blocks }, () => base);
  const skills = [a, b];
  // At a threshold of 500, one of two skills brings 400 and both bring 800; a base of 500 brings 100.
  expect(split([...of(30, 600), ...of(20, 400), ...of(40, 0)], 500, { skills })).toEqual([
    [0, 30, "a, b"],
    [30, 90, "a b"],
  ]);
  expect(split([...of(3, 900), ...of(3, 600), ...of(90, 400)], 501, { skills })).toEqual([
    [0, 16, "a, b"],
    [16, 96, "a b"],
  ]);
  expect(split([], 500, { skills })).toEqual([]);
});
