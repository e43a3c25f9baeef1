type Numbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** A typed array that doubles its size when it is full. */
export class GrowableArray<T extends Numbers> {
  items: T;
  length = 0;
  private readonly make: new (
    length: number,
  ) => T;

  constructor(make: new (length: number) => T) {
    this.make = make;
    this.items = new make(1024);
  }

  push(value: number): void {
    if (this.length === this.items.length) {
      const larger = new this.make(this.length * 2);
      larger.set(this.items);
      this.items = larger;
    }
    this.items[this.length++] = value;
  }

  whole(): T {
    return this.items.subarray(0, this.length) as T;
  }
}
