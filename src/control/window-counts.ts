/** The most names in memory. Beyond it, the oldest counts are dropped, so that a flood of names does not exhaust the memory. */
const namesMax = 100_000;

/** Counts events by name. A name's window begins with its first event. All counts are in memory, and lost at a restart. */
export function createWindowCounts(now: () => Date, windowSeconds: number) {
  const counts = new Map<string, { count: number; readonly endsMs: number }>();
  const findOrCreate = (name: string, nowMs: number) => {
    const known = counts.get(name);
    if (known && known.endsMs > nowMs) return known;
    const [oldest] = counts.keys();
    if (counts.size >= namesMax && oldest !== undefined) counts.delete(oldest);
    const fresh = { count: 0, endsMs: nowMs + windowSeconds * 1000 };
    // Delete first, so that the map remains sorted by the start of each window.
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
