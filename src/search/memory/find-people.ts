/** Finds people in the index by a text, which may be a name, a login, an account or an address. */
import {
  type AskedPeople,
  type Fit,
  fits,
  keyTags,
  type PeopleFound,
  type PeopleQuery,
  rankFit,
  readAskedPeople,
  toPeopleKey,
} from "../../pool/pool.ts";
import type { PeopleIndex, Run } from "./people-index.ts";

export function findInIndex(index: PeopleIndex, query: PeopleQuery): PeopleFound {
  // 0 for a person who is not found, otherwise the lowest rank of the person.
  const ranks = new Uint8Array(index.size);
  const note = (ordinal: number, fit: Fit): void => {
    const isHuman = index.names.bytes[index.names.starts[ordinal] ?? 0] === humanByte;
    const rank = rankFit(fit, isHuman);
    if (ranks[ordinal] === 0 || rank < (ranks[ordinal] ?? 0)) ranks[ordinal] = rank;
  };
  const asked = readAskedPeople(query.text);
  noteKeys(index, asked, query.canSeeUnpublished, note);
  noteNames(index, asked.words, note);
  return toPage(index, ranks, query);
}

const humanByte = keyTags.human.charCodeAt(0);

type Note = (ordinal: number, fit: Fit) => void;

function noteKeys(
  index: PeopleIndex,
  { login, account, address }: AskedPeople,
  canSeeUnpublished: boolean,
  note: Note,
): void {
  const noteExact = (tag: string, key: string, fit: Fit): void => {
    for (const { ordinal, next } of occurrences(index.keys, tag + key)) {
      if (next < space) note(ordinal, fit);
    }
  };
  if (login !== undefined) {
    for (const tag of [keyTags.human, keyTags.other]) {
      for (const { ordinal, next } of occurrences(index.names, tag + login)) {
        if (next <= space) note(ordinal, "login");
        else if (tag === keyTags.human) note(ordinal, "beginning of login");
      }
    }
    noteExact(keyTags.formerLogin, login, "former login");
  }
  if (account !== undefined) noteExact(keyTags.account, account, "account");
  if (address === undefined) return;
  noteExact(keyTags.published, address, "e-mail");
  if (canSeeUnpublished) noteExact(keyTags.unpublished, address, "e-mail");
}

/** Each word of the text begins another word of the name, in any order. */
function noteNames({ names }: PeopleIndex, words: readonly string[], note: Note): void {
  // The longest word begins the fewest words of names.
  const [longest, ...others] = words;
  if (longest === undefined) return;
  for (const { ordinal, next } of occurrences(names, ` ${longest}`)) {
    // Most people are found by one word that is not whole, and need no closer look.
    if (others.length === 0 && next > space) note(ordinal, "beginnings");
    else {
      const fit = compareWords(words, wordsOf(names, ordinal));
      if (fit) note(ordinal, fit);
    }
  }
}

function compareWords(asked: readonly string[], name: readonly string[]): Fit | undefined {
  const left = [...name];
  let whole = 0;
  for (const word of asked) {
    const same = left.indexOf(word);
    const at = same < 0 ? left.findIndex((each) => each.startsWith(word)) : same;
    if (at < 0) return undefined;
    if (same >= 0) whole += 1;
    left.splice(at, 1);
  }
  if (whole < asked.length) return "beginnings";
  return left.length === 0 ? "whole name" : "words";
}

function wordsOf({ bytes, starts }: Run, ordinal: number): readonly string[] {
  const [, ...words] = bytes.toString("utf8", starts[ordinal], starts[ordinal + 1]).split(" ");
  return words;
}

/** Yields where the text occurs, and the byte after it: a space follows a login or word that is whole, a tag a key. */
function* occurrences({ bytes, starts }: Run, text: string) {
  const wanted = Buffer.from(text);
  let ordinal = 0;
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    while ((starts[ordinal + 1] ?? 0) <= at) ordinal++;
    yield { ordinal, next: bytes[at + wanted.length] ?? 0 };
  }
}

const space = 0x20;

/**
 * Shows by rank, then by score, then by ordinal. Only the best are sorted: those of each rank and score are counted first,
 * which shows how good the last one of the page is.
 */
function toPage(
  { rowIds, scores }: PeopleIndex,
  ranks: Uint8Array,
  { limit, offset }: PeopleQuery,
): PeopleFound {
  const placeOf = (ordinal: number) =>
    (ranks[ordinal] as number) * scoresMax - (scores[ordinal] as number);
  const counts = new Uint32Array(ranksMax * scoresMax);
  let total = 0;
  for (let ordinal = 0; ordinal < ranks.length; ordinal++) {
    if (ranks[ordinal] === 0) continue;
    const place = placeOf(ordinal);
    counts[place] = (counts[place] as number) + 1;
    total++;
  }
  let last = 0;
  for (let better = 0; last < counts.length; last++) {
    better += counts[last] as number;
    if (better >= offset + limit) break;
  }
  const best: number[] = [];
  for (let ordinal = 0; ordinal < ranks.length; ordinal++) {
    if (ranks[ordinal] !== 0 && placeOf(ordinal) <= last) best.push(ordinal);
  }
  // The sort keeps the order of equals.
  best.sort((a, b) => placeOf(a) - placeOf(b));
  const hits = best.slice(offset, offset + limit).map((ordinal) => {
    return { rowId: rowIds[ordinal] as number, matched: toPeopleKey(ranks[ordinal] as number) };
  });
  return { total, hits };
}

/** More than the lowest rank, and more than the tenths of the highest score. */
const [ranksMax, scoresMax] = [2 * fits.length + 1, 1024];
