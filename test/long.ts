/** Whether `scripts/explore` runs this: more rounds, more growth, and what takes minutes. */
export const isLong = process.env["TEST_LONG"] === "1";

/**
 * How many cases a test draws: all of them in `scripts/explore`, and a fifth in the gate, which draws the same ones each time and
 * so finds by them only what a change broke.
 */
export function rounds(many: number): number {
  return isLong ? many : Math.ceil(many / 5);
}
