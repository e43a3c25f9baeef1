/** The most names in memory. Beyond this number, the oldest counts are dropped. */
const namesMax = 100_000;

/** Counts events by name, in memory. Each count begins with the first event of a name and ends after `windowSeconds`. */
export function createWindowCounts(now: () => Date, windowSeconds: number) {
  const counts = new Map<string, { count: number; readonly endsMs: number }>();
  const findOrCreate = (name: string, nowMs: number) => {
    const known = counts.get(name);
    if (known && known.endsMs > nowMs) return known;
    const [oldest] = counts.keys();
    if (counts.size >= namesMax && oldest !== undefined) counts.delete(oldest);
    const fresh = { count: 0, endsMs: nowMs + windowSeconds * 1000 };
    // The deletion keeps the map sorted by the start of each window.
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
