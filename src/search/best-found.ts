/** A person whom a query finds, with what decides the order. Both engines share it. */
export interface ScoredPerson {
  readonly tenths: number;
  /** Of equal bases, ordinals are in order of logins. */
  readonly base: number;
  readonly techStack: number;
  /** In the index, or in a block of it. */
  readonly ordinal: number;
}

/** Takes the people found, in order of ordinal, of whom some may not reach its threshold. */
export interface PeopleCollector {
  /** In tenths: lower scores do not matter. */
  readonly threshold: number;
  offer(found: ScoredPerson): void;
}

/**
 * Keeps everybody who may be among the best, including all with the score of the last of them, since only logins decide between
 * equals. Of equal base and equal tech stack, the score is equal too, and ordinals are in order of logins: so no more of them are
 * needed than there are places.
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

  /** @param make is called for somebody who is kept. */
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

  /** In no order. */
  list(): readonly Found[] {
    return this.found.flatMap(({ tenths, person }) => (tenths >= this.threshold ? person : []));
  }
}
