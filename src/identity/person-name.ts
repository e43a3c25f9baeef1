/** Compares the names of people in commits. */
import lists from "../../seed/names.json" with { type: "json" };
import { splitNameWords } from "./name-words.ts";

/** The words of a name, in order, in lower case and without accents. */
export type FullName = readonly string[];

/** Caches of results, because one run reads each name many times. */
const folded = new Map<string, FullName>();
const full = new Map<string, FullName | undefined>();
const namesMax = 50_000;

function remember<Value>(known: Map<string, Value>, name: string, value: Value): Value {
  if (known.size >= namesMax) known.clear();
  known.set(name, value);
  return value;
}

/**
 * Splits the name of an author into words. Additions are dropped, as in `Ada Example via List`, `Ada Example (Acme)`, `EXTERNAL
 * Ada Example` and `Ada Example/DE/ACME`.
 */
export function foldPersonName(name: string): FullName {
  const known = folded.get(name);
  if (known) return known;
  const plain = name.replace(brackets, "$1 ").trim();
  const isCoded = plain.length < 200 && plain.includes(" ");
  const bare = isCoded ? plain.replace(/(?:\/[A-Z0-9]{2,12}){1,4}$/, "") : plain;
  const [, family, given] = /^([^,]+), *([^,]+)$/.exec(bare) ?? [];
  const own = family && given ? `${given} ${family}` : bare;
  const via = own.search(/\S via \S/i);
  const words = splitNameWords(via === -1 ? own : own.slice(0, via + 1));
  const from = words.length > 2 && markers.has(words[0] ?? "") ? 1 : 0;
  const isMarked = words.length - from > 2 && markers.has(words.at(-1) ?? "");
  return remember(folded, name, words.slice(from, isMarked ? -1 : undefined));
}

/** Notes in brackets, such as `(ada [at] example.com)`. */
const brackets = /(\S)(?:\s*[([{](?:[^()[\]{}]|[([{][^()[\]{}]*[)\]}])*[)\]}])+/g;

/** Words that company directories add to the names of external people. */
const markers = new Set(["ext", "external", "extern", "externe", "externer", "contractor"]);

/** Returns the words of a name. Undefined means that it is no full name of a person. */
export function toFullName(name: string): FullName | undefined {
  if (full.has(name)) return full.get(name);
  const words = foldPersonName(name);
  const letters = words.join("").replace(/\P{L}/gu, "").length;
  const lettered = words.filter((word) => /\p{L}/u.test(word));
  // A name without a space may be a login: `ada-example`.
  const isFull = lettered.length > 1 && letters >= 5 && /\S[\s,]+\S/.test(name);
  const isPerson = isFull && !name.includes("@") && !isNobodyName(name);
  return remember(full, name, isPerson ? words : undefined);
}

/** Whether a name identifies no person: `anonymous`, `Deleted User`, `Example Core Team`. */
export function isNobodyName(name: string): boolean {
  return isUnknownName(name) || isDeletedName(name) || isTeamName(name);
}

/** Whether the name says that the author's name is not known: `unknown`, `root`. */
export function isUnknownName(name: string): boolean {
  const spellings = [foldPersonName(name).join(" "), name.trim().toLowerCase()];
  return spellings.some((spelling) => namesOfNobody.has(spelling));
}

/** Whether a forge wrote the name or login in place of a deleted user's: `Deleted User`, `[deleted]`, `deleted-58642`. */
export function isDeletedName(name: string): boolean {
  return deleted.test(foldPersonName(name).join(""));
}

const deleted =
  /^(?:deleted|removed|former|deactivated|disabled|inactive|ghost)(?:user(?:name)?|account|member|author|contributor)[0-9a-f]*$|^(?:user|account)?(?:deleted|deactivated)[0-9]*$/;

/** Whether a name is that of a group: `Example Core Team`. */
export function isTeamName(name: string): boolean {
  const words = foldPersonName(name);
  return words.length > 1 && team.has(words.at(-1) ?? "");
}

/** Whether the name is a system's default: `admin`, `ubuntu`. */
export function isDefaultName(name: string): boolean {
  return defaults.has(foldPersonName(name).join(" "));
}

/** Whether the name is so common that two people of one repository may have it: `John Smith`, `Wei Wang`. */
export function isCommonName(name: FullName): boolean {
  const words = name.filter((word) => word.length > 1);
  const rest = (word: string) => words.filter((other) => other !== word);
  return words.some(
    (word) =>
      (family.has(word) && rest(word).every((other) => common.has(other) || family.has(other))) ||
      (familySyllables.has(word) && words.length === 2 && words.every(isSyllable)),
  );
}

export function isCommonWord(word: string): boolean {
  return given.has(word) || family.has(word) || familySyllables.has(word);
}

export function isFirstName(word: string): boolean {
  return given.has(word) || first.has(word);
}

/** Lists keys. Spellings of one name share a key, e.g. `Ada B. Example` and `Example Ada`. Names of different people can too. */
export function listNameKeys(name: string): readonly string[] {
  const words = toFullName(name);
  if (!words) return [];
  return [...new Set([words, foldUmlauts(name)].flatMap(keysOf))];
}

function keysOf(name: FullName): readonly string[] {
  const words = name.filter((word) => word.length > 1);
  if (words.length < 2) return [toKey(name)];
  return [toKey(name), toKey(words), toKey([words[0] ?? "", words.at(-1) ?? ""])];
}

function toKey(words: FullName): string {
  return [...words].sort().join(" ");
}

/** Writes `ä` as `ae`, as people do without an umlaut on their keyboard. */
function foldUmlauts(name: string): FullName {
  const composed = name.normalize("NFC");
  return foldPersonName(composed.replace(/[äöüÄÖÜåÅ]/g, (letter) => umlauts[letter] ?? letter));
}

/**
 * Whether two full names may belong to one person. Each word of the shorter name must equal or abbreviate a word of the longer
 * name. One typing mistake is allowed.
 */
export function isOneName(a: FullName, b: FullName): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  const left = [...longer];
  for (const word of [...shorter].sort((one, other) => other.length - one.length)) {
    const exact = left.indexOf(word);
    const at = exact === -1 ? left.findIndex((other) => isShortFor(word, other)) : exact;
    if (at === -1) return false;
    left.splice(at, 1);
  }
  return true;
}

function isShortFor(a: string, b: string): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  if (shorter.length !== 2 && longer.startsWith(shorter)) return true;
  return (shorter.length >= 5 && isOneSlip(shorter, longer)) || dropUmlauts(a) === dropUmlauts(b);
}

/** Turns `joerg` into `jorg`, so that both spellings of `Jörg` are equal. */
function dropUmlauts(word: string): string {
  return word.replace(/(?<=[aou])e/g, "");
}

/** Whether two words differ by one letter added, removed or replaced, or by two swapped letters. */
function isOneSlip(a: string, b: string): boolean {
  if (b.length - a.length > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1);
  return (
    a.slice(at + 1) === b.slice(at + 1) ||
    (a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2))
  );
}

/** Whether a word is one Chinese syllable in Latin letters. */
function isSyllable(word: string): boolean {
  return familySyllables.has(word) || syllable.test(word);
}

const syllable =
  /^(?:[zcs]h|[bpmfdtnlgkhjqxrzcsyw])?(?:a(?:i|o|ng?)?|e(?:i|ng?)?|i(?:an?g?|ao|e|ng?|ong|u)?|o(?:ng|u)?|u(?:a(?:i|ng?)?|e|i|n|o)?|ve?)$/;

const umlauts: Record<string, string> = {
  ...{ ä: "ae", ö: "oe", ü: "ue", Ä: "ae", Ö: "oe", Ü: "ue", å: "aa", Å: "aa" },
};
const namesOfNobody = new Set([...lists.nobody, "(no author)", "(none)", "?", "-", "."]);
const defaults = new Set(lists.default);
const team = new Set(lists.team);
const given = new Set([...lists.given, ...lists.common]);
const first = new Set(lists.first);
const common = new Set(lists.common);
const family = new Set(lists.family);
const familySyllables = new Set(lists.familySyllables);
