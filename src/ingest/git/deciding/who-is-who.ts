/**
 * Who is who in the histories that are known, why, and what the operator may decide about it. It asks what
 * is kept of repositories, never the repositories. A decision is recorded only when it does what it says:
 * everybody is counted with it first.
 */
import { derivedLogin } from "../../../contract/facts/derived-login.ts";
import { readMark } from "../../../contract/facts/mark.ts";
import type { Decision, Pool } from "../../../pool/pool.ts";
import { countPeople } from "../count-people.ts";
import { noFiles, type OperatorFiles, readOperatorFiles } from "../identity/operator-files.ts";
import { ownAddresses } from "../identity/people.ts";
import { identityRules } from "../identity/rules.ts";
import { countUnforgotten } from "../ingest-git.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Community } from "../people/community.ts";
import { openDeciding, type Settled } from "./decide.ts";
import { asKnown, type Known } from "./known.ts";

export type { Known, Settled };

export interface WhoIsWho {
  /** Everybody who has a commit that counts, or is named by one; by login in code-unit order. */
  list(): readonly Known[];
  /** By login, or by anything that marks a spelling; several when several people have such a spelling. */
  find(who: string): readonly Known[];
  /** Pairs who may be one, most clues first. */
  suggestions(): readonly {
    readonly people: readonly [Known, Known];
    readonly clues: readonly string[];
  }[];
  /**
   * Records that two are one person, or takes back that they were said to be two.
   *
   * @throws IngestRefusal for somebody unknown, for several people at once, and for what must never be one.
   */
  merge(a: string, b: string, reason: string | undefined): Settled;
  /**
   * Takes back that two were said to be one, or records that they never are. Of two who are two already it
   * records that they are: they are not suggested again.
   *
   * @throws IngestRefusal as `merge` does, and for two that are one spelling.
   */
  split(a: string, b: string, reason: string | undefined): Settled;
}

export interface Asking {
  readonly ledger: Ledger;
  readonly pool: Pick<Pool, "erasing" | "decisions">;
  readonly files: OperatorFiles;
  readonly asOf: string;
}

/** Counts everybody once; `merge` and `split` count again. */
export function openWhoIsWho(asking: Asking): WhoIsWho {
  const { ledger, pool, files, asOf } = asking;
  const { community } = countUnforgotten(
    asking,
    identityRules(files, pool.decisions.list()),
  ).counted;
  // What is only tried erases nobody.
  const count = (decisions: readonly Decision[]): Community =>
    countPeople(ledger, asOf, identityRules(files, decisions)).community;
  const find = (who: string) => findNamed(community, who);
  const loginOf = new Map(community.everybody.map((named) => [named.person, named]));
  const deciding = openDeciding({ community, count, decisions: pool.decisions });
  return {
    list: () => community.everybody.map(asKnown).sort((a, b) => (a.login < b.login ? -1 : 1)),
    find: (who) => find(who).map(asKnown),
    suggestions: () =>
      community.suggestions().map(({ people, clues }) => {
        const [a, b] = people.map((person) => loginOf.get(person));
        if (!a || !b) throw new Error("A suggestion of nobody.");
        return { people: [asKnown(a), asKnown(b)] as const, clues };
      }),
    merge: (a, b, reason) => deciding.merge(find(a), find(b), { a, b, reason }),
    split: (a, b, reason) => deciding.split(find(a), find(b), { a, b, reason }),
  };
}

function findNamed(community: Community, who: string): Community["everybody"] {
  const named = community.everybody.filter((one) => isCalled(one, who));
  const mark = readMark(who);
  if (named.length > 0 || !mark) return named;
  // A name alone means whoever has it; a decision needs more, which is checked there.
  const people = new Set(community.fitting(mark));
  return community.everybody.filter(({ person }) => people.has(person));
}

function isCalled({ login }: { readonly login: string }, who: string): boolean {
  return login.toLowerCase() === who.trim().toLowerCase();
}

export interface Kept {
  readonly pool: Asking["pool"];
  readonly ledger: Ledger | undefined;
  readonly files: Parameters<typeof readOperatorFiles>[0];
}

/** All that is kept of how one person is spelled, and why it is one person; undefined for who is not in it. */
export function knownAs(kept: Kept, login: string): Known | undefined {
  const named = namedIn(kept, [login]).find((one) => isCalled(one, login));
  return named && asKnown(named);
}

/** How people are spelled: for an erasure, which must reach those spellings too whose address is nobody's own. */
export function spellingsOf(kept: Kept, logins: readonly string[]): readonly KeptSpelling[] {
  return namedIn(kept, logins)
    .flatMap(({ person }) => person.personas)
    .map((persona) => ({
      name: persona.name,
      commitEmail: persona.rawEmail,
      ...(ownAddresses(persona).length === 0 && { loginAlone: derivedLogin(persona) }),
    }));
}

function namedIn({ pool, ledger, files }: Kept, logins: readonly string[]): Community["everybody"] {
  if (!ledger || logins.length === 0) return [];
  const rules = identityRules(readOrNone(files), pool.decisions.list());
  const { community } = countUnforgotten({ pool, ledger, asOf: lastDay }, rules).counted;
  return logins.flatMap((login) => findNamed(community, login));
}

export interface KeptSpelling {
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
