/** Finds people in the index by a text, which may be a name, a login, an account or an e-mail address. */
import {
  type AskedPeople,
  type Fit,
  fits,
  keyTags,
  listNear,
  type NearTexts,
  nearBelow,
  type PeopleFound,
  type PeopleQuery,
  rankFit,
  readAskedPeople,
  toPeopleKey,
} from "../../pool/pool.ts";
import type { PeopleIndex } from "./people-index.ts";
import {
  countTexts,
  type TextRun,
  takeBeginnings,
  takeHolders,
  takeLikely,
} from "./text-buckets.ts";

export function findInIndex(index: PeopleIndex, query: PeopleQuery): PeopleFound {
  const found: Found = { ranks: new Uint8Array(index.size), ordinals: [] };
  const asked = readAskedPeople(query.text);
  noteKeys(index, asked, query.canSeeUnpublished, found);
  noteNames(index, asked, found);
  if (found.ordinals.length < nearBelow) noteNear(index, listNear(asked), found);
  return toPage(index, found, query);
}

interface Found {
  /** For each ordinal, the best rank so far. 0 means that the person is not found. */
  readonly ranks: Uint8Array;
  readonly ordinals: number[];
}

function note({ ranks, ordinals }: Found, ordinal: number, rank: number): void {
  const known = ranks[ordinal] as number;
  if (known === 0) ordinals.push(ordinal);
  if (known === 0 || rank < known) ranks[ordinal] = rank;
}

/** The ranks of humans, computed once. */
const ranksOfHumans = Object.fromEntries(fits.map((fit) => [fit, rankFit(fit, true)])) as Readonly<
  Record<Fit, number>
>;
const humanByte = keyTags.human.charCodeAt(0);

function noteKeys(
  { names, words, keys, wholeKeys }: PeopleIndex,
  { login, account, address, wholeName }: AskedPeople,
  canSeeUnpublished: boolean,
  found: Found,
): void {
  const noteHolders = (key: string, fit: Fit) =>
    takeHolders(keys, wholeKeys, key, (ordinal) => {
      const isHuman = names.bytes[names.starts[ordinal] as number] === humanByte;
      note(found, ordinal, rankFit(fit, isHuman));
    });
  if (login !== undefined) {
    takeBeginnings(names, words, keyTags.human + login, (ordinal, isWhole) => {
      note(found, ordinal, ranksOfHumans[isWhole ? "login" : "beginning of login"]);
    });
    takeBeginnings(names, words, keyTags.other + login, (ordinal, isWhole) => {
      if (isWhole) note(found, ordinal, rankFit("login", false));
    });
    noteHolders(keyTags.formerLogin + login, "former login");
  }
  if (wholeName !== undefined) noteHolders(wholeName, "whole name");
  if (account !== undefined) noteHolders(keyTags.account + account, "account");
  if (address === undefined) return;
  noteHolders(keyTags.published + address, "e-mail");
  if (canSeeUnpublished) noteHolders(keyTags.unpublished + address, "e-mail");
}

/** Records people by name. Each word of the text must begin another word of the names: `lo ad` finds `Ada Lovelace`. */
function noteNames({ size, names, words }: PeopleIndex, asked: AskedPeople, found: Found): void {
  const noteMatch = (ordinal: number, isWhole: boolean) =>
    note(found, ordinal, ranksOfHumans[isWhole ? "words" : "beginnings"]);
  const distinct = [...new Set(asked.words)];
  if (asked.words.length === 1) {
    takeBeginnings(names, words, ` ${distinct[0]}`, noteMatch);
    return;
  }
  // For each ordinal: how many words of the text begin a word of the name, and how many equal a word of the name.
  const [begun, whole] = [new Uint8Array(size), new Uint8Array(size)];
  let matching: number[] = [];
  for (const [at, word] of distinct.entries()) {
    // Two words of the text may not begin the same word of the name: `a ad` does not find `Ada Lovelace`.
    const needed = asked.words.filter((each) => each.startsWith(word)).length;
    const neededWhole = asked.words.filter((each) => each === word).length;
    const wanted = Buffer.from(` ${word}`);
    const seenWhole = new Uint8Array(size);
    matching = [];
    takeBeginnings(names, words, ` ${word}`, (ordinal, isWhole) => {
      // Skips people who lack an earlier word of the text.
      if ((begun[ordinal] as number) < at) return;
      if (begun[ordinal] === at) {
        if (needed > 1 && countTexts(names, ordinal, wanted).begun < needed) return;
        begun[ordinal] = at + 1;
        matching.push(ordinal);
      }
      if (!isWhole || seenWhole[ordinal] === 1) return;
      seenWhole[ordinal] = 1;
      if (neededWhole > 1 && countTexts(names, ordinal, wanted).whole < neededWhole) return;
      whole[ordinal] = (whole[ordinal] as number) + 1;
    });
  }
  for (const ordinal of matching) noteMatch(ordinal, whole[ordinal] === distinct.length);
}

/** Records people with a similar login, and people whose names match except for one misspelled word. */
function noteNear({ names, words }: PeopleIndex, near: NearTexts, found: Found): void {
  takeLikely(names, words, near.logins, keyTags.human, (ordinal) => {
    const [login = ""] = readNames(names, ordinal);
    const isNear = login.startsWith(keyTags.human) && near.logins.has(login.slice(1));
    if (isNear) note(found, ordinal, ranksOfHumans["near login"]);
  });
  for (const { near: texts, others } of near.words) {
    takeLikely(names, words, texts, " ", (ordinal) => {
      const [, ...name] = readNames(names, ordinal);
      const isNear = name.some((each) => texts.has(each)) && areBegun(others, name);
      if (isNear) note(found, ordinal, ranksOfHumans["near words"]);
    });
  }
}

function areBegun(asked: readonly string[], name: readonly string[]): boolean {
  const left = [...name];
  return asked.every((word) => {
    const same = left.indexOf(word);
    const at = same < 0 ? left.findIndex((each) => each.startsWith(word)) : same;
    return at >= 0 && left.splice(at, 1);
  });
}

/** Returns the login with its tag, and the words of the names. */
function readNames({ bytes, starts }: TextRun, ordinal: number): readonly string[] {
  return bytes.toString("utf8", starts[ordinal], starts[ordinal + 1]).split(" ");
}

/**
 * Returns one page of the people found, sorted by rank, score and ordinal. Only the people up to the end of the page are sorted.
 */
function toPage(
  { rowIds, scores }: PeopleIndex,
  { ranks, ordinals }: Found,
  { limit, offset }: PeopleQuery,
): PeopleFound {
  const placeOf = (ordinal: number) =>
    (ranks[ordinal] as number) * scoresMax - (scores[ordinal] as number);
  const counts = new Uint32Array(ranksMax * scoresMax);
  for (const ordinal of ordinals) {
    const place = placeOf(ordinal);
    counts[place] = (counts[place] as number) + 1;
  }
  let last = 0;
  for (let better = 0; last < counts.length; last++) {
    better += counts[last] as number;
    if (better >= offset + limit) break;
  }
  const best = ordinals.filter((ordinal) => placeOf(ordinal) <= last);
  best.sort((a, b) => placeOf(a) - placeOf(b) || a - b);
  const hits = best.slice(offset, offset + limit).map((ordinal) => {
    return { rowId: rowIds[ordinal] as number, matched: toPeopleKey(ranks[ordinal] as number) };
  });
  return { total: ordinals.length, hits };
}

/** Every rank is less than `ranksMax`. Every score in tenths is less than `scoresMax`. */
const [ranksMax, scoresMax] = [2 * fits.length + 1, 1024];
