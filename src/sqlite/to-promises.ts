/**
 * A port as its SQLite adapter implements it: the same methods, but synchronous, since SQLite's driver is; and code
 * that never waits needs no lock.
 */
export type Immediate<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never;
};

/** The port over such methods: an error they throw becomes a rejection. */
export function toPromises<Port extends object>(methods: Immediate<Port>): Port {
  const entries = Object.entries(methods as Record<string, (...args: unknown[]) => unknown>);
  return Object.fromEntries(
    entries.map(([name, method]) => [name, async (...args: unknown[]) => method(...args)]),
  ) as Port;
}
