/**
 * What people files add to a person. The supplement of each file is stored beside the facts of other sources, and laid over
 * them only for judging. So files and git runs never overwrite each other, whatever their order.
 */
import { type Facts, forgesSource, type Supplement } from "../../contract/people/facts.ts";
import { isGenericAddress, normaliseAddress, parseNoreplyAddress } from "../../identity/address.ts";
import { listOthers } from "../../identity/chosen-name.ts";
import { toFullName } from "../../identity/person-name.ts";
import { type Identifier, listIdentifiers, listSupplementIdentifiers } from "../../pool/pool.ts";
import { groupByKeys } from "../group-by-keys.ts";

/** The e-mail source of git's facts. */
const commitSource = "commits";

/**
 * Builds the facts to judge by: lays the profiles and addresses of supplements over the others, and marks the addresses that
 * may be published.
 *
 * @param publishCommitEmails whether addresses of commits are published too.
 */
export function composeFacts(
  facts: Facts,
  { publishCommitEmails }: { readonly publishCommitEmails: boolean },
): Facts {
  const { supplements = [] } = facts;
  const profile = Object.assign({}, facts.profile, ...supplements.map((each) => each.profile));
  const { name, otherNames } = composeNames(facts);
  const emails = joinEmails([facts.emails, ...supplements.map((each) => each.emails)]);
  return {
    ...facts,
    ...(otherNames.length > 0 && { otherNames: [...otherNames] }),
    profile: { ...profile, ...(name !== undefined && { name }) },
    emails: emails.map((email) => ({
      ...email,
      published:
        (email.published || (publishCommitEmails && email.sources.includes(commitSource))) &&
        isPersonal(email.address),
    })),
  };
}

/** A handle that a forge has as a name gives way to a full name; a people file always decides. */
function composeNames({ profile, otherNames = [], supplements = [] }: Facts) {
  let { name } = profile;
  const given: string[] = name === undefined ? [] : [name];
  for (const { source, profile } of supplements) {
    if (profile.name === undefined) continue;
    given.push(profile.name);
    const isFull = source !== forgesSource || toFullName(profile.name) !== undefined;
    if (isFull || name === undefined || !toFullName(name)) name = profile.name;
  }
  return { name, otherNames: listOthers(name ?? "", [...given, ...otherNames]) };
}

/** Whether an address reaches one person: generic addresses and noreply addresses of forges do not. */
function isPersonal(address: string): boolean {
  return !isGenericAddress(normaliseAddress(address)) && !parseNoreplyAddress(address);
}

function joinEmails(lists: readonly Facts["emails"][]): Facts["emails"] {
  if (lists.length === 1) return lists[0] ?? [];
  const joined = new Map<string, Facts["emails"][number]>();
  for (const email of lists.flat()) {
    const address = normaliseAddress(email.address);
    const known = joined.get(address);
    joined.set(address, {
      address: known?.address ?? email.address,
      sources: [...new Set([...(known?.sources ?? []), ...email.sources])].sort(),
      published: email.published || known?.published === true,
    });
  }
  return [...joined.values()];
}

/** @param supplement undefined removes what the source said. */
export function replaceSupplement(
  facts: Facts,
  source: string,
  supplement: Supplement | undefined,
): Facts {
  const others = (facts.supplements ?? []).filter((each) => each.source !== source);
  return setSupplements(facts, supplement ? [...others, supplement] : others);
}

/** Sorts supplements by source, so that the order in which files were read does not matter. */
export function setSupplements(facts: Facts, supplements: readonly Supplement[]): Facts {
  const { supplements: _, ...rest } = facts;
  if (supplements.length === 0) return rest;
  return { ...rest, supplements: [...supplements].sort((a, b) => (a.source < b.source ? -1 : 1)) };
}

/** Lists the identifiers of a person, without those from people files: a file must not confirm its own match. */
export function listOwnIdentifiers(facts: Facts): readonly Identifier[] {
  const ofForges = (facts.supplements ?? []).filter(({ source }) => source === forgesSource);
  return listIdentifiers(setSupplements(facts, ofForges));
}

/**
 * Sorts out the stored supplements that still belong to this person. When identities were joined or split, another person may
 * have the address that a row was matched by.
 *
 * @param facts what is known of the person now.
 */
export function sortSupplements(
  supplements: readonly Supplement[] = [],
  facts: Facts,
): { readonly claimed: readonly Supplement[]; readonly unclaimed: readonly Supplement[] } {
  if (supplements.length === 0) return { claimed: [], unclaimed: [] };
  const own = new Set(listOwnIdentifiers(facts));
  const isClaimed = (supplement: Supplement) =>
    listSupplementIdentifiers(supplement).some((identifier) => own.has(identifier));
  return {
    claimed: supplements.filter(isClaimed),
    unclaimed: supplements.filter((supplement) => !isClaimed(supplement)),
  };
}

/** Finds the person that each supplement means now. Supplements that mean no person, or several, are dropped. */
export function matchSupplements(
  people: Iterable<Facts>,
  supplements: readonly Supplement[],
): ReadonlyMap<Facts, readonly Supplement[]> {
  const wanted = groupByKeys(supplements, listSupplementIdentifiers);
  const found = new Map<Supplement, Facts[]>();
  for (const facts of people) {
    const here = new Set(listOwnIdentifiers(facts).flatMap((each) => wanted.get(each) ?? []));
    for (const supplement of here) {
      found.getOrInsertComputed(supplement, () => []).push(facts);
    }
  }
  const sure = [...found]
    .sort(inOrder)
    .flatMap(([supplement, [facts, ...others]]) =>
      facts && others.length === 0 ? [{ supplement, facts }] : [],
    );
  const matched = new Map<Facts, Supplement[]>();
  for (const { supplement, facts } of sure) {
    matched.getOrInsertComputed(facts, () => []).push(supplement);
  }
  return matched;
}

/** Does not depend on the order in which people were read. */
function inOrder([a]: readonly [Supplement, unknown], [b]: readonly [Supplement, unknown]): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** Keeps one of each source, the last. */
export function joinSupplements(supplements: readonly Supplement[]): readonly Supplement[] {
  return [...new Map(supplements.map((each) => [each.source, each])).values()];
}
