interface Kept<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/**
 * Values by name, within so many bytes: those that were not asked for lately go. There are two halves; what is asked for comes
 * into the young one, and when that is full the other is dropped, so that asking costs a look into a map. What is larger than a half is not kept.
 */
export class RecentlyUsed<Value> {
  private young = new Map<string, Kept<Value>>();
  private old = new Map<string, Kept<Value>>();
  private youngBytes = 0;
  private readonly halfBytesMax: number;

  constructor(bytesMax: number) {
    this.halfBytesMax = bytesMax / 2;
  }

  get(name: string): Value | undefined {
    const young = this.young.get(name);
    if (young) return young.value;
    const old = this.old.get(name);
    if (old) this.keep(name, old);
    return old?.value;
  }

  /** @param bytes all that the value takes. */
  set(name: string, value: Value, bytes: number): void {
    this.youngBytes -= this.young.get(name)?.bytes ?? 0;
    this.keep(name, { value, bytes });
  }

  private keep(name: string, kept: Kept<Value>): void {
    this.old.delete(name);
    this.young.delete(name);
    if (kept.bytes > this.halfBytesMax) return;
    if (this.youngBytes + kept.bytes > this.halfBytesMax) {
      this.old = this.young;
      this.young = new Map();
      this.youngBytes = 0;
    }
    this.young.set(name, kept);
    this.youngBytes += kept.bytes;
  }
}
