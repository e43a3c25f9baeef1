interface Cached<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/** A cache limited by bytes. It drops the least recently used values first. */
export class RecentlyUsed<Value> {
  /** The least recently used value comes first. */
  private readonly values = new Map<string, Cached<Value>>();
  private bytes = 0;
  private readonly bytesMax: number;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get(name: string): Value | undefined {
    const cached = this.values.get(name);
    if (!cached) return undefined;
    this.values.delete(name);
    this.values.set(name, cached);
    return cached.value;
  }

  set(name: string, value: Value, bytes: number): void {
    this.delete(name);
    if (bytes > this.bytesMax) return;
    this.values.set(name, { value, bytes });
    this.bytes += bytes;
    for (const oldest of this.values.keys()) {
      if (this.bytes <= this.bytesMax) break;
      this.delete(oldest);
    }
  }

  private delete(name: string): void {
    this.bytes -= this.values.get(name)?.bytes ?? 0;
    this.values.delete(name);
  }
}
