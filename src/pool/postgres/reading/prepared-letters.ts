import { limits } from "../../../contract/limits.ts";
import type { PeopleFound, PeopleQuery } from "../../finding.ts";

/** The most letters to cache, which is more than an alphabet has. */
const lettersMax = 64;
const shownMax = limits.offsetMax + limits.foundMax;

/** One letter or other character that is not @, a space or a control character. */
const oneLetter = /^[^@\s\p{Cc}]$/u;

/** Caches the results of single letters, because everyone types one first and a letter finds a fifth of all people. */
export function createPreparedLetters() {
  const lists = new Map<string, Promise<PeopleFound>>();
  let listsOf = -1;
  const prepare = (letter: string, made: Promise<PeopleFound>) => {
    if (lists.size >= lettersMax) lists.delete(lists.keys().next().value as string);
    lists.set(letter, made);
    // After a failure, the next call searches again.
    made.catch(() => lists.get(letter) === made && lists.delete(letter));
    return made;
  };
  return {
    /** @param revision returns the pool's current revision. @param find finds people in the pool. */
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
      // The list may be newer than the revision `now`.
      const whole = { text: letter, canSeeUnpublished: false, limit: shownMax, offset: 0 };
      const { total, hits } = await (lists.get(letter) ?? prepare(letter, find(whole)));
      return { total, hits: hits.slice(offset, offset + limit) };
    },
  };
}
