/**
 * Who is who in the histories that are known, why, and what the operator may decide about it. It asks what
 * is kept of repositories, never the repositories. A decision is recorded only when it does what it says:
 * everybody is counted with it first.
 */
import { deriveLogin } from "../../../identity/derived-login.ts";
import { parseSelector } from "../../../identity/selector.ts";
import type { IdentityDecisionRecord, Pool } from "../../../pool/pool.ts";
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
  /** Everybody who has a commit that counts, or is named by one; by login in code-unit order. */
  list(): readonly KnownIdentity[];
  /** By login, or by anything that marks a spelling; several when several people have such a spelling. */
  find(who: string): readonly KnownIdentity[];
  /** Pairs who may be one, most clues first. */
  suggestions(): readonly {
    readonly people: readonly [KnownIdentity, KnownIdentity];
    readonly clues: readonly string[];
  }[];
  /**
   * Records that two are one person, or takes back that they were said to be two.
   *
   * @throws Fault for somebody unknown, for several people at once, and for what must never be one.
   */
  merge(a: string, b: string, reason: string | undefined): Promise<IdentityDecision>;
  /**
   * Takes back that two were said to be one, or records that they never are. Of two who are two already it
   * records that they are: they are not suggested again.
   *
   * @throws Fault as `merge` does, and for two that are one spelling.
   */
  split(a: string, b: string, reason: string | undefined): Promise<IdentityDecision>;
}

interface IdentitySources {
  readonly ledger: Ledger;
  readonly pool: Pick<Pool, "erasing" | "decisions">;
  readonly files: OperatorFiles;
  readonly asOf: string;
}

/** Counts everybody once; `merge` and `split` count again. */
export async function createIdentityOverview(asking: IdentitySources): Promise<IdentityOverview> {
  const { ledger, pool, files, asOf } = asking;
  const { community } = await identifyRemembered(
    asking,
    createIdentityRules(files, await pool.decisions.list()),
  );
  // What is only tried erases nobody.
  const count = (decisions: readonly IdentityDecisionRecord[]): Community => {
    const rules = createIdentityRules(files, decisions);
    return identifyPeople(countCommits(ledger, asOf, rules), rules);
  };
  const find = (who: string) => findNamed(community, who);
  const loginOf = new Map(community.everybody.map((named) => [named.person, named]));
  const deciding = createIdentityDecider({ community, count, decisions: pool.decisions });
  return {
    list: () =>
      community.everybody.map(toKnownIdentity).sort((a, b) => (a.login < b.login ? -1 : 1)),
    find: (who) => find(who).map(toKnownIdentity),
    suggestions: () =>
      community.suggestions().map(({ people, clues }) => {
        const [a, b] = people.map((person) => loginOf.get(person));
        if (!a || !b) throw new Error("A suggestion of nobody.");
        return { people: [toKnownIdentity(a), toKnownIdentity(b)] as const, clues };
      }),
    merge: (a, b, reason) => deciding.merge(find(a), find(b), { a, b, reason }),
    split: (a, b, reason) => deciding.split(find(a), find(b), { a, b, reason }),
  };
}

function findNamed(community: Community, who: string): Community["everybody"] {
  const named = community.everybody.filter((one) => isCalled(one, who));
  const mark = parseSelector(who);
  if (named.length > 0 || !mark) return named;
  // A name alone means whoever has it; a decision needs more, which is checked there.
  const people = new Set(community.fitting(mark));
  return community.everybody.filter(({ person }) => people.has(person));
}

function isCalled({ login }: { readonly login: string }, who: string): boolean {
  return login.toLowerCase() === who.trim().toLowerCase();
}

interface KeptIdentity {
  readonly pool: IdentitySources["pool"];
  readonly ledger: Ledger | undefined;
  readonly files: Parameters<typeof readOperatorFiles>[0];
}

/** All that is kept of how one person is spelled, and why it is one person; undefined for who is not in it. */
export async function findKeptIdentity(
  kept: KeptIdentity,
  login: string,
): Promise<KnownIdentity | undefined> {
  const named = (await namedIn(kept, [login])).find((one) => isCalled(one, login));
  return named && toKnownIdentity(named);
}

/** How people are spelled: for an erasure, which must reach those spellings too whose address is nobody's own. */
export async function listAuthorIdentities(
  kept: KeptIdentity,
  logins: readonly string[],
): Promise<readonly KeptAuthorIdentity[]> {
  return (await namedIn(kept, logins))
    .flatMap(({ person }) => person.identities)
    .map((identity) => ({
      name: identity.name,
      commitEmail: identity.rawEmail,
      ...(listOwnAddresses(identity).length === 0 && { loginAlone: deriveLogin(identity) }),
    }));
}

async function namedIn(
  { pool, ledger, files }: KeptIdentity,
  logins: readonly string[],
): Promise<Community["everybody"]> {
  if (!ledger || logins.length === 0) return [];
  const rules = createIdentityRules(readOrNone(files), await pool.decisions.list());
  const { community } = await identifyRemembered({ pool, ledger, asOf: lastDay }, rules);
  return logins.flatMap((login) => findNamed(community, login));
}

export interface KeptAuthorIdentity {
  readonly name: string;
  readonly commitEmail: string;
  /**
   * What somebody with no other spelling is called: older rows of the pool may have it. Absent where an
   * address tells whose they are.
   */
  readonly loginAlone?: string;
}

/** Commits of any date: an erasure leaves none out. */
const lastDay = "9999-12-31";

/** A file with a mistake in it must not keep anybody from being forgotten. */
function readOrNone(paths: Parameters<typeof readOperatorFiles>[0]): OperatorFiles {
  try {
    return readOperatorFiles(paths);
  } catch {
    return noFiles;
  }
}
