/** Limits the memory that a flood of names can take. The oldest are dropped first. */
const namesMax = 100_000;

/**
 * Counts by name. A name's window begins with its first count. The counts are in memory: use them for limits that may
 * be lost at a restart.
 */
export function createWindowCounts(now: () => Date, windowSeconds: number) {
  const counts = new Map<string, { count: number; readonly endsMs: number }>();
  const findOrCreate = (name: string, nowMs: number) => {
    const known = counts.get(name);
    if (known && known.endsMs > nowMs) return known;
    const [oldest] = counts.keys();
    if (counts.size >= namesMax && oldest !== undefined) counts.delete(oldest);
    const fresh = { count: 0, endsMs: nowMs + windowSeconds * 1000 };
    // Delete first, so that the map remains in the order of the windows.
    counts.delete(name);
    counts.set(name, fresh);
    return fresh;
  };
  return {
    /** Adds to the count of a name. @returns the new count, and the whole seconds until its window ends. */
    add: (name: string, by: number) => {
      const nowMs = now().getTime();
      const entry = findOrCreate(name, nowMs);
      entry.count = Math.max(0, entry.count + by);
      return { count: entry.count, leftSeconds: Math.ceil((entry.endsMs - nowMs) / 1000) };
    },
  };
}
