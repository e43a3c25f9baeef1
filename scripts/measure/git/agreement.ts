import { atLeast, type Row, toShare } from "../rows.ts";

/** Counts how often two sides agree. */
export class Agreement {
  agreed = 0;
  all = 0;
  readonly name: string;
  readonly bar: number;

  constructor(name: string, bar: number) {
    this.name = name;
    this.bar = bar;
  }

  count(agrees: boolean): void {
    this.all += 1;
    if (agrees) this.agreed += 1;
  }

  add({ agreed, all }: Agreement): void {
    this.agreed += agreed;
    this.all += all;
  }

  /** Counts each line that either side has. @returns a description of each that only one side has. */
  compareSets(ours: readonly string[], theirs: readonly string[]): string[] {
    const [mine, truth] = [new Set(ours), new Set(theirs)];
    this.all += mine.union(truth).size;
    this.agreed += mine.intersection(truth).size;
    return [
      ...[...mine.difference(truth)].map((line) => `only Roster has ${line}`),
      ...[...truth.difference(mine)].map((line) => `only git has ${line}`),
    ];
  }

  row(): Row {
    return atLeast(this.bar, toShare(this.name, this.agreed, this.all));
  }
}
