/** Chooses which of a person's names is shown, and lists the others. */
import { otherNameLengthMax, otherNamesMax } from "../contract/people/facts.ts";
import { splitNameWords } from "./name-words.ts";
import { isDefaultName, isNobodyName, isOneName, toFullName } from "./person-name.ts";

/** A name as an author wrote it, and its number of commits. */
export interface WrittenName {
  readonly name: string;
  readonly commits: number;
}

export interface ChosenName {
  readonly name: string;
  /** Other names and spellings, without those that differ only in case, accents or punctuation. */
  readonly others: readonly string[];
}

/** A spelling may be a typing mistake if it has less than this share of the commits of the most frequent full name. */
const rareShare = 0.1;

/**
 * Chooses the most complete spelling of the most frequent full name; without a full name, the most frequent name.
 *
 * @param preferred is always shown, if given.
 */
export function chooseName(
  written: readonly WrittenName[],
  preferred?: string,
): ChosenName | undefined {
  const sorted = [...written].sort(
    (a, b) => b.commits - a.commits || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
  const name = preferred ?? chooseComplete(sorted) ?? sorted[0]?.name;
  if (name === undefined) return undefined;
  return {
    name,
    others: listOthers(
      name,
      sorted.map((each) => each.name),
    ),
  };
}

/** Lists at most `otherNamesMax` names that are not just another spelling of `name` or of an earlier one. */
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

/** A replacement character, or UTF-8 that was read as Latin-1. */
const isMangled = /\ufffd|[ÃÂ][\u0080-\u00bf]/u;

/** Whether `name` is a more complete spelling of `other`. It has no notes, more words that are not initials, or capitals. */
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
