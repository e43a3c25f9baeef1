/**
 * Lists the people in the known histories and the evidence for them, and records the operator's decisions. It reads the ledger,
 * never the repositories. A decision is recorded only if it has an effect, so all people are recounted with it first.
 */
import { deriveLogin } from "../../../identity/derived-login.ts";
import { parseSelector } from "../../../identity/selector.ts";
import type { IdentityDecisionRecord, Pool } from "../../../pool/pool.ts";
import type { ForgeLedger } from "../../forges/forge-ledger.ts";
import { countCommits } from "../count-commits.ts";
import { type Community, identifyPeople } from "../identify-people.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { identifyRemembered } from "../pipeline.ts";
import { createIdentityDecider, type IdentityDecision } from "./identity-decider.ts";
import { type KnownIdentity, toKnownIdentity } from "./known-identity.ts";
import { readOperatorFiles } from "./operator-files.ts";
import { listOwnAddresses } from "./people.ts";
import { createIdentityRules, noFiles, type OperatorFiles } from "./rules.ts";

export type { IdentityDecision, KnownIdentity };

export interface IdentityOverview {
  /** All people with a commit or named as a co-author, by login in code-unit order. */
  list(): readonly KnownIdentity[];
  /** Finds people by login or selector; several when the selector matches several people. */
  find(who: string): readonly KnownIdentity[];
  /** Pairs of people who may be one, most clues first. */
  suggestions(): readonly {
    readonly people: readonly [KnownIdentity, KnownIdentity];
    readonly clues: readonly string[];
  }[];
  /**
   * Records that two are one person, or removes the decision that they are two.
   *
   * @throws Fault for an unknown person, for a selector of several people, and when a never-rule forbids it.
   */
  merge(a: string, b: string, reason: string | undefined): Promise<IdentityDecision>;
  /**
   * Removes the decision that two are one, or records that they are two. For two people it records that they stay
   * two, so that they are not suggested again.
   *
   * @throws Fault as `merge` does, and when both are one author identity.
   */
  split(a: string, b: string, reason: string | undefined): Promise<IdentityDecision>;
}

interface IdentitySources {
  readonly ledger: Ledger;
  readonly pool: Pick<Pool, "erasing" | "decisions" | "findFacts">;
  readonly files: OperatorFiles;
  readonly asOf: string;
}

/** Counts all commits once; `merge` and `split` count them again. */
export async function createIdentityOverview(sources: IdentitySources): Promise<IdentityOverview> {
  const { ledger, pool, files, asOf } = sources;
  const { community } = await identifyRemembered(
    sources,
    createIdentityRules(files, await pool.decisions.list()),
  );
  // Trying out a decision must not erase forgotten people, as `identifyRemembered` does.
  const count = (decisions: readonly IdentityDecisionRecord[]): Community => {
    const rules = createIdentityRules(files, decisions);
    return identifyPeople(countCommits(ledger, asOf, rules), rules);
  };
  const find = (who: string) => findNamed(community, who);
  const namedOf = new Map(community.everybody.map((named) => [named.person, named]));
  const decider = createIdentityDecider({ community, count, decisions: pool.decisions });
  return {
    list: () =>
      community.everybody.map(toKnownIdentity).sort((a, b) => (a.login < b.login ? -1 : 1)),
    find: (who) => find(who).map(toKnownIdentity),
    suggestions: () =>
      community.suggestions().map(({ people, clues }) => {
        const [a, b] = people.map((person) => namedOf.get(person));
        if (!a || !b) throw new Error("A suggestion of nobody.");
        return { people: [toKnownIdentity(a), toKnownIdentity(b)] as const, clues };
      }),
    merge: (a, b, reason) => decider.merge(find(a), find(b), { a, b, reason }),
    split: (a, b, reason) => decider.split(find(a), find(b), { a, b, reason }),
  };
}

function findNamed(community: Community, who: string): Community["everybody"] {
  const current = community.everybody.filter((one) => isCalled(one, who));
  const named =
    current.length > 0 ? current : community.everybody.filter((one) => wasCalled(one, who));
  const selector = parseSelector(who);
  if (named.length > 0 || !selector) return named;
  // A name alone may match several people; decisions check that themselves.
  const people = new Set(community.fitting(selector));
  return community.everybody.filter(({ person }) => people.has(person));
}

function isCalled({ login }: { readonly login: string }, who: string): boolean {
  return login.toLowerCase() === who.trim().toLowerCase();
}

/** Whether it is a former login of the person; `assignLogins` gives each former login to one person only. */
function wasCalled({ formerLogins }: Community["everybody"][number], who: string): boolean {
  return formerLogins.some((login) => isCalled({ login }, who));
}

interface StoredIdentities {
  readonly pool: IdentitySources["pool"];
  readonly ledger: Ledger | undefined;
  readonly forges: ForgeLedger | undefined;
  readonly files: Parameters<typeof readOperatorFiles>[0];
}

/** Finds the author identities of one person in the ledger, and their joins; undefined when there are none. */
export async function findKeptIdentity(
  stored: StoredIdentities,
  login: string,
): Promise<KnownIdentity | undefined> {
  const named = (await namedIn(stored, [login])).find(
    (one) => isCalled(one, login) || wasCalled(one, login),
  );
  return named && toKnownIdentity(named);
}

/** Lists people's author identities for an erasure, which must also reach those with a generic address. */
export async function listAuthorIdentities(
  stored: StoredIdentities,
  logins: readonly string[],
): Promise<readonly KeptAuthorIdentity[]> {
  return (await namedIn(stored, logins)).flatMap(({ person: { identities, addresses } }) =>
    identities.map((identity) => {
      const own = listOwnAddresses(identity);
      return {
        name: identity.name,
        commitEmail: identity.rawEmail,
        ownAddresses: own.filter((address) => addresses.has(address)),
        ...(own.length === 0 && { loginAlone: deriveLogin(identity) }),
      };
    }),
  );
}

async function namedIn(
  { pool, ledger, forges, files }: StoredIdentities,
  logins: readonly string[],
): Promise<Community["everybody"]> {
  if (!ledger || logins.length === 0) return [];
  const operator = { ...readOrNone(files), forges };
  const rules = createIdentityRules(operator, await pool.decisions.list());
  const { community } = await identifyRemembered({ pool, ledger, asOf: lastDay }, rules);
  return logins.flatMap((login) => findNamed(community, login));
}

export interface KeptAuthorIdentity {
  readonly name: string;
  readonly commitEmail: string;
  /** Its addresses that only this person has. */
  readonly ownAddresses: readonly string[];
  /**
   * The login of a person with only this author identity, which older rows of the pool may have. Absent when an own
   * address identifies the person.
   */
  readonly loginAlone?: string;
}

/** Includes commits of any date, since an erasure must not leave any out. */
const lastDay = "9999-12-31";

/** A faulty file must not prevent an erasure. */
function readOrNone(paths: Parameters<typeof readOperatorFiles>[0]): OperatorFiles {
  try {
    return readOperatorFiles(paths);
  } catch {
    return { ...noFiles, byName: paths.names };
  }
}
