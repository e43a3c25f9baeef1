/** Bounds the memory that a flood of names can take; the oldest go first. */
const namesMax = 100_000;

export interface WindowCounts {
  /** @returns the count of this name with these, and the whole seconds until its window ends. */
  add(name: string, by: number): { readonly count: number; readonly leftSeconds: number };
}

/** Counts by name, in windows that begin with the first count. In memory: for limits that a restart may forget. */
export function createWindowCounts(now: () => Date, windowSeconds: number): WindowCounts {
  const counts = new Map<string, { count: number; readonly endsMs: number }>();
  const held = (name: string, nowMs: number) => {
    const known = counts.get(name);
    if (known && known.endsMs > nowMs) return known;
    const [oldest] = counts.keys();
    if (counts.size >= namesMax && oldest !== undefined) counts.delete(oldest);
    const fresh = { count: 0, endsMs: nowMs + windowSeconds * 1000 };
    // Deleted first, so that the map's order is that of the windows.
    counts.delete(name);
    counts.set(name, fresh);
    return fresh;
  };
  return {
    add: (name, by) => {
      const nowMs = now().getTime();
      const entry = held(name, nowMs);
      entry.count = Math.max(0, entry.count + by);
      return { count: entry.count, leftSeconds: Math.ceil((entry.endsMs - nowMs) / 1000) };
    },
  };
}
