/** What a server must have counted of the calls of one account: each call adds one to its month, and a month begins at none. */
export interface CallCount {
  /** A call was answered in this month. @returns what its answer must tell as `used`. */
  add(month: string): number;
  /** @returns how many calls this month has had. */
  in(month: string): number;
}

export function createCallCount(): CallCount {
  const months = new Map<string, number>();
  const read = (month: string) => months.get(month) ?? 0;
  return {
    in: read,
    add: (month) => {
      months.set(month, read(month) + 1);
      return read(month);
    },
  };
}
