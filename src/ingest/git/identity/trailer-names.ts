/**
 * Finds what trailers alone call people. Nobody is judged by that, since anybody can write a trailer; but an erasure must reach
 * it, by the same rules as names of authors.
 */

import type { SignedName } from "../commit/logged-commit.ts";
import { type Community, type IdentityContext, identifyPeople } from "../identify-people.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { createAuthorIdentities } from "./author-identities.ts";
import type { AuthorIdentity } from "./author-identity.ts";
import { listLinks } from "./links.ts";

interface NamedCommunity {
  readonly context: IdentityContext & { readonly ledger: Ledger };
  readonly community: Community;
  readonly spellings: ReadonlySet<number>;
  readonly named: Community["everybody"];
}

/** @returns a community in which trailers name authors, too, and the author identities of the named people in it. */
export function addTrailerNames({ context, community, spellings, named }: NamedCommunity) {
  const own = named.flatMap(({ person }) => person.identities);
  const trailers = readTrailers(context, community, own);
  const { ledger } = context;
  const written = ledger.spellings;
  const read: typeof written.read = (some) => [...written.read(some), ...trailers];
  const extending = { ...context, ledger: { ...ledger, spellings: { ...written, read } } };
  const ids = new Set(trailers.map(({ id }) => id));
  const all = new Set([...spellings, ...ids]);
  const extended = identifyPeople(extending, all, ledger.identity.firstNames());
  const keys = new Set(own.map(({ key }) => key));
  const identities = extended.everybody
    .filter(({ person }) => person.identities.some(({ key }) => keys.has(key)))
    .flatMap(({ person }) => person.identities.map((identity) => ({ person, identity })))
    .map((one) => ({ ...one, isOfTrailers: !keys.has(one.identity.key) }))
    .filter(
      ({ identity, isOfTrailers }) =>
        !isOfTrailers ||
        (!identity.persona && extended.spellingsOf(identity).every((id) => ids.has(id))),
    );
  return { community: extended, identities };
}

/** Those that only trailers have and a link connects with these authors, and others of the same addresses. */
function readTrailers(
  { ledger: { repositories, mentions, spellings }, rules }: NamedCommunity["context"],
  community: Community,
  own: readonly AuthorIdentity[],
) {
  const work = repositories.workOf(own.flatMap((one) => [...community.spellingsOf(one)]));
  const places = repositories.placesOf(new Set(work.map(({ repository }) => repository)));
  const keys = new Set(own.flatMap(listLinks).map(({ key }) => key));
  const { find } = createAuthorIdentities(rules);
  const mentioned = mentions(places);
  const isLinked = (one: SignedName) => listLinks(find(one, "")).some(({ key }) => keys.has(key));
  const addresses = new Set(mentioned.filter(isLinked).map(({ rawEmail }) => rawEmail));
  const ids = new Set([
    ...mentioned.flatMap((one) => (addresses.has(one.rawEmail) ? [one.spelling] : [])),
    // In other repositories only the whole name links.
    ...own.flatMap(({ name }) => [...spellings.fitting({ ...nothing, name })]),
  ]);
  for (const { id } of spellings.read(ids)) ids.delete(id);
  return [...ids].flatMap((id) => {
    const spelling = spellings.find(id);
    const repositories = spellings.mentionedIn(id);
    return spelling ? [{ ...spelling, ...noWork, id, repositories }] : [];
  });
}

const nothing = { address: undefined, account: undefined };
const noWork = {
  ...{ commits: 0, first: undefined, last: undefined, routine: 0, isWork: false },
  ...{ persona: undefined, told: undefined, person: undefined, replaced: [] },
};
