/** Keeps values in memory for a short time, such as from one page to the next. */
export interface KeptValues<Value> {
  put(key: string, value: Value): void;
  find(key: string): Value | undefined;
  /** Finds and removes a value. */
  take(key: string): Value | undefined;
}

const valuesMax = 1000;

export function keepValues<Value>(now: () => Date, lifetimeMs: number): KeptValues<Value> {
  const kept = new Map<string, { readonly value: Value; readonly untilMs: number }>();
  const sweep = () => {
    const nowMs = now().getTime();
    for (const [key, { untilMs }] of kept) {
      // Values are stored in the order in which they expire, so the loop ends at the first value that stays.
      if (untilMs > nowMs && kept.size <= valuesMax) break;
      kept.delete(key);
    }
  };
  const find = (key: string) => {
    sweep();
    return kept.get(key)?.value;
  };
  return {
    find,
    put: (key, value) => {
      kept.delete(key);
      kept.set(key, { value, untilMs: now().getTime() + lifetimeMs });
      sweep();
    },
    take: (key) => {
      const value = find(key);
      kept.delete(key);
      return value;
    },
  };
}
