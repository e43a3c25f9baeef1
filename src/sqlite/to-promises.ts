/**
 * A port as its SQLite adapter writes it: the same methods, which answer at once. SQLite's driver has no other way, and
 * what runs in one go needs no lock.
 */
export type Immediate<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : never;
};

/** The port over such methods: what they throw becomes a rejection. */
export function toPromises<Port extends object>(methods: Immediate<Port>): Port {
  const entries = Object.entries(methods as Record<string, (...given: unknown[]) => unknown>);
  return Object.fromEntries(
    entries.map(([name, method]) => [name, async (...given: unknown[]) => method(...given)]),
  ) as Port;
}
