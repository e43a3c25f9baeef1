/** A developer that a query finds, with the figures that decide the order. */
export interface ScoredPerson {
  readonly tenths: number;
  /** The part of the score from profile and activity. */
  readonly base: number;
  readonly techStack: number;
  /** The developer's position in the index, or in a block of it. */
  readonly ordinal: number;
}

/** Collects the developers found, in order of ordinal. Callers may skip developers who score below the threshold. */
export interface PeopleCollector {
  /** The lowest score that is still needed, in tenths of a point. */
  readonly threshold: number;
  offer(found: ScoredPerson): void;
}

/**
 * Keeps the developers who may be among the `size` best. Developers with the same score as the last of these are kept too,
 * because logins decide between equal scores.
 */
export class BestFound<Found> {
  threshold = -1;
  private readonly size: number;
  private readonly found: { readonly tenths: number; readonly person: Found }[] = [];
  private readonly counts = new Uint32Array(1001);
  private reached = 0;
  private readonly equals = new Map<number, number>();

  constructor(size: number) {
    this.size = size;
  }

  /** @param make creates the value to keep. It is called only for a developer who is kept. */
  keep({ tenths, base, techStack }: Omit<ScoredPerson, "ordinal">, make: () => Found): void {
    const equal = base * 128 + techStack;
    const before = this.equals.get(equal) ?? 0;
    if (before >= this.size) return;
    this.equals.set(equal, before + 1);
    this.found.push({ tenths, person: make() });
    this.counts[tenths] = (this.counts[tenths] as number) + 1;
    this.reached++;
    if (this.threshold < 0 && this.reached >= this.size) this.threshold = 0;
    while (this.threshold >= 0) {
      const without = this.reached - (this.counts[this.threshold] as number);
      if (without < this.size) break;
      this.reached = without;
      this.threshold++;
    }
  }

  /** Returns the kept values in no particular order. */
  list(): readonly Found[] {
    return this.found.flatMap(({ tenths, person }) => (tenths >= this.threshold ? person : []));
  }
}
