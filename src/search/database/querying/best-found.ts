import { hasOrdinal } from "../../generation/postings.ts";
import type { BlockList } from "../blocks/block-list.ts";
import type { BlockEvaluator } from "../blocks/evaluate-block.ts";
import type { Collector, FoundInBlock } from "./walk-blocks.ts";

/** @package Somebody who may be on the page. */
export interface Candidate extends FoundInBlock {
  /** Which of the named lists have this developer. */
  readonly evidence: readonly boolean[];
}

/**
 * Keeps whoever may be among the best: those with the score of the last of them included, since only logins decide between
 * equals. Of equal base and equal tech stack, the score is equal too, and ordinals are in order of logins: so no more of them
 * are needed than there are places.
 *
 * @package
 */
export class BestFound implements Collector {
  threshold = -1;
  readonly size: number;
  private readonly named: readonly BlockList[];
  private readonly found: Candidate[] = [];
  private readonly counts = new Uint32Array(1001);
  private reached = 0;
  private readonly equals = new Map<number, number>();

  constructor(size: number, named: readonly BlockList[]) {
    this.size = size;
    this.named = named;
  }

  offer(found: FoundInBlock, evaluate: BlockEvaluator): void {
    const { tenths, base, techStack, at } = found;
    const equal = base * 128 + techStack;
    const before = this.equals.get(equal) ?? 0;
    if (before >= this.size) return;
    this.equals.set(equal, before + 1);
    this.found.push({
      ...found,
      evidence: this.named.map((list) => hasOrdinal(evaluate(list), at)),
    });
    this.counts[tenths] = (this.counts[tenths] as number) + 1;
    this.reached++;
    if (this.threshold < 0 && this.reached >= this.size) this.threshold = 0;
    while (this.threshold >= 0) {
      const without = this.reached - (this.counts[this.threshold] as number);
      if (without < this.size) break;
      this.reached = without;
      this.threshold++;
    }
  }

  /** In no order. */
  list(): readonly Candidate[] {
    return this.found.filter(({ tenths }) => tenths >= this.threshold);
  }
}
