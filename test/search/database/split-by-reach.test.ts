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
    // A tech stack of 100 adds 500 tenths; one skill of three is 33 of it, two are 67.
    const skills = [a, b, c];
    expect(reach(300, 300, { skills })).toBe("everybody");
    expect(reach(300, 301, { skills })).toBe("a, b, c");
    expect(reach(300, 465, { skills })).toBe("a, b, c");
    expect(reach(300, 466, { skills })).toBe("a b, a c, b c");
    expect(reach(300, 635, { skills })).toBe("a b, a c, b c");
    expect(reach(300, 636, { skills })).toBe("a b c");
    expect(reach(300, 800, { skills })).toBe("a b c");
    expect(reach(300, 801, { skills })).toBe("nobody");
  });

  test("with lists that everybody is in who is found: a role, and skills of which all are asked for", () => {
    // The role is 40 of a tech stack, one skill of two 30.
    const asked = { skills: [a, b], role };
    expect(reach(0, 200, asked)).toBe("everybody");
    expect(reach(0, 350, asked)).toBe("a, b");
    expect(reach(0, 351, asked)).toBe("a b");
    expect(reach(0, 500, asked)).toBe("a b");
    expect(reach(0, 500, { ...asked, isStrict: true })).toBe("everybody");
    expect(reach(0, 501, { ...asked, isStrict: true })).toBe("nobody");
  });

  test("by the best role's tech stack where nothing is asked for that scores", () => {
    expect(reach(300, 800, {})).toBe("everybody");
    expect(reach(300, 801, {})).toBe("nobody");
  });

  test("by anybody before there are enough, by nobody who only counts, and perhaps by all with very many skills", () => {
    const seven = [a, b, c, ...Array.from({ length: 4 }, () => ({ ...a }))];
    expect(reach(0, -1, { skills: [a, b] })).toBe("everybody");
    expect(reach(500, Number.POSITIVE_INFINITY, { skills: [a, b] })).toBe("nobody");
    expect(reach(0, 500, { skills: seven })).toBe("everybody");
    expect(reach(0, 501, { skills: seven })).toBe("nobody");
    expect(reach(500, Number.POSITIVE_INFINITY, { skills: seven })).toBe("nobody");
  });
});

test("blocks are split where it takes more lists, and short ranges let through whom the ones before do", () => {
  const of = (blocks: number, base: number) => Array.from({ length: blocks }, () => base);
  const skills = [a, b];
  // At a threshold of 500, one of two skills brings 250 and both bring 500.
  expect(split([...of(30, 300), ...of(20, 200), ...of(40, 0)], 500, { skills })).toEqual([
    [0, 30, "a, b"],
    [30, 90, "a b"],
  ]);
  expect(split([...of(3, 500), ...of(3, 300), ...of(90, 200)], 501, { skills })).toEqual([
    [0, 16, "a, b"],
    [16, 96, "a b"],
  ]);
  expect(split([], 500, { skills })).toEqual([]);
});
