/** A growing list of whole numbers below 2^32: four bytes each. */
export class NumberList {
  length = 0;
  private numbers = new Uint32Array(1 << 10);

  push(number: number): void {
    if (this.length === this.numbers.length) {
      const grown = new Uint32Array(this.numbers.length * 2);
      grown.set(this.numbers);
      this.numbers = grown;
    }
    this.numbers[this.length++] = number;
  }

  at(index: number): number {
    return this.numbers[index] ?? 0;
  }

  to<List>(Lists: { from(numbers: Iterable<number>): List }): List {
    return Lists.from(this.numbers.subarray(0, this.length));
  }
}
