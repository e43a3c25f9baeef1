/** Finds names that occur only in trailers, because an erasure must remove these names too. */
import { foldName } from "../../../identity/selector.ts";
import type { SignedName } from "../commit/logged-commit.ts";
import type { Spelling } from "../commit/spelling.ts";
import { createIdentityFinder } from "../identify/author-identities.ts";
import { type AuthorIdentity, noCommits } from "../identify/author-identity.ts";
import type { AuthorRow } from "../identify/author-rows.ts";
import {
  buildCommunity,
  type Community,
  type IdentityContext,
  type IdentityPart,
} from "../identify/community.ts";
import type { FirstNames } from "../identify/join-by-name.ts";
import { getHash, listLinks } from "../identify/links.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { listMentions } from "../ledger/locations.ts";

interface NamedCommunity {
  readonly ledger: Ledger;
  readonly context: IdentityContext;
  readonly part: IdentityPart;
  readonly community: Community;
  readonly named: Community["everybody"];
  readonly firstNames: FirstNames;
}

/** @returns the author identities of the named people, including identities that occur only in trailers. */
export function addTrailerNames(found: NamedCommunity) {
  const { context, part, named, firstNames } = found;
  const own = named.flatMap(({ person }) => person.identities);
  const trailers = readTrailers(found, own);
  const authors = [...part.authors, ...trailers];
  const extended = buildCommunity(context, { ...part, authors }, firstNames);
  const ids = new Set(trailers.map(({ id }) => id));
  const keys = new Set(own.map(({ key }) => key));
  return extended.everybody
    .filter(({ person }) => person.identities.some(({ key }) => keys.has(key)))
    .flatMap(({ person }) => person.identities.map((identity) => ({ person, identity })))
    .map((one) => ({ ...one, isOfTrailers: !keys.has(one.identity.key) }))
    .filter(
      ({ identity, isOfTrailers }) =>
        !isOfTrailers ||
        (!identity.persona && extended.spellingsOf(identity).every((id) => ids.has(id))),
    );
}

/** Reads the identities that occur only in trailers and are linked with these authors. */
function readTrailers(
  { ledger, context: { rules, authors }, community }: NamedCommunity,
  own: readonly AuthorIdentity[],
): readonly AuthorRow[] {
  const { sqlite } = ledger;
  const works = own
    .flatMap((one) => [...community.spellingsOf(one)])
    .flatMap((id) => authors.byId.get(id)?.work ?? []);
  const repositories = JSON.stringify([...new Set(works.map(({ repository }) => repository))]);
  const places = sqlite.readColumn<number>`
    SELECT id FROM place WHERE repository_id IN (SELECT value FROM json_each(${repositories}))`;
  const keys = new Set(own.flatMap(listLinks).map(getHash));
  const findIdentity = createIdentityFinder(rules);
  const mentioned = listMentions(ledger, places);
  const isLinked = (one: SignedName) =>
    listLinks(findIdentity(one, "")).some((link) => keys.has(getHash(link)));
  const addresses = new Set(mentioned.filter(isLinked).map(({ rawEmail }) => rawEmail));
  const ids = new Set([
    ...mentioned.flatMap((one) => (addresses.has(one.rawEmail) ? [one.spelling] : [])),
    // Outside the repositories of these authors, only an equal full name links two identities.
    ...own.flatMap(
      ({ name }) => sqlite.readColumn<number>`
        SELECT id FROM spelling WHERE folded = ${foldName(name)}`,
    ),
  ]);
  return [...ids].filter((id) => !authors.byId.has(id)).flatMap((id) => readTrailer(ledger, id));
}

function readTrailer({ sqlite }: Ledger, id: number): readonly AuthorRow[] {
  const spellings = sqlite.readRows<Spelling & Pick<AuthorRow, "address" | "rawAddress">>`
    SELECT name, email, raw_email AS rawEmail, place, address, raw_address AS rawAddress
    FROM spelling WHERE id = ${id}`;
  const repositories = sqlite.readColumn<string>`
    SELECT DISTINCT repository.name FROM mention JOIN place ON place.id = mention.place_id
      JOIN repository ON repository.id = place.repository_id
    WHERE mention.spelling_id = ${id} ORDER BY repository.name`;
  return spellings.map((spelling) => ({ ...spelling, ...noWork, id, repositories }));
}

const noWork = {
  ...noCommits,
  own: 0,
  routine: 0,
  isWork: false,
  replaced: [],
  work: [],
  traits: undefined,
};
