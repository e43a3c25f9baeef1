import type { Generation } from "./generation.ts";
import type { Postings } from "./postings.ts";

/** What texts of requests mean in one generation: callers ask for the same ones again and again. */
export interface KeptTerms<Term> {
  /** @param make is called for a text that is not kept. */
  find(text: string, make: () => Term): Term;
}

const termsMax = 1000;
/** Of lists that were joined for a term; those of the generation are there anyway. */
const ownBytesMax = 32 * 2 ** 20;

export function createKeptTerms<Term extends { readonly holders: Postings }>({
  buffer,
}: Pick<Generation, "buffer">): KeptTerms<Term> {
  const kept = new Map<string, Term>();
  let ownBytes = 0;
  const countOwnBytes = ({ ordinals, bits, strengths }: Postings) =>
    [ordinals, bits, strengths].reduce(
      (sum, list) => sum + (list && list.buffer !== buffer ? list.byteLength : 0),
      0,
    );
  return {
    find(text, make) {
      const known = kept.get(text);
      if (known) return known;
      const term = make();
      ownBytes += countOwnBytes(term.holders);
      if (kept.size >= termsMax || ownBytes > ownBytesMax) {
        kept.clear();
        ownBytes = countOwnBytes(term.holders);
      }
      kept.set(text, term);
      return term;
    },
  };
}
