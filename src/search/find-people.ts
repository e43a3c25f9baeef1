/** Finds people in the index by a text, which may be a name, a login, an account or an address. */
import type { PeopleKey } from "../contract/people/found-person.ts";
import { normaliseAddress } from "../identity/address.ts";
import { splitNameWords } from "../identity/name-words.ts";
import { keyTags, type PeopleIndex, type Run } from "./people-index.ts";
import type { PeopleFound, PeopleQuery } from "./search-index.ts";

/** Best first. Humans come before bots and assistants, which only exact keys find. */
const fits = [
  "login",
  "former login",
  "account",
  "e-mail",
  "whole name",
  "words",
  "beginnings",
  "beginning of login",
] as const;
type Fit = (typeof fits)[number];

const keyOf = (fit: Fit): PeopleKey => {
  if (fit === "beginning of login") return "login";
  return fit === "whole name" || fit === "words" || fit === "beginnings" ? "name" : fit;
};

export function findInIndex(index: PeopleIndex, query: PeopleQuery): PeopleFound {
  // 0 is nobody found; otherwise the lowest rank of the person, from 1.
  const ranks = new Uint8Array(index.size);
  const note = (ordinal: number, fit: Fit): void => {
    const isHuman = index.names.bytes[index.names.starts[ordinal] ?? 0] === humanByte;
    const rank = fits.indexOf(fit) + 1 + (isHuman ? 0 : fits.length);
    if (ranks[ordinal] === 0 || rank < (ranks[ordinal] ?? 0)) ranks[ordinal] = rank;
  };
  noteKeys(index, query, note);
  noteNames(index, query.text, note);
  return toPage(index, ranks, query);
}

const humanByte = keyTags.human.charCodeAt(0);

type Note = (ordinal: number, fit: Fit) => void;

function noteKeys(index: PeopleIndex, { text, canSeeUnpublished }: PeopleQuery, note: Note): void {
  const trimmed = text.trim().toLowerCase();
  const login = trimmed.replace(/^@/, "");
  if (login === "") return;
  for (const tag of [keyTags.human, keyTags.other]) {
    for (const { ordinal, isWhole } of occurrences(index.names, tag + login)) {
      if (isWhole) note(ordinal, "login");
      else if (tag === keyTags.human) note(ordinal, "beginning of login");
    }
  }
  const noteExact = (tag: string, key: string, fit: Fit): void => {
    for (const { ordinal, isWhole } of occurrences(index.keys, tag + key)) {
      if (isWhole) note(ordinal, fit);
    }
  };
  noteExact(keyTags.formerLogin, login, "former login");
  const [, forge, name] = accountForm.exec(trimmed) ?? [];
  if (forge && name) noteExact(keyTags.account, `${forge}/${name}`, "account");
  if (!trimmed.includes("@")) return;
  const address = normaliseAddress(/<([^<>]*)>$/.exec(trimmed)?.[1] ?? trimmed);
  noteExact(keyTags.published, address, "e-mail");
  if (canSeeUnpublished) noteExact(keyTags.unpublished, address, "e-mail");
}

/** `github.com/ada`, or the URL of a profile. */
const accountForm = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)\/([^/\s]+)\/?$/;

/** Each word of the text begins another word of the name, in any order. */
function noteNames({ names }: PeopleIndex, text: string, note: Note): void {
  // Longest first: what it begins is what the fewest others could take.
  const words = [...splitNameWords(text)].sort((a, b) => b.length - a.length);
  const [longest, ...others] = words;
  if (longest === undefined || words.length > wordsAskedMax) return;
  for (const { ordinal, isWhole } of occurrences(names, ` ${longest}`)) {
    // Most people are found by one word that is not whole, and need no closer look.
    if (others.length === 0 && !isWhole) note(ordinal, "beginnings");
    else {
      const fit = compareWords(words, wordsOf(names, ordinal));
      if (fit) note(ordinal, fit);
    }
  }
}

/** No name in the index has more words. */
const wordsAskedMax = 12;

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

/** Yields where the text occurs, and whether the login, word or key ends with it. */
function* occurrences({ bytes, starts }: Run, text: string) {
  const wanted = Buffer.from(text);
  let ordinal = 0;
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    while ((starts[ordinal + 1] ?? 0) <= at) ordinal++;
    // A space or a tag follows what is whole.
    yield { ordinal, isWhole: (bytes[at + wanted.length] ?? 0) <= 0x20 };
  }
}

/** Sorts by rank, then by score, then by ordinal, as whole numbers that hold all three. */
function toPage(
  { rowIds, scores }: PeopleIndex,
  ranks: Uint8Array,
  query: PeopleQuery,
): PeopleFound {
  const found: number[] = [];
  for (const [ordinal, rank] of ranks.entries()) {
    if (rank > 0) found.push((rank * scoresMax - (scores[ordinal] ?? 0)) * 2 ** 32 + ordinal);
  }
  const { limit, offset } = query;
  const page = Float64Array.from(found)
    .sort()
    .subarray(offset, offset + limit);
  const hits = [...page].map((packed) => {
    const ordinal = packed % 2 ** 32;
    const fit = fits[((ranks[ordinal] ?? 1) - 1) % fits.length] as Fit;
    return { rowId: rowIds[ordinal] as number, matched: keyOf(fit) };
  });
  return { total: found.length, hits };
}

/** More than the tenths of the highest score. */
const scoresMax = 1024;
