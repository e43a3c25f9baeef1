/**
 * Adds data from people files and forges to people. Each source's supplement is stored next to the facts, and combined with them
 * only for judging. So files and git runs never overwrite each other, whatever their order.
 */
import { type Facts, forgesSource, type Supplement } from "../contract/people/facts.ts";
import { isGenericAddress, normaliseAddress, parseNoreplyAddress } from "../identity/address.ts";
import { listOthers } from "../identity/chosen-name.ts";
import { toFullName } from "../identity/person-name.ts";
import { listIdentifiers, listSupplementIdentifiers } from "../pool/pool.ts";
import { groupByKeys } from "./group-by-keys.ts";

/** The source of e-mail addresses that come from commits. */
const commitSource = "commits";

/** Builds the facts to judge: combines the facts with their supplements, and marks the addresses that may be published. */
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

/** Chooses the name. A people file's name replaces others. A forge's name replaces a full name only if it is full itself. */
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

/** Stores the last supplement of each source, sorted by source, so that the order of reading files does not matter. */
export function setSupplements(facts: Facts, supplements: readonly Supplement[]): Facts {
  const { supplements: _, ...rest } = facts;
  if (supplements.length === 0) return rest;
  const last = new Map(supplements.map((each) => [each.source, each]));
  return {
    ...rest,
    supplements: [...last.values()].sort((a, b) => (a.source < b.source ? -1 : 1)),
  };
}

/** Creates a function that finds the supplements about a person: those that share an identifier with the facts. */
export function createSupplementFinder(supplements: readonly Supplement[]) {
  const wanted = groupByKeys(supplements, listSupplementIdentifiers);
  return {
    identifiers: [...wanted.keys()],
    find(facts: Facts): ReadonlySet<Supplement> {
      // Ignores identifiers that come from people files: a file must not confirm its own match.
      const ofForges = (facts.supplements ?? []).filter(({ source }) => source === forgesSource);
      const own = listIdentifiers(setSupplements(facts, ofForges));
      return new Set(own.flatMap((each) => wanted.get(each) ?? []));
    },
  };
}

/**
 * Separates the stored supplements that still belong to this person (`claimed`) from others. After identities were joined or
 * split, another person may have the address by which a row was matched.
 */
export function sortSupplements(supplements: readonly Supplement[], facts: Facts) {
  if (supplements.length === 0) return { claimed: [], unclaimed: [] };
  const own = createSupplementFinder(supplements).find(facts);
  const name = (each: Supplement) => (own.has(each) ? "claimed" : "unclaimed");
  const { claimed = [], unclaimed = [] } = Object.groupBy(supplements, name);
  return { claimed, unclaimed };
}

/** Finds the person that each supplement is about. Drops a supplement that fits no person, or several. */
export function matchSupplements(people: Iterable<Facts>, supplements: readonly Supplement[]) {
  const { find } = createSupplementFinder(supplements);
  const found = new Map<Supplement, Facts[]>();
  for (const facts of people) {
    for (const each of find(facts)) found.getOrInsertComputed(each, () => []).push(facts);
  }
  const matched = new Map<Facts, Supplement[]>();
  // The result must not depend on the order in which people were read.
  const inOrder = [...found].sort(([a], [b]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  for (const [supplement, [facts, ...others]] of inOrder) {
    if (!facts || others.length > 0) continue;
    matched.getOrInsertComputed(facts, () => []).push(supplement);
  }
  return matched;
}
