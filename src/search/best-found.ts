/** A developer that a query finds, with the figures that decide the order. */
export interface ScoredPerson {
  /** The figure by which the search is sorted; 0 if the score decides. */
  readonly figure: number;
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
 * Keeps the developers who may be among the `size` best. Developers with the same figure and score as the last of these are kept
 * too, because logins decide between equals.
 */
export class BestFound<Found> {
  private readonly size: number;
  private readonly isSorted: boolean;
  private found: { readonly rank: number; readonly person: Found }[] = [];
  private rankMin = -1;
  private settleAt: number;
  private readonly equals = new Map<number, number>();

  /** @param isSorted whether a figure decides before the score. */
  constructor(size: number, isSorted = false) {
    this.size = size;
    this.isSorted = isSorted;
    this.settleAt = size;
  }

  get threshold(): number {
    return this.isSorted ? -1 : this.rankMin;
  }

  /** @param make creates the value to keep. It is called only for a developer who is kept. */
  keep(person: Omit<ScoredPerson, "ordinal">, make: () => Found): void {
    const { figure, tenths, base, techStack } = person;
    const rank = figure * 1024 + tenths;
    if (rank < this.rankMin) return;
    const equal = (figure * 1024 + base) * 128 + techStack;
    const before = this.equals.get(equal) ?? 0;
    if (before >= this.size) return;
    this.equals.set(equal, before + 1);
    this.found.push({ rank, person: make() });
    if (this.found.length >= this.settleAt) this.settle();
  }

  /** Drops those who cannot be among the best. */
  private settle(): void {
    this.found.sort((a, b) => b.rank - a.rank);
    this.rankMin = this.found[this.size - 1]?.rank ?? -1;
    this.found = this.found.filter(({ rank }) => rank >= this.rankMin);
    this.settleAt = 2 * this.found.length;
  }

  /** Returns the kept values in no particular order. */
  list(): readonly Found[] {
    this.settle();
    return this.found.map(({ person }) => person);
  }
}
