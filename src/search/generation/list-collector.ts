import { GrowableArray } from "../../contract/growable-array.ts";
import type { PostingsKeyKind } from "./generation.ts";

/** @package The list number that means that there is no list. */
export const noList = 0xffffffff;

/** @package */
export interface KindOfLists {
  readonly kind: PostingsKeyKind;
  /** The numbers of the lists, by id. A list's key is the kind, a colon and the id. */
  readonly lists: ReadonlyMap<string, number>;
}

/** @package Collects the lists that each developer is in, one developer after the other. */
export class ListCollector {
  private readonly kinds: KindOfLists[] = [];
  private readonly counts = new GrowableArray(Uint32Array);
  /** The last developer added to each list, so that no developer is counted twice. */
  private readonly lastDeveloper = new GrowableArray(Uint32Array);
  private readonly starts = new GrowableArray(Uint32Array);
  private entries = new Uint32Array(4096);
  private strengths = new Uint8Array(4096);
  private length = 0;
  private developer = 1;

  constructor() {
    this.starts.push(0);
  }

  of(kind: PostingsKeyKind): (id: string) => number {
    const lists = new Map<string, number>();
    this.kinds.push({ kind, lists });
    return (id) => {
      const known = lists.get(id);
      if (known !== undefined) return known;
      const list = this.counts.length;
      this.counts.push(0);
      this.lastDeveloper.push(0);
      lists.set(id, list);
      return list;
    };
  }

  put(list: number, strength: number): void {
    if (list === noList || this.lastDeveloper.items[list] === this.developer) return;
    this.lastDeveloper.items[list] = this.developer;
    this.counts.items[list] = (this.counts.items[list] as number) + 1;
    if (this.length === this.entries.length) this.makeRoom();
    this.entries[this.length] = list;
    this.strengths[this.length++] = strength;
  }

  endDeveloper(): void {
    this.developer++;
    this.starts.push(this.length);
  }

  private makeRoom(): void {
    const [entries, strengths] = [this.entries, this.strengths];
    this.entries = new Uint32Array(2 * this.length);
    this.strengths = new Uint8Array(2 * this.length);
    this.entries.set(entries);
    this.strengths.set(strengths);
  }

  collected() {
    return {
      /** The start of each developer's entries. The last number is the end of all entries. */
      entryStarts: this.starts.whole(),
      /** For each entry, the number of a list that the developer is in. */
      entries: this.entries.subarray(0, this.length),
      entryStrengths: this.strengths.subarray(0, this.length),
      kinds: this.kinds,
      /** The number of developers in each list. */
      counts: this.counts.whole(),
    };
  }
}
