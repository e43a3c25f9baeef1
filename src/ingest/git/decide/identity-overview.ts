/**
 * Lists the people in the known histories and the evidence for them, and records the operator's decisions. It reads the ledger,
 * never the repositories.
 */
import { deriveLogin } from "../../../identity/derived-login.ts";
import { parseSelector } from "../../../identity/selector.ts";
import type { Pool } from "../../../pool/pool.ts";
import type { FrozenForges } from "../../forges/forge-content.ts";
import { readLastDay } from "../erase/erase-histories.ts";
import {
  type IdentifiedSources,
  identifyRemembered,
  readIdentityContext,
} from "../erase/identify-remembered.ts";
import { createIdentityFinder } from "../identify/author-identities.ts";
import { type AuthorIdentity, isByName, type Person } from "../identify/author-identity.ts";
import { buildCommunity, type Community, type IdentityPart } from "../identify/community.ts";
import { listOwnAddresses } from "../identify/group-people.ts";
import { readParts, toCurrentLoginKey, toFormerLoginKey } from "../identify/identified-people.ts";
import { joinFirstNames } from "../identify/identify.ts";
import { hashLinkKey } from "../identify/links.ts";
import { readOperatorFiles } from "../identify/operator-files.ts";
import {
  createIdentityRules,
  matchesSelector,
  noFiles,
  type OperatorFiles,
} from "../identify/rules.ts";
import { guardLedger, guardReading, type Ledger } from "../ledger/ledger.ts";
import { createIdentityDecider } from "./identity-decider.ts";
import { type KnownIdentity, toKnownIdentity, toKnownJoin } from "./known-identity.ts";
import { addTrailerNames } from "./trailer-names.ts";

export type IdentityOverview = Awaited<ReturnType<typeof createIdentityOverview>>;

interface IdentitySources {
  readonly ledger: Ledger;
  readonly pool: Pick<Pool, "erasing" | "decisions" | "findFacts">;
  readonly files: OperatorFiles;
  readonly asOf: string;
}

/** Counts what was not counted yet. */
export async function createIdentityOverview(sources: IdentitySources) {
  const { ledger, pool, files } = sources;
  const remembered = { ...sources, forges: files.forges };
  const found = await guardLedger(ledger, () =>
    identifyRemembered(remembered, async () =>
      createIdentityRules(files, await pool.decisions.list()),
    ),
  );
  const { context, identified } = found;
  const build = (part: IdentityPart, rules = context.rules): Community =>
    buildCommunity({ ...context, rules }, part, identified.firstNames);
  const everybody = () => build(identified.partsOf(identified.people.all));
  const decide =
    (kind: "merge" | "split") =>
    (a: string, b: string, reason: string | undefined, by = "operator") => {
      const part = findParts(found, [a, b]);
      const community = build(part);
      const decider = createIdentityDecider({
        community,
        find: (who) => findNamed(community, who),
        count: (decisions) => build(part, createIdentityRules(files, decisions)),
        decisions: pool.decisions,
      });
      return decider[kind]({ a, b, reason, by });
    };
  return {
    /** All people with a commit or named as a co-author, by login in code-unit order. */
    list: () =>
      everybody()
        .everybody.map(toKnownIdentity)
        .sort((a, b) => (a.login < b.login ? -1 : 1)),
    /** Finds people by login or selector; several when the selector matches several people. */
    find: (who: string) => findNamed(build(findParts(found, [who])), who).map(toKnownIdentity),
    /** Pairs of people who may be one, most clues first. */
    suggestions: () => {
      const community = everybody();
      const namedOf = new Map(community.everybody.map((named) => [named.person, named]));
      return community.suggestions().map(({ people, clues }) => {
        const [a, b] = people.map((person) => namedOf.get(person));
        if (!a || !b) throw new Error("A suggestion of nobody.");
        return { people: [toKnownIdentity(a), toKnownIdentity(b)] as const, clues };
      });
    },
    /**
     * Records that two are one person, or removes the decision that they are two.
     *
     * @param by as in the audit log; default: the operator at the command line.
     * @throws Fault for an unknown person, for a selector of several people, and when a never-rule forbids it.
     */
    merge: decide("merge"),
    /**
     * Removes the decision that two are one, or records that they are two. For two people it records that they stay two, so that
     * they are not suggested again.
     *
     * @throws Fault as `merge` does, and when both are one author identity.
     */
    split: decide("split"),
  };
}

/** Those who are called so, and everybody whom links connect with them. */
function findParts(
  { context: { authors, rules, forges }, identified }: IdentifiedSources,
  texts: readonly string[],
) {
  const { people, partsOf } = identified;
  const findIdentity = createIdentityFinder(rules);
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
    const identity = findIdentity(row, row.repositories[0] ?? "");
    const isTheirs = selectors.some((selector) => matchesSelector(selector, identity));
    return isTheirs ? (people.personOf(row.id) ?? []) : [];
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
  // A name alone may match several people; decisions check that themselves.
  const people = new Set(community.fitting(selector));
  return everybody.filter(({ person }) => people.has(person));
}

interface StoredIdentities {
  readonly pool: IdentitySources["pool"];
  readonly ledger: Ledger | undefined;
  readonly forges: FrozenForges | undefined;
  readonly files: Parameters<typeof readOperatorFiles>[0];
}

/**
 * Finds the author identities of one person as the last run identified them, and their joins; undefined when there are none. It
 * reads those alone whom links connect with the person: a server asks for it, too.
 */
export async function findKeptIdentity(
  { ledger, pool, files, forges }: StoredIdentities,
  login: string,
): Promise<KnownIdentity | undefined> {
  if (!ledger) return undefined;
  const decisions = await pool.decisions.list();
  const rules = createIdentityRules({ ...readOrNone(files), forges }, decisions);
  return guardReading(ledger, () => {
    const kept = [...readParts(ledger.sqlite).values()];
    const keys = [toCurrentLoginKey(login), toFormerLoginKey(login)].map(hashLinkKey);
    const part = kept.find(({ people }) =>
      people.some((person) => keys.some((key) => person.keys.includes(key))),
    );
    if (!part) return undefined;
    const spellings = part.people.flatMap((person) => person.spellings);
    const accounts = new Set(part.people.flatMap((person) => person.accounts));
    const context = readIdentityContext(ledger, rules, spellings);
    const firstNames = joinFirstNames(kept.map((one) => one.firstNames));
    const authors = context.authors.all;
    const [named] = findNamed(buildCommunity(context, { authors, accounts }, firstNames), login);
    return named && toKnownIdentity(named);
  });
}

/** Lists people's author identities for an erasure, which must also reach those with a generic address. */
export async function listAuthorIdentities(
  { pool, ledger, forges, files }: StoredIdentities,
  logins: readonly string[],
): Promise<readonly KeptAuthorIdentity[]> {
  if (!ledger || logins.length === 0) return [];
  const operator = { ...readOrNone(files), forges };
  const asOf = readLastDay(ledger);
  const found = await guardLedger(ledger, () =>
    identifyRemembered({ pool, ledger, forges, asOf }, async () =>
      createIdentityRules(operator, await pool.decisions.list()),
    ),
  );
  const { context, identified } = found;
  const { firstNames } = identified;
  const part = findParts(found, logins);
  const community = buildCommunity(context, part, firstNames);
  const named = [...new Set(logins.flatMap((login) => findNamed(community, login)))];
  const kept: KeptAuthorIdentity[] = [];
  const all = addTrailerNames({ ledger, context, part, community, named, firstNames });
  for (const { person, identity, isOfTrailers } of all) {
    const asked = isOfTrailers ? listOwnAddresses(identity).map(pool.erasing.find) : [];
    const holders = (await Promise.all(asked)).flat();
    // An address decides before a name: anybody can write somebody else's beside it.
    if (holders.every((login) => logins.includes(login))) kept.push(toKept(person, identity));
  }
  return kept;
}

export type KeptAuthorIdentity = ReturnType<typeof toKept>;

function toKept({ addresses, joins }: Person, identity: AuthorIdentity) {
  const { name, rawEmail } = identity;
  const own = listOwnAddresses(identity);
  const ownAddresses = own.filter((address) => addresses.has(address));
  return {
    ...{ name, commitEmail: rawEmail },
    /** Its addresses that only this person has. */
    ownAddresses,
    /** Its joins with others for which a name or handle is the only evidence. */
    joinsByName: joins
      .filter((join) => isByName(join) && join.spellings[1] === identity)
      .map(toKnownJoin),
    /** The login of a person with only this author identity, which older rows of the pool may have. */
    ...(own.length === 0 && { loginAlone: deriveLogin(identity) }),
    /** Name and address as in the commits, which identify the person only together. */
    ...(ownAddresses.length === 0 && { namedAddress: { name, email: rawEmail } }),
  };
}

/** A faulty file must not prevent an erasure. */
function readOrNone(paths: Parameters<typeof readOperatorFiles>[0]): OperatorFiles {
  try {
    return readOperatorFiles(paths);
  } catch {
    return { ...noFiles, byName: paths.names };
  }
}
