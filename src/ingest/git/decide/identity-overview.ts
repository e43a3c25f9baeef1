/** Lists people and the evidence that joins their identities, and records decisions. */
import { deriveLogin } from "../../../identity/derived-login.ts";
import { parseSelector } from "../../../identity/selector.ts";
import type { Pool } from "../../../pool/pool.ts";
import type { FrozenForges } from "../../forges/forge-content.ts";
import { readLastDay } from "../erase/erase-histories.ts";
import {
  describeErasures,
  type IdentifiedSources,
  identifyRemembered,
  readIdentityContext,
} from "../erase/identify-remembered.ts";
import { type AuthorIdentity, isByName, type Person } from "../identify/author-identity.ts";
import { buildCommunity, type Community, type IdentityPart } from "../identify/community.ts";
import { listOwnAddresses } from "../identify/group-people.ts";
import {
  collectPeople,
  readParts,
  toCurrentLoginKey,
  toFormerLoginKey,
} from "../identify/identified-people.ts";
import { joinFirstNames } from "../identify/identify.ts";
import { readOperatorFiles } from "../identify/operator-files.ts";
import {
  createIdentityRules,
  type IdentityRules,
  matchesSelector,
  noFiles,
  type OperatorFiles,
} from "../identify/rules.ts";
import { readApplied } from "../ledger/applied.ts";
import { guardLedger, guardReading, type Ledger } from "../ledger/ledger.ts";
import { countRepositories } from "../tally/tally.ts";
import {
  createIdentityDecider,
  type DecisionRequest,
  type IdentityDecision,
} from "./identity-decider.ts";
import { type KnownIdentity, toKnownIdentity, toKnownJoin } from "./known-identity.ts";
import { addTrailerNames } from "./trailer-names.ts";

export type IdentityOverview = Awaited<ReturnType<typeof createIdentityOverview>>;

interface IdentitySources {
  readonly ledger: Ledger;
  readonly pool: Pick<Pool, "erasing" | "decisions" | "findFacts">;
  readonly files: OperatorFiles;
  readonly asOf: string;
}

/** Identifies all people, and returns functions that list and find people. */
export async function createIdentityOverview(sources: IdentitySources) {
  const found = await identifyAll(sources);
  const { context, identified } = found;
  const build = (part: IdentityPart): Community =>
    buildCommunity(context, part, identified.firstNames);
  const everybody = () => build(identified.partsOf(identified.people.all));
  return {
    /** Lists all people who have a commit or are named as a co-author, by login. */
    list: () => {
      const community = everybody();
      return community.everybody
        .map((named) => toKnownIdentity(named, community))
        .sort((a, b) => (a.login < b.login ? -1 : 1));
    },
    /** Finds people by login or selector. A selector may match several people. */
    find: (who: string) => {
      const community = build(findParts(found, [who]));
      return findNamed(community, who).map((named) => toKnownIdentity(named, community));
    },
    /** Lists pairs of people who may be one person, most clues first. */
    suggestions: () => {
      const community = everybody();
      const namedOf = new Map(community.everybody.map((named) => [named.person, named]));
      return community.suggestions().map(({ people, clues }) => {
        const [a, b] = people.map((person) => namedOf.get(person));
        if (!a || !b) throw new Error("A suggestion of nobody.");
        return {
          people: [toKnownIdentity(a, community), toKnownIdentity(b, community)] as const,
          clues,
        };
      });
    },
  };
}

/**
 * Records a decision. `merge` records that two are one person, and `split` that they are two. An earlier decision of the opposite
 * kind is removed, and nothing more is recorded if that is enough.
 * @throws Fault for an unknown or ambiguous person, and for a decision that cannot take effect.
 */
export async function recordDecision(
  sources: IdentitySources,
  kind: "merge" | "split",
  request: DecisionRequest,
): Promise<IdentityDecision> {
  const { pool, files } = sources;
  const { context, part, firstNames } = await identifyNamed(sources, [request.a, request.b]);
  const count = (rules: IdentityRules) => buildCommunity({ ...context, rules }, part, firstNames);
  const community = count(context.rules);
  const decider = createIdentityDecider({
    community,
    find: (who) => findNamed(community, who),
    count: (decisions) => count(createIdentityRules(files, decisions)),
    decisions: pool.decisions,
  });
  return decider[kind](request);
}

function identifyAll(sources: IdentitySources): Promise<IdentifiedSources> {
  return guardLedger(sources.ledger, () => identifyRemembered(sources));
}

/** Identifies the people named by the texts. Reads only these people if the result of the last run is up to date. */
async function identifyNamed(sources: IdentitySources, texts: readonly string[]) {
  const { ledger, pool, files, asOf } = sources;
  const rules = createIdentityRules(files, await pool.decisions.list());
  const applied = readApplied(ledger);
  const isApplied =
    applied?.identity === rules.fingerprint() &&
    applied.erasures === (await describeErasures(pool)) &&
    (await countRepositories(ledger, { asOf })).size === 0;
  const kept = isApplied && guardReading(ledger, () => readStoredPart(ledger, rules, texts));
  if (kept) return kept;
  const found = await identifyAll(sources);
  const { context, identified } = found;
  return { context, part: findParts(found, texts), firstNames: identified.firstNames };
}

/** @returns the people with these logins, from the last run; undefined if a login is unknown. */
function readStoredPart(ledger: Ledger, rules: IdentityRules, logins: readonly string[]) {
  const kept = [...readParts(ledger.sqlite).values()];
  const { holdersOf } = collectPeople(kept);
  const holders = logins.map((login) =>
    [toCurrentLoginKey(login.trim()), toFormerLoginKey(login.trim())].flatMap(holdersOf),
  );
  if (holders.some(({ length }) => length === 0)) return undefined;
  const named = new Set(holders.flat());
  const people = kept.flatMap((part) =>
    part.people.some((one) => named.has(one)) ? part.people : [],
  );
  const spellings = people.flatMap((person) => person.spellings);
  const context = readIdentityContext(ledger, rules, spellings);
  const accounts = new Set(people.flatMap((person) => person.accounts));
  const firstNames = joinFirstNames(kept.map((one) => one.firstNames));
  return { context, part: { authors: context.authors.all, accounts }, firstNames };
}

/** Finds the named people, and everybody connected with them by links. */
function findParts(
  { context: { authors, forges }, identified }: Pick<IdentifiedSources, "context" | "identified">,
  texts: readonly string[],
) {
  const { people, partsOf, traits } = identified;
  const selectors = texts.flatMap((who) => parseSelector(who) ?? []);
  const byLogin = texts
    .map((who) => who.trim())
    .flatMap((who) => [toCurrentLoginKey(who), toFormerLoginKey(who)])
    .flatMap(people.holdersOf);
  const byAccount = [...forges.accounts].flatMap(([key, { login, forge }]) => {
    const isTheirs = selectors.some(
      ({ account }) => account?.login === login.toLowerCase() && (account.forge ?? forge) === forge,
    );
    return isTheirs ? (people.ofAccount(key) ?? []) : [];
  });
  const spelt = (selectors.length > 0 ? authors.all : []).flatMap((row) => {
    const { id, name, address, rawAddress } = row;
    const { account } = traits.get(id) ?? row.traits ?? {};
    const author = { name, email: address, rawEmail: rawAddress, account };
    const isTheirs = selectors.some((selector) => matchesSelector(selector, author));
    return isTheirs ? (people.personOf(id) ?? []) : [];
  });
  return partsOf([...byLogin, ...byAccount, ...spelt]);
}

function findNamed(community: Community, who: string): Community["everybody"] {
  const { everybody } = community;
  const isMeant = (login: string) => login.toLowerCase() === who.trim().toLowerCase();
  const current = everybody.filter(({ login }) => isMeant(login));
  if (current.length > 0) return current;
  const former = everybody.filter(({ formerLogins }) => formerLogins.some(isMeant));
  const selector = parseSelector(who);
  if (former.length > 0 || !selector) return former;
  // A selector may match several people. The caller decides what to do then.
  const people = new Set(community.fitting(selector));
  return everybody.filter(({ person }) => people.has(person));
}

interface StoredIdentities {
  readonly pool: IdentitySources["pool"];
  readonly ledger: Ledger | undefined;
  readonly forges: FrozenForges | undefined;
  readonly files: Parameters<typeof readOperatorFiles>[0];
}

/** Reads a person's author identities, as the last run found them; undefined when there are none. */
export async function findStoredIdentity(
  { ledger, pool, files, forges }: StoredIdentities,
  login: string,
): Promise<KnownIdentity | undefined> {
  if (!ledger) return undefined;
  const decisions = await pool.decisions.list();
  const rules = createIdentityRules({ ...readOrNone(files), forges }, decisions);
  return guardReading(ledger, () => {
    const kept = readStoredPart(ledger, rules, [login]);
    if (!kept) return undefined;
    const community = buildCommunity(kept.context, kept.part, kept.firstNames);
    const [named] = findNamed(community, login);
    return named && toKnownIdentity(named, community);
  });
}

/** Lists people's author identities for an erasure. */
export async function listAuthorIdentities(
  { pool, ledger, forges, files }: StoredIdentities,
  logins: readonly string[],
): Promise<readonly StoredAuthorIdentity[]> {
  if (!ledger || logins.length === 0) return [];
  const operator = { ...readOrNone(files), forges };
  const sources = { pool, ledger, files: operator, asOf: readLastDay(ledger) };
  const { context, part, firstNames } = await identifyNamed(sources, logins);
  const community = buildCommunity(context, part, firstNames);
  const named = [...new Set(logins.flatMap((login) => findNamed(community, login)))];
  const kept: StoredAuthorIdentity[] = [];
  const all = addTrailerNames({ ledger, context, part, community, named, firstNames });
  for (const { person, identity, isOfTrailers } of all) {
    const asked = isOfTrailers ? listOwnAddresses(identity).map(pool.erasing.find) : [];
    const holders = (await Promise.all(asked)).flat();
    // Keeps an identity only if nobody else has its address.
    if (holders.every((login) => logins.includes(login)))
      kept.push(toStoredIdentity(person, identity));
  }
  return kept;
}

export type StoredAuthorIdentity = ReturnType<typeof toStoredIdentity>;

function toStoredIdentity({ addresses, joins }: Person, identity: AuthorIdentity) {
  const { name, rawEmail } = identity;
  const own = listOwnAddresses(identity);
  const ownAddresses = own.filter((address) => addresses.has(address));
  return {
    ...{ name, commitEmail: rawEmail },
    /** Addresses of the author identity that no other person has. */
    ownAddresses,
    /** Joins of the identity that rest only on a name or handle. */
    joinsByName: joins
      .filter((join) => isByName(join) && join.spellings[1] === identity)
      .map(toKnownJoin),
    ...(own.length === 0 && { loginAlone: deriveLogin(identity) }),
    /** Name and address as in the commits, for an author identity without an address of its own. */
    ...(ownAddresses.length === 0 && { namedAddress: { name, email: rawEmail } }),
  };
}

/** Reads the operator's files. A faulty file must not prevent an erasure, so no file is used then. */
function readOrNone(paths: Parameters<typeof readOperatorFiles>[0]): OperatorFiles {
  try {
    return readOperatorFiles(paths);
  } catch {
    return { ...noFiles, byName: paths.names };
  }
}
