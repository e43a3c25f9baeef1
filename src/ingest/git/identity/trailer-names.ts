/**
 * Finds what trailers alone call people. Nobody is judged by that, since anybody can write a trailer; but an erasure must reach
 * it, by the same rules as names of authors.
 */
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
  const read: typeof ledger.spellings.read = (some) => [
    ...ledger.spellings.read(some),
    ...trailers,
  ];
  const ids = new Set(trailers.map(({ id }) => id));
  const extended = identifyPeople(
    { ...context, ledger: { ...ledger, spellings: { ...ledger.spellings, read } } },
    new Set([...spellings, ...ids]),
    ledger.identity.firstNames(),
  );
  const keys = new Set(own.map(({ key }) => key));
  const identities = extended.everybody
    .filter(({ person }) => person.identities.some(({ key }) => keys.has(key)))
    .flatMap(({ person }) => person.identities.map((identity) => ({ person, identity })))
    .map((one) => ({ ...one, isOfTrailers: !keys.has(one.identity.key) }))
    .filter(({ identity, isOfTrailers }) => {
      const written = extended.spellingsOf(identity);
      return !isOfTrailers || (written.length > 0 && written.every((id) => ids.has(id)));
    });
  return { community: extended, identities };
}

/** The spellings that only trailers have and a link connects with these authors, and others of the same addresses. */
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
  const linked = mentioned.filter((one) =>
    listLinks(find(one, "")).some(({ key }) => keys.has(key)),
  );
  const addresses = new Set(linked.map(({ rawEmail }) => rawEmail));
  const ids = new Set([
    ...mentioned.flatMap((one) => (addresses.has(one.rawEmail) ? [one.spelling] : [])),
    // In other repositories only the whole name links.
    ...own.flatMap(({ name }) => [...spellings.fitting({ ...nothing, name })]),
  ]);
  for (const { id } of spellings.read(ids)) ids.delete(id);
  return [...ids].flatMap((id) => {
    const spelling = spellings.find(id);
    const work = { commits: 0, first: undefined, last: undefined, routine: 0, isWork: false };
    const account = { persona: undefined, told: undefined, person: undefined };
    const repositories = spellings.mentionedIn(id);
    return spelling ? [{ ...spelling, ...work, ...account, id, repositories }] : [];
  });
}

const nothing = { address: undefined, account: undefined };
