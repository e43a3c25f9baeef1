/** A hand-over as a short tree of risks, and as a list of successors. */
import { describe, expect, test } from "bun:test";
import { listRisks, listSuccessors } from "../../src/operations/handover-plan.ts";
import { createRandom, drawSeed } from "../random.ts";

const hand = (
  path: string,
  known: number,
  lost: number,
  next: readonly [string, number][] = [],
) => ({
  ...{ path, files: known, known, lost, share: 0.5 },
  next: next.map(([login, share]) => ({ login, share })),
});

const folders = [
  hand("src/main/api", 6, 4, [["ben", 0.4]]),
  hand("src/main/web", 3, 0, [["cleo", 0.3]]),
  hand("src/main", 1, 1),
  hand("src/main/ui/forms/list", 2, 0, [["cleo", 0.3]]),
  hand("src/main/ui/forms/text", 2, 0, [["cleo", 0.3]]),
  hand("docs", 3, 0, [["ben", 0.2]]),
  hand("", 1, 0, [["cleo", 0.9]]),
];

describe("the tree of risks", () => {
  test("opens the riskiest folders, joins folders with one folder in them, and sums what is below", () => {
    const rows = listRisks(folders, 10).map(({ name, depth, known, lost, next }) => [
      ...[name, depth, known, lost, next],
    ]);
    expect(rows).toEqual([
      ["src/main", 0, 14, 5, "cleo"],
      ["api", 1, 6, 4, "ben"],
      ["ui/forms", 1, 4, 0, "cleo"],
      ["list", 2, 2, 0, "cleo"],
      ["text", 2, 2, 0, "cleo"],
      ["web", 1, 3, 0, "cleo"],
      ["docs", 0, 3, 0, "ben"],
      ["", 0, 1, 0, "cleo"],
    ]);
    expect(listRisks(folders, 10)[1]?.path).toBe("src/main/api");
  });

  test("keeps its bound, and its top folders hold all files, whatever the folders are", () => {
    const draw = createRandom(drawSeed("hand-over folders"));
    const upTo = (most: number) => Math.floor(draw() * most);
    for (let round = 0; round < 50; round++) {
      const paths = new Set(
        Array.from({ length: 1 + upTo(60) }, () =>
          Array.from({ length: 1 + upTo(4) }, () => "abc"[upTo(3)]).join("/"),
        ),
      );
      const some = [...paths].map((path) => {
        const known = 1 + upTo(20);
        return hand(path, known, upTo(known + 1), draw() < 0.3 ? [] : [["ben", 0.2]]);
      });
      const most = 3 + upTo(20);
      const rows = listRisks(some, most);
      expect(rows.length).toBeLessThanOrEqual(most);
      const sum = (all: readonly { known: number }[]) => all.reduce((n, { known }) => n + known, 0);
      expect(sum(rows.filter(({ depth }) => depth === 0))).toBe(sum(some));
      for (const { path, known, lost } of rows) {
        const inside = some.filter((one) => one.path === path || one.path.startsWith(`${path}/`));
        expect([known, lost]).toEqual([sum(inside), inside.reduce((n, one) => n + one.lost, 0)]);
      }
    }
  });
});

test("successors are named with their largest folders, and folders without one come first", () => {
  expect(listSuccessors(folders)).toEqual([
    {
      ...{ login: undefined, folders: 1, files: 1, lost: 1 },
      largest: [{ path: "src/main", share: 0 }],
    },
    {
      ...{ login: "ben", folders: 2, files: 9, lost: 4 },
      largest: [
        { path: "src/main/api", share: 0.4 },
        { path: "docs", share: 0.2 },
      ],
    },
    {
      ...{ login: "cleo", folders: 4, files: 8, lost: 0 },
      largest: [
        { path: "src/main/web", share: 0.3 },
        { path: "src/main/ui/forms/list", share: 0.3 },
      ],
    },
  ]);
});
