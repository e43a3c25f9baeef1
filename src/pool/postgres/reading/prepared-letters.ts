import { limits } from "../../../contract/limits.ts";
import type { PeopleFound, PeopleQuery } from "../../finding.ts";

/** More letters than an alphabet has; each list takes up to 25 kB. */
const lettersMax = 64;
const shownMax = limits.offsetMax + limits.foundMax;

/** One character that cannot be the whole of an address. */
const oneLetter = /^[^@\s\p{Cc}]$/u;

/**
 * Prepares what a single letter finds: a fifth of all people, of whom a page shows a few. Everybody types one letter first, so the list
 * of all people whom pages can show is made once for each revision, and later calls take their page from it.
 */
export function createPreparedLetters() {
  const lists = new Map<string, Promise<PeopleFound>>();
  let listsOf = -1;
  const prepare = (letter: string, made: Promise<PeopleFound>) => {
    if (lists.size >= lettersMax) lists.delete(lists.keys().next().value as string);
    lists.set(letter, made);
    // It is made again for the next call.
    made.catch(() => lists.get(letter) === made && lists.delete(letter));
    return made;
  };
  return {
    /**
     * @param revision returns that of the pool now.
     * @param find finds people in the pool as it is when it is called, or later.
     */
    async find(
      query: PeopleQuery,
      revision: () => Promise<number>,
      find: (query: PeopleQuery) => Promise<PeopleFound>,
    ): Promise<PeopleFound> {
      const { limit, offset } = query;
      const letter = query.text.trim();
      if (!oneLetter.test(letter) || offset + limit > shownMax) return find(query);
      const now = await revision();
      if (now > listsOf) {
        lists.clear();
        listsOf = now;
      }
      // A call that was begun before the pool changed finds people as they are now.
      const whole = { text: letter, canSeeUnpublished: false, limit: shownMax, offset: 0 };
      const { total, hits } = await (lists.get(letter) ?? prepare(letter, find(whole)));
      return { total, hits: hits.slice(offset, offset + limit) };
    },
  };
}
