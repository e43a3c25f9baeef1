/** Random choices that repeat: the same seed gives the same people on every machine. */
export interface Chance {
  /** From 0 up to, but not, 1. */
  next(): number;
  between(low: number, high: number): number;
  /** Whole, both ends included. */
  whole(low: number, high: number): number;
  is(percent: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  weighted<Item>(items: readonly Item[], weight: (item: Item) => number): Item;
  /** Mean 0, deviation 1. */
  normal(): number;
  poisson(mean: number): number;
}

/** @param seed any text; the generator is sfc32, in the public domain. */
export function createChance(seed: string): Chance {
  const next = sfc32(Bun.hash(seed), Bun.hash(`${seed}, second half`));
  const between = (low: number, high: number) => low + next() * (high - low);
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    between,
    whole,
    normal,
    is: (percent) => next() * 100 < percent,
    pick: (items) => certain(items[Math.floor(next() * items.length)]),
    weighted(items, weight) {
      let left = next() * items.reduce((sum, item) => sum + weight(item), 0);
      const found = items.find((item) => {
        left -= weight(item);
        return left < 0;
      });
      return certain(found ?? items.at(-1));
    },
    poisson(mean) {
      // Far from zero the bell curve is as good, and needs one draw instead of hundreds.
      if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      let product = next();
      let count = 0;
      for (const limit = Math.exp(-mean); product > limit; count++) product *= next();
      return count;
    },
  };
}

function certain<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}

function sfc32(first: bigint | number, second: bigint | number): () => number {
  let a = Number(BigInt(first) & 0xffffffffn) | 0;
  let b = Number((BigInt(first) >> 32n) & 0xffffffffn) | 0;
  let c = Number(BigInt(second) & 0xffffffffn) | 0;
  let counter = 1;
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
