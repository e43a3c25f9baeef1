interface Cached<Value> {
  readonly value: Value;
  readonly size: number;
}

/** A cache limited by the size of its values, such as their bytes. It drops the least recently used values first. */
export class RecentlyUsed<Value> {
  /** The least recently used value comes first. */
  private readonly values = new Map<string, Cached<Value>>();
  private size = 0;
  private readonly sizeMax: number;

  constructor(sizeMax: number) {
    this.sizeMax = sizeMax;
  }

  get(name: string): Value | undefined {
    const cached = this.values.get(name);
    if (!cached) return undefined;
    this.values.delete(name);
    this.values.set(name, cached);
    return cached.value;
  }

  set(name: string, value: Value, size: number): void {
    this.delete(name);
    if (size > this.sizeMax) return;
    this.values.set(name, { value, size });
    this.size += size;
    for (const oldest of this.values.keys()) {
      if (this.size <= this.sizeMax) break;
      this.delete(oldest);
    }
  }

  private delete(name: string): void {
    this.size -= this.values.get(name)?.size ?? 0;
    this.values.delete(name);
  }
}
