/**
 * Everybody's names, logins, accounts and addresses as two runs of bytes: a search for a short run of bytes in some
 * megabytes takes a few milliseconds, and needs about 90 bytes a person and no other structure.
 */
import { splitNameWords } from "../identity/name-words.ts";
import type { FindableDeveloper } from "../pool/pool.ts";

export interface PeopleIndex {
  readonly revision: number;
  readonly size: number;
  readonly rowIds: Uint32Array;
  /** Tenths of the score. */
  readonly scores: Uint16Array;
  /** By ordinal: `human` or `other`, the lower-cased login, and for humans each word of the name after a space. */
  readonly names: Run;
  /** By ordinal: each key after the tag of its kind. */
  readonly keys: Run;
}

/** @package Bytes, and where those of each ordinal begin; one entry more than ordinals. */
export interface Run {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
}

/** @package Bytes that no login, word or key contains. */
export const keyTags = {
  human: "\x01",
  other: "\x02",
  formerLogin: "\x03",
  account: "\x04",
  published: "\x05",
  unpublished: "\x06",
} as const;

/** Nobody looks for the thirteenth word of a name. */
const wordsMax = 12;

/** @param people in the order in which equal matches are shown. */
export async function buildPeopleIndex(
  people: AsyncIterable<readonly FindableDeveloper[]>,
  revision: number,
): Promise<PeopleIndex> {
  const names = createRun();
  const keys = createRun();
  const rowIds: number[] = [];
  const scores: number[] = [];
  for await (const batch of people) {
    for (const person of batch) {
      rowIds.push(person.rowId);
      scores.push(Math.round(person.score * 10));
      names.add(formatName(person));
      keys.add(formatKeys(person));
    }
    // Other calls are answered between two batches.
    await Bun.sleep(0);
  }
  return {
    revision,
    size: rowIds.length,
    rowIds: Uint32Array.from(rowIds),
    scores: Uint16Array.from(scores),
    names: names.end(),
    keys: keys.end(),
  };
}

function formatName({ login, name, isHuman }: FindableDeveloper): string {
  const key = login.toLowerCase();
  if (!isHuman) return keyTags.other + key;
  return [keyTags.human + key, ...splitNameWords(name).slice(0, wordsMax)].join(" ");
}

function formatKeys({ formerLogins, accounts, emails }: FindableDeveloper): string {
  const tagged = (tag: string, keys: readonly string[]) =>
    keys.filter((key) => !control.test(key)).map((key) => tag + key.toLowerCase());
  return [
    ...tagged(keyTags.formerLogin, formerLogins),
    ...tagged(keyTags.account, accounts),
    ...tagged(keyTags.published, emails.published),
    ...tagged(keyTags.unpublished, emails.unpublished),
  ].join("");
}

const control = /\p{Cc}/u;

function createRun() {
  const parts: Buffer[] = [];
  const starts = [0];
  let length = 0;
  return {
    add(text: string): void {
      const bytes = Buffer.from(text);
      parts.push(bytes);
      length += bytes.length;
      starts.push(length);
    },
    end: (): Run => ({ bytes: Buffer.concat(parts, length), starts: Uint32Array.from(starts) }),
  };
}
