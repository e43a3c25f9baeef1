/** Chooses the name of a person that is shown, and lists the other names. */
import { otherNameLengthMax, otherNamesMax } from "../contract/people/facts.ts";
import { splitNameWords } from "./name-words.ts";
import { isDefaultName, isNobodyName, isOneName, toFullName } from "./person-name.ts";

/** A name as an author wrote it, and its number of commits. */
export interface WrittenName {
  readonly name: string;
  readonly commits: number;
}

export type ChosenName = NonNullable<ReturnType<typeof chooseName>>;

/** A spelling with less than this share of the commits of the most frequent name may be a typing mistake. */
const rareShare = 0.1;

/**
 * Chooses the most complete spelling of the most frequent full name. Without a full name, the most frequent name is chosen.
 * @param preferred a name that is always chosen.
 */
export function chooseName(written: readonly WrittenName[], preferred?: string) {
  const sorted = [...written].sort(
    (a, b) => b.commits - a.commits || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
  const names = sorted.map(({ name }) => name);
  const name = preferred ?? chooseComplete(sorted) ?? names[0];
  return name === undefined ? undefined : { name, others: listOthers(name, names) };
}

/** Lists the other names. A name that differs only in case, accents or punctuation is left out. */
export function listOthers(name: string, names: readonly string[]): readonly string[] {
  const seen = new Set([toWords(name)]);
  const others = names.filter((other) => {
    const words = toWords(other);
    const isName = words !== "" && !other.includes("@") && other.length <= otherNameLengthMax;
    if (!isName || seen.has(words)) return false;
    seen.add(words);
    return !isNobodyName(other) && !isDefaultName(other);
  });
  return others.slice(0, otherNamesMax);
}

const toWords = (name: string) => splitNameWords(name).join(" ");

function chooseComplete(sorted: readonly WrittenName[]): string | undefined {
  const full = sorted.filter(({ name }) => toFullName(name) && !isMangled.test(name));
  const [first] = full;
  if (!first) return undefined;
  let best = first.name;
  for (const { name, commits } of full) {
    if (commits >= rareShare * first.commits && isMoreComplete(name, best)) best = name;
  }
  return best;
}

/** Matches text that was read in the wrong encoding, e.g. `JÃ¶rg` for `Jörg`. */
const isMangled = /\ufffd|[ÃÂ][\u0080-\u00bf]/u;

/** Whether `name` is a more complete spelling of `other`, as `Ada Example` is of `A. Example`. */
function isMoreComplete(name: string, other: string): boolean {
  const [own, others] = [toFullName(name) ?? [], toFullName(other) ?? []];
  if (!isOneName(own, others)) return false;
  const [mine, theirs] = [measure(name, own), measure(other, others)];
  const at = mine.findIndex((value, index) => value !== theirs[index]);
  return at >= 0 && (mine[at] as number) > (theirs[at] as number);
}

function measure(name: string, full: readonly string[]): readonly number[] {
  const hasNoNote = splitNameWords(name).length === full.length ? 1 : 0;
  const fullWords = full.filter((word) => [...word].length > 1).length;
  const isWritten = /\p{Lu}/u.test(name) && /\p{Ll}/u.test(name) ? 1 : 0;
  return [hasNoNote, fullWords, isWritten];
}
