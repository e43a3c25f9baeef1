interface Cached<Value> {
  readonly value: Value;
  readonly size: number;
}

/** A cache limited by the size of its values, such as their bytes. It drops the least recently used values first. */
export class RecentlyUsed<Value, Key = string> {
  /** The least recently used value comes first. */
  private readonly values = new Map<Key, Cached<Value>>();
  private size = 0;
  private readonly sizeMax: number;

  constructor(sizeMax: number) {
    this.sizeMax = sizeMax;
  }

  get(key: Key): Value | undefined {
    const cached = this.values.get(key);
    if (!cached) return undefined;
    this.values.delete(key);
    this.values.set(key, cached);
    return cached.value;
  }

  set(key: Key, value: Value, size = 1): void {
    this.delete(key);
    if (size > this.sizeMax) return;
    this.values.set(key, { value, size });
    this.size += size;
    for (const oldest of this.values.keys()) {
      if (this.size <= this.sizeMax) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.size -= this.values.get(key)?.size ?? 0;
    this.values.delete(key);
  }
}
