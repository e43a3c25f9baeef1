/** Random numbers for tests: the same in each run, unless `scripts/explore` gives another seed. */

/** @returns 1, or the seed of `scripts/explore`. */
export function readSeed(): number {
  return Number(process.env["TEST_SEED"] ?? 1);
}

/** @param what the test that draws, for the line that it prints. @returns as `readSeed`. */
export function drawSeed(what: string): number {
  const seed = readSeed();
  process.stderr.write(`${what}: seed ${seed}\n`);
  return seed;
}

/**
 * The same, and after it the seeds that once failed: each stays a case of its own in every run. `scripts/explore` runs its seed alone.
 * @param failedOnce seeds that failed before their cause was mended.
 */
export function drawSeeds(what: string, failedOnce: readonly number[]): number[] {
  const seed = drawSeed(what);
  return process.env["TEST_SEED"] === undefined ? [seed, ...failedOnce] : [seed];
}

/** 0 to 1, exclusive; the same numbers for the same seed. Source: Mulberry32, by Tommy Ettinger, public domain. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @returns the key with a typo: its last character is another one, whichever the key was given by chance. */
export function misspell(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
}
