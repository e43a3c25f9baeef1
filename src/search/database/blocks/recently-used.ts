/** Values by name, as many as are allowed: those that were not asked for longest go first. */
export class RecentlyUsed<Value> {
  private readonly values = new Map<string, Value>();
  private readonly bytesMax: number;
  private readonly countBytes: (value: Value) => number;
  private bytes = 0;

  /** @param countBytes the same for a value at any time. */
  constructor(bytesMax: number, countBytes: (value: Value) => number) {
    this.bytesMax = bytesMax;
    this.countBytes = countBytes;
  }

  get(name: string): Value | undefined {
    const value = this.values.get(name);
    if (value === undefined) return undefined;
    this.values.delete(name);
    this.values.set(name, value);
    return value;
  }

  set(name: string, value: Value): void {
    this.remove(name);
    this.values.set(name, value);
    this.bytes += this.countBytes(value);
    for (const oldest of this.values.keys()) {
      if (this.bytes <= this.bytesMax) break;
      this.remove(oldest);
    }
  }

  private remove(name: string): void {
    const value = this.values.get(name);
    if (value === undefined) return;
    this.values.delete(name);
    this.bytes -= this.countBytes(value);
  }
}
