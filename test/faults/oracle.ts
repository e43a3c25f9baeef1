/**
 * What an outsider knows of a server that may die at any instant: calls sent, calls acknowledged, keys
 * known dead. It shares nothing with the server but the answers, so it cannot repeat the server's mistakes.
 */
export interface Oracle {
  /** Before a call goes out. */
  sent(account: string): void;
  /** An answer that counted: `used` must be new within the month and the limit kept. */
  acknowledged(account: string, quota: { used: number; limit: number; month: string }): void;
  readonly violations: string[];
  /**
   * After a restart: what the server says it has counted this month, against what is known: also of how many calls it said that
   * they were not counted.
   */
  compare(account: string, quota: { used: number; month: string; refused?: number }): void;
  totals(): { readonly sent: number; readonly acknowledged: number };
}

export function openOracle(): Oracle {
  const sent = new Map<string, number>();
  const seen = new Map<string, Set<number>>();
  const violations: string[] = [];
  return {
    violations,
    sent: (account) => {
      sent.set(account, (sent.get(account) ?? 0) + 1);
    },
    acknowledged: (account, { used, limit, month }) => {
      const window = `${account} in ${month}`;
      const known = seen.get(window) ?? new Set();
      seen.set(window, known);
      if (known.has(used)) violations.push(`${window}: used ${used} was acknowledged twice`);
      if (limit >= 0 && used > limit) violations.push(`${window}: ${used} passes ${limit}`);
      known.add(used);
    },
    compare: (account, { used, month, refused = 0 }) => {
      const acknowledged = seen.get(`${account} in ${month}`) ?? new Set();
      const highest = Math.max(0, ...acknowledged);
      const least = Math.max(acknowledged.size, highest);
      const most = (sent.get(account) ?? 0) - refused;
      if (used < least || used > most) {
        violations.push(`${account}: ${used} counted, ${least} acknowledged, ${most} sent`);
      }
    },
    totals: () => ({
      sent: [...sent.values()].reduce((sum, count) => sum + count, 0),
      acknowledged: [...seen.values()].reduce((sum, used) => sum + used.size, 0),
    }),
  };
}
