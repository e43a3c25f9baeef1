import type { MappedSpelling } from "./git/mailmap.ts";
import { atLeast, type Row, toShare } from "./rows.ts";

const bars = { precision: 0.99, recall: 0.65 };

/** A pair of spellings that is known to be one person or two. */
interface JudgedPair {
  readonly a: MappedSpelling;
  readonly b: MappedSpelling;
  readonly isOne: boolean;
  readonly isMerged: boolean;
  readonly isSuggested: boolean;
}

/**
 * Counts pairs of spellings with different addresses, and separately those that share one. Where two addresses have
 * several spellings, the worst case counts.
 */
export class JudgedPairs {
  readonly #different = new Map<string, JudgedPair>();
  readonly #sharing = new Map<string, JudgedPair>();
  readonly #sums = { different: noPairs, sharing: noPairs };

  take(pair: JudgedPair): void {
    // Millions of pairs are two people and stay two, so these are not counted.
    if (!pair.isOne && !pair.isMerged && !pair.isSuggested) return;
    const isSharing = pair.a.email === pair.b.email;
    const pairs = isSharing ? this.#sharing : this.#different;
    const key = [pair.a, pair.b]
      .map(isSharing ? toSpellingKey : toAddressKey)
      .sort()
      .join("\n");
    const before = pairs.get(key);
    if (!before || before.isMerged === before.isOne) pairs.set(key, pair);
  }

  add(other: JudgedPairs): this {
    for (const kind of ["different", "sharing"] as const) {
      this.#sums[kind] = sum(this.#sums[kind], other.#count(kind));
    }
    return this;
  }

  rows(name: string): readonly Row[] {
    const { right, wrong, missed } = this.#count("different");
    const sharing = this.#count("sharing");
    return [
      atLeast(bars.precision, toShare(`${name}.precision`, right, right + wrong)),
      atLeast(bars.recall, toShare(`${name}.recall`, right, right + missed)),
      toShare(`${name}.sharing.recall`, sharing.right, sharing.right + sharing.missed),
    ];
  }

  counts(): string {
    const { right, wrong, missed, suggested } = this.#count("different");
    const sharing = this.#count("sharing");
    return (
      `of different addresses ${right + wrong} pairs merged, ${wrong} of them wrongly, ` +
      `${missed} not merged, ${suggested} of those suggested; ` +
      `sharing an address ${sharing.right + sharing.wrong} merged, ${sharing.wrong} wrongly, ${sharing.missed} not`
    );
  }

  get misses(): readonly string[] {
    return [...this.#different.values(), ...this.#sharing.values()].flatMap((pair) => {
      if (pair.isMerged === pair.isOne) return [];
      const verdict = pair.isMerged ? "merged, and the mailmap has two" : "not merged";
      return [`${verdict}: ${inWords(pair.a)} | ${inWords(pair.b)}`];
    });
  }

  #count(kind: "different" | "sharing"): Counts {
    const pairs = kind === "different" ? this.#different : this.#sharing;
    return [...pairs.values()].map(toCounts).reduce(sum, this.#sums[kind]);
  }
}

interface Counts {
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  readonly suggested: number;
}

const noPairs: Counts = { right: 0, wrong: 0, missed: 0, suggested: 0 };

function toCounts({ isOne, isMerged, isSuggested }: JudgedPair): Counts {
  return {
    right: Number(isMerged && isOne),
    wrong: Number(isMerged && !isOne),
    missed: Number(!isMerged && isOne),
    suggested: Number(!isMerged && isOne && isSuggested),
  };
}

function sum(a: Counts, b: Counts): Counts {
  return {
    right: a.right + b.right,
    wrong: a.wrong + b.wrong,
    missed: a.missed + b.missed,
    suggested: a.suggested + b.suggested,
  };
}

function toAddressKey({ email, properName, properEmail }: MappedSpelling): string {
  return `${email} of ${properName} <${properEmail}>`;
}

function toSpellingKey(spelling: MappedSpelling): string {
  return `${spelling.name} ${toAddressKey(spelling)}`;
}

function inWords({ name, email }: MappedSpelling): string {
  return `${name} <${email}>`;
}
