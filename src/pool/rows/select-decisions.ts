/** Finds the operator's identity decisions that concern a person. */
import type { Facts } from "../../contract/people/facts.ts";
import { normaliseAddress } from "../../identity/address.ts";
import { foldName, parseSelector, type Selector } from "../../identity/selector.ts";
import type { IdentityDecisionRecord } from "../decisions.ts";
import {
  type Identifier,
  listAddressIdentifiers,
  listAuthorIdentifiers,
  listIdentifiers,
} from "../identifiers.ts";
import type { PoolTables } from "./pool-context.ts";

/** Returns the decisions that name an author identity of the person. See `Decisions.about`. */
export function selectDecisions(
  decisions: readonly IdentityDecisionRecord[],
  facts: Facts,
  { names = [], addresses: others = [] }: PersonSpellings,
): readonly IdentityDecisionRecord[] {
  const known = new Set([...names, facts.profile.name ?? ""].filter(Boolean).map(foldName));
  const own = new Set(listIdentifiers(facts));
  const stated = [...facts.emails.map(({ address }) => address), ...others];
  const addresses = new Set(stated.map(normaliseAddress));
  return decisions.filter(({ a, b }) =>
    [parseSelector(a), parseSelector(b)].some(
      (selector) =>
        identifiersOf(selector).some((one) => own.has(one)) ||
        (selector?.name !== undefined &&
          known.has(foldName(selector.name)) &&
          addresses.has(selector.address ?? "")),
    ),
  );
}

interface PersonSpellings {
  readonly names?: readonly string[] | undefined;
  readonly addresses?: readonly string[] | undefined;
}

export interface ErasedPeople {
  readonly has: (identifier: Identifier) => boolean;
  /** Whether a text contains the name of one of these people. */
  readonly isNamedIn: (text: string) => boolean;
}

/** Tells what to erase of a decision: all of it, only its reason and evidence (`words`), or nothing. */
export function chooseErasure(
  { a, b, reason, evidence }: Pick<StoredDecision, "a" | "b" | "reason" | "evidence">,
  people: ErasedPeople,
): "all" | "words" | "nothing" {
  const identifiers = [a, b].flatMap((text) => identifiersOf(parseSelector(text)));
  if (identifiers.some(people.has) || people.isNamedIn(`${a}\n${b}`)) return "all";
  return people.isNamedIn([reason ?? "", ...evidence].join("\n")) ? "words" : "nothing";
}

type StoredDecision = PoolTables["decisions"]["$inferSelect"];

export function toDecision({
  sequence: _,
  reason,
  undoneAt,
  ...row
}: StoredDecision): IdentityDecisionRecord {
  return {
    ...row,
    ...(reason !== null && { reason }),
    ...(undoneAt !== null && { undoneAt }),
  };
}

function identifiersOf(selector: Selector | undefined): readonly Identifier[] {
  if (selector?.address !== undefined) {
    const { name, address: email } = selector;
    return name === undefined
      ? listAddressIdentifiers(email)
      : listAuthorIdentifiers({ name, email });
  }
  if (!selector?.account) return [];
  const { forge, login } = selector.account;
  return [`login:${login}`, ...(forge ? [`account:${forge}/${login}` as const] : [])];
}
