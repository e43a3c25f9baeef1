/** Adds up the credits in trailers. The person with the address or account in a trailer receives the credit. */
import type { Facts } from "../../../contract/people/facts.ts";
import { normaliseAddress, parseNoreplyAddress } from "../../../identity/address.ts";
import { formatDayNumber } from "../commit/day-number.ts";
import type { SignedName } from "../commit/logged-commit.ts";
import type { Spelling } from "../commit/spelling.ts";
import { type CreditKind, creditKinds } from "../commit/stored-commit.ts";

export interface CreditTally {
  readonly kind: CreditKind;
  /** The person who receives the credit, as written in the trailer. */
  readonly named: Spelling;
  readonly author: Spelling;
  count: number;
  /** Day of the first credit and of the last, as UTC days since 1970. */
  first: number;
  last: number;
}

export function createCreditTallies() {
  const numbers = new Map<object, number>();
  const tallies = new Map<string, CreditTally>();
  const numberOf = (object: object): number => numbers.getOrInsert(object, numbers.size);
  return {
    add(credit: Pick<CreditTally, "kind" | "named" | "author">, day: number): void {
      const key = `${credit.kind} ${numberOf(credit.named)} ${numberOf(credit.author)}`;
      const none = { ...credit, count: 0, first: day, last: day };
      const tally = tallies.getOrInsert(key, none);
      tally.count += 1;
      tally.first = Math.min(tally.first, day);
      tally.last = Math.max(tally.last, day);
    },
    list: (): readonly CreditTally[] => [...tallies.values()],
  };
}

/** Lists the keys to look up a person in a trailer: each address, and each account that a noreply address names. */
export function listCreditKeys({ email, rawEmail }: Pick<SignedName, "email" | "rawEmail">) {
  const keys = [rawEmail, email].flatMap((text) => {
    const address = normaliseAddress(text);
    const account = parseNoreplyAddress(address);
    return [address, ...(account ? [`${account.forge}/${account.login.toLowerCase()}`] : [])];
  });
  return [...new Set(keys)];
}

/** Adds up a person's credits as facts; undefined when there are none. */
export function sumCredits(
  tallies: readonly Omit<CreditTally, "named" | "author">[],
): Facts["credits"] {
  if (tallies.length === 0) return undefined;
  const byKind = Map.groupBy(tallies, ({ kind }) => kind);
  const sums = creditKinds.flatMap((kind) => {
    const some = byKind.get(kind);
    if (!some) return [];
    const count = some.reduce((sum, each) => sum + each.count, 0);
    const first = formatDayNumber(Math.min(...some.map((each) => each.first)));
    const last = formatDayNumber(Math.max(...some.map((each) => each.last)));
    return [[kind, { count, first, last }] as const];
  });
  return Object.fromEntries(sums);
}
