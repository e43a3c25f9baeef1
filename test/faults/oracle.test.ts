import { expect, test } from "bun:test";
import { openOracle } from "./oracle.ts";

const month = "2026-11";

function after(sent: number, used: readonly number[], counted: number, limit = -1): string[] {
  const oracle = openOracle();
  for (let call = 0; call < sent; call += 1) oracle.sent("ada");
  for (const one of used) oracle.acknowledged("ada", { used: one, limit, month });
  oracle.compare("ada", { used: counted, month });
  return oracle.violations;
}

test("the oracle allows calls cut short, counted or not, and notices everything else", () => {
  expect(after(5, [1, 2, 3], 3)).toEqual([]);
  expect(after(5, [1, 2, 3], 5)).toEqual([]);
  expect(after(5, [2, 5], 5)).toEqual([]);
  expect(after(5, [1, 2, 3], 2)).toEqual(["ada: 2 counted, 3 acknowledged, 5 sent"]);
  expect(after(5, [1, 4], 3)).toEqual(["ada: 3 counted, 4 acknowledged, 5 sent"]);
  expect(after(3, [1, 2, 3], 4)).toEqual(["ada: 4 counted, 3 acknowledged, 3 sent"]);
  expect(after(3, [1, 1], 2)).toEqual(["ada in 2026-11: used 1 was acknowledged twice"]);
  expect(after(3, [1, 2, 3], 3, 2)).toEqual(["ada in 2026-11: 3 passes 2"]);
});
