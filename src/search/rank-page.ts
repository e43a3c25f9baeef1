import type { Generation } from "./generation/generation.ts";
import { hasOrdinal, type Postings } from "./generation/postings.ts";
import { selectByClauses } from "./select.ts";
import { createTechStackScoring, listChunks, type RankingColumns } from "./tech-stack.ts";
import { selectWeighing } from "./weighing.ts";

/** @package */
export interface Placing {
  readonly ordinal: number;
  readonly techStack: number;
}

/** Of fewer, it takes longer to find out who has all skills than to rank them. */
const manySelected = 4096;

/**
 * Ranks one page of the selected developers: by shown score, descending, then by lower-cased login in code-unit order
 * (decisions 16 and 47). Of many, whoever has all skills goes first, because without one of them a tech stack is less.
 *
 * @package
 */
export function rankPage(
  selected: Postings,
  ranking: RankingColumns,
  generation: Generation,
  page: { readonly offset: number; readonly size: number },
): readonly Placing[] {
  const best = new BestPlacings(Math.min(page.offset + page.size, selected.count));
  const { skills } = ranking;
  if (skills.length < 2 || selected.count < manySelected)
    rankSome(selected, ranking, generation, best);
  else {
    const complete = selectByClauses(
      [selected, ...skills].map((list) => [list]),
      generation,
    );
    rankSome(complete, ranking, generation, best);
    if (complete.count < selected.count) rankSome(selected, ranking, generation, best, complete);
  }
  return best.sorted().slice(page.offset);
}

/**
 * Scores in chunks in the order of ordinals, which is that of what profile and activity give, until the best tech stack could
 * not bring the next one among the best.
 *
 * @param ranked those with all skills, who were ranked before.
 */
function rankSome(
  selected: Postings,
  ranking: RankingColumns,
  { columns }: Generation,
  best: BestPlacings,
  ranked?: Postings,
): void {
  const { bases, loginRanks } = columns;
  const { score, techMax, techMaxIncomplete } = createTechStackScoring(ranking, columns.techStack);
  const most = ranked ? techMaxIncomplete : techMax;
  const { toTenths, tenthsPerTechPoint } = selectWeighing(ranking);
  for (const chunk of listChunks(selected)) {
    const highest = toTenths(bases[chunk[0] as number] as number);
    const techMin = (best.threshold - highest) / tenthsPerTechPoint;
    if (techMin > most) break;
    const techs = score(chunk, techMin);
    for (let at = 0; at < chunk.length; at++) {
      const tech = techs[at] as number;
      // Most are told by this alone.
      if (tech < techMin) continue;
      const ordinal = chunk[at] as number;
      const tenths = toTenths(bases[ordinal] as number) + tenthsPerTechPoint * tech;
      if (tenths < best.threshold || (ranked && hasOrdinal(ranked, ordinal))) continue;
      best.offer(tenths, loginRanks[ordinal] as number, ordinal, tech);
    }
  }
}

/**
 * The placing of one of the selected developers, and how many go before: as `rankPage` has it, without sorting anybody.
 *
 * @package
 */
export function findPlacing(
  selected: Postings,
  ranking: RankingColumns,
  { columns }: Generation,
  ordinal: number,
): Placing & { readonly before: number } {
  const { bases, loginRanks, techStack: ofBestRole } = columns;
  const { toTenths, tenthsPerTechPoint } = selectWeighing(ranking);
  const own = createTechStackScoring(ranking, ofBestRole).score(Uint32Array.of(ordinal));
  const techStack = own[0] as number;
  const tenths = toTenths(bases[ordinal] as number) + tenthsPerTechPoint * techStack;
  const loginRank = loginRanks[ordinal] as number;
  const { score, techMax } = createTechStackScoring(ranking, ofBestRole);
  let before = 0;
  for (const chunk of listChunks(selected)) {
    const highest = toTenths(bases[chunk[0] as number] as number);
    if (highest + tenthsPerTechPoint * techMax < tenths) break;
    const techs = score(chunk);
    for (let at = 0; at < chunk.length; at++) {
      const other = chunk[at] as number;
      const theirs = toTenths(bases[other] as number) + tenthsPerTechPoint * (techs[at] as number);
      if (theirs > tenths || (theirs === tenths && (loginRanks[other] as number) < loginRank))
        before++;
    }
  }
  return { ordinal, techStack, before };
}

/** The best `size` placings: a binary heap with the worst on top, so that most developers cost one comparison. */
class BestPlacings {
  /** In tenths: a lower score can no longer be among the best. */
  threshold = -1;
  private readonly size: number;
  private length = 0;
  /** Score in tenths x 2^32, minus the rank of the login: one exact number gives the whole order. */
  private readonly keys: Float64Array;
  private readonly ordinals: Uint32Array;
  private readonly techs: Uint8Array;

  constructor(size: number) {
    this.size = size;
    this.keys = new Float64Array(size);
    this.ordinals = new Uint32Array(size);
    this.techs = new Uint8Array(size);
  }

  offer(tenths: number, loginRank: number, ordinal: number, tech: number): void {
    const key = tenths * 0x1_0000_0000 - loginRank;
    if (this.length < this.size) {
      this.up(this.length++, key, ordinal, tech);
      if (this.length === this.size) this.threshold = this.lowest();
    } else if (this.size > 0 && key > (this.keys[0] as number)) {
      this.down(key, ordinal, tech);
      this.threshold = this.lowest();
    }
  }

  sorted(): Placing[] {
    const { keys, ordinals, techs } = this;
    return Array.from({ length: this.length }, (_, at) => at)
      .sort((a, b) => (keys[b] as number) - (keys[a] as number))
      .map((at) => ({ ordinal: ordinals[at] as number, techStack: techs[at] as number }));
  }

  private lowest(): number {
    return Math.ceil((this.keys[0] as number) / 0x1_0000_0000);
  }

  private up(from: number, key: number, ordinal: number, tech: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if ((this.keys[parent] as number) <= key) break;
      this.move(parent, at);
      at = parent;
    }
    this.set(at, key, ordinal, tech);
  }

  private down(key: number, ordinal: number, tech: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.length) break;
      if (
        child + 1 < this.length &&
        (this.keys[child + 1] as number) < (this.keys[child] as number)
      ) {
        child++;
      }
      if ((this.keys[child] as number) >= key) break;
      this.move(child, at);
      at = child;
    }
    this.set(at, key, ordinal, tech);
  }

  private move(from: number, to: number): void {
    this.set(
      to,
      this.keys[from] as number,
      this.ordinals[from] as number,
      this.techs[from] as number,
    );
  }

  private set(at: number, key: number, ordinal: number, tech: number): void {
    this.keys[at] = key;
    this.ordinals[at] = ordinal;
    this.techs[at] = tech;
  }
}
