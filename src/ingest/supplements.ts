/**
 * Adds data from people files and forges to people. A supplement is the data of one source about one person. It is stored next to
 * the facts and combined with them only for judging.
 */
import { type Facts, forgesSource, type Supplement } from "../contract/people/facts.ts";
import { isGenericAddress, normaliseAddress, parseNoreplyAddress } from "../identity/address.ts";
import { listOthers } from "../identity/chosen-name.ts";
import { toFullName } from "../identity/person-name.ts";
import { listIdentifiers, listSupplementIdentifiers } from "../pool/pool.ts";
import { groupByKeys } from "./group-by-keys.ts";

/** The source of e-mail addresses that come from commits. */
const commitSource = "commits";

/** Combines facts with their supplements for judging, and marks the e-mail addresses that may be published. */
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

/** Chooses the name. The name from a people file wins. A forge's name that is not a full name does not replace a full name. */
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

/** Whether an address reaches one person. `info@` addresses and noreply addresses of forges do not. */
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

/** Stores the last supplement of each source, sorted by source. */
export function setSupplements(facts: Facts, supplements: readonly Supplement[]): Facts {
  const { supplements: _, ...rest } = facts;
  if (supplements.length === 0) return rest;
  const last = new Map(supplements.map((each) => [each.source, each]));
  const sorted = [...last.values()].sort((a, b) => (a.source < b.source ? -1 : 1));
  return { ...rest, supplements: sorted };
}

/** Creates a function that finds the supplements that share an identifier, such as an e-mail address, with a person's facts. */
export function createSupplementFinder(supplements: readonly Supplement[]) {
  const wanted = groupByKeys(supplements, listSupplementIdentifiers);
  return {
    identifiers: [...wanted.keys()],
    find(facts: Facts): ReadonlySet<Supplement> {
      // Ignores identifiers that come from people files, because a file must not confirm its own match.
      const ofForges = (facts.supplements ?? []).filter(({ source }) => source === forgesSource);
      const own = listIdentifiers(setSupplements(facts, ofForges));
      return new Set(own.flatMap((each) => wanted.get(each) ?? []));
    },
  };
}

/** Separates stored supplements into `claimed`, which share an identifier with this person, and `unclaimed`. */
export function sortSupplements(supplements: readonly Supplement[], facts: Facts) {
  if (supplements.length === 0) return { claimed: [], unclaimed: [] };
  const own = createSupplementFinder(supplements).find(facts);
  const name = (each: Supplement) => (own.has(each) ? "claimed" : "unclaimed");
  const { claimed = [], unclaimed = [] } = Object.groupBy(supplements, name);
  return { claimed, unclaimed };
}

/** Finds the person of each supplement. Drops a supplement that fits several people or nobody. */
export function matchSupplements(people: Iterable<Facts>, supplements: readonly Supplement[]) {
  const { find } = createSupplementFinder(supplements);
  const found = new Map<Supplement, Facts[]>();
  for (const facts of people) {
    for (const each of find(facts)) found.getOrInsertComputed(each, () => []).push(facts);
  }
  const matched = new Map<Facts, Supplement[]>();
  // Sorts supplements, so that the result does not depend on the order of the people.
  const inOrder = [...found].sort(([a], [b]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  for (const [supplement, [facts, ...others]] of inOrder) {
    if (!facts || others.length > 0) continue;
    matched.getOrInsertComputed(facts, () => []).push(supplement);
  }
  return matched;
}
