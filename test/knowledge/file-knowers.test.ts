/** Who knows sets of files that overlap, counted once more by plain loops over drawn files. */
import { expect, test } from "bun:test";
import { createFileKnowers, createKnowerSum } from "../../src/knowledge/file-knowers.ts";
import { createRandom } from "../random.ts";

const [people, files] = [7, 40];

for (const seed of [1, 2, 3]) {
  test(`knowers of parts that several sets share, drawn with ${seed}`, () => {
    const random = createRandom(seed);
    const below = (most: number) => Math.floor(random() * most);
    const list = createFileKnowers();
    const rows: { person: number; share: number; day: number }[][] = [];
    const lines: number[] = [];
    for (let file = 0; file < files; file++) {
      const some = Array.from({ length: people }, (_, person) => person).filter(() => below(3) > 0);
      rows.push(some.map((person) => ({ person, share: random(), day: 1 + below(20_000) })));
      lines.push(below(300));
      for (const { person, share, day } of rows[file] ?? []) list.add(person, share, day);
      list.endFile(lines[file] ?? 0);
    }
    const knowers = list.finish(Int32Array.from({ length: people }, (_, person) => person));
    const parts = Array.from({ length: 6 }, (_, part) =>
      [...Array(files).keys()].filter((file) => file % 6 === part),
    );
    const sum = createKnowerSum(knowers, people);
    for (let question = 0; question < 30; question++) {
      const asked = parts.filter(() => below(2) > 0);
      const plain = new Map<number, { share: number; lastDay: number }>();
      let weight = 0;
      for (const file of asked.flat()) {
        const own = (lines[file] ?? 0) + 1;
        weight += own;
        for (const { person, share, day } of rows[file] ?? []) {
          const one = plain.get(person) ?? { share: 0, lastDay: 0 };
          plain.set(person, {
            share: one.share + own * share,
            lastDay: Math.max(one.lastDay, day),
          });
        }
      }
      const found = sum(asked);
      expect(found.map(({ person }) => person).sort()).toEqual([...plain.keys()].sort());
      for (const { person, share, lastDay } of found) {
        expect(share).toBeCloseTo((plain.get(person)?.share ?? 0) / weight, 9);
        expect(lastDay).toBe(plain.get(person)?.lastDay ?? 0);
      }
    }
  });
}
