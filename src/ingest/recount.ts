/** Finds people whom a recheck by the current rules would join or split. Changes nothing. */
import type { Facts } from "../contract/people/facts.ts";
import { splitBatches } from "../contract/split-batches.ts";
import { isGenericAddress } from "../identity/address.ts";
import type { Pool } from "../pool/pool.ts";
import { type KnownIdentity, toKnownIdentity } from "./git/decide/known-identity.ts";
import { readIdentityContext } from "./git/erase/identify-remembered.ts";
import type { AuthorIdentity, IdentityJoin } from "./git/identify/author-identity.ts";
import { buildCommunity, type Community } from "./git/identify/community.ts";
import { listLoginsAlone, type NamedPerson } from "./git/identify/login.ts";
import { createIdentityRules, type OperatorFiles } from "./git/identify/rules.ts";
import { readBrought, readCountedBy } from "./git/ledger/applied.ts";
import type { Ledger } from "./git/ledger/ledger.ts";
import { listLocations } from "./git/ledger/locations.ts";
import { countRepositories } from "./git/tally/tally.ts";

interface RecountSources {
  readonly ledger: Ledger;
  readonly files: OperatorFiles;
}

/**
 * Whether the people in the pool were identified by another version of Roster, other rules or another setting.
 * @param publishCommitEmails the current setting; undefined if the setting has not changed.
 */
export async function isRecountPending({
  ledger,
  pool,
  files,
  publishCommitEmails,
}: RecountSources & {
  readonly publishCommitEmails?: boolean | undefined;
  readonly pool: Pick<Pool, "decisions">;
}): Promise<boolean> {
  const by = readCountedBy(ledger);
  const isEmpty = listLocations(ledger).length === 0 && !files.forges?.content().accounts.length;
  if (!by || isEmpty) return false;
  if (by.publishCommitEmails !== (publishCommitEmails ?? by.publishCommitEmails)) return true;
  if (by.edition !== ledger.edition) return true;
  // An unfinished run over a forge will recount everybody at its end.
  if (files.forges?.content().sources.some(({ openSteps }) => openSteps > 0)) return false;
  const { fingerprint } = createIdentityRules(files, await pool.decisions.list());
  return by.identity !== fingerprint();
}

/**
 * Compares the pool with the people that the current rules give.
 * @param asOf commits with a later date are ignored.
 * @returns `joined`, the people who have several logins in the pool; `split`, the logins that would become several people.
 */
export async function compareRecount({
  ledger,
  pool,
  files,
  asOf,
}: RecountSources & {
  readonly pool: Pick<Pool, "decisions" | "findFacts" | "erasing">;
  readonly asOf: string;
}) {
  const rules = createIdentityRules(files, await pool.decisions.list());
  await countRepositories(ledger, { asOf });
  const context = readIdentityContext(ledger, rules);
  const accounts = new Set(context.forges.accounts.keys());
  const community = buildCommunity(context, { authors: context.authors.all, accounts });
  const loginOf = await createLoginFinder(readBrought(ledger).keys(), pool);
  const { holdsAuthorIdentity } = await pool.erasing.suppression();
  const everybody = community.everybody.filter(
    ({ person }) =>
      community.isShown(person) &&
      !person.identities.some(({ name, rawEmail }) =>
        holdsAuthorIdentity({ name, email: rawEmail }),
      ),
  );
  const parts = new Map<string, string[]>();
  const joined = everybody.flatMap((named) => {
    const was = [...new Set(named.person.identities.flatMap((one) => loginOf(one) ?? []))].sort();
    for (const login of was) parts.getOrInsertComputed(login, () => []).push(named.login);
    return was.length > 1
      ? [{ login: named.login, was, evidence: listBridges(named, loginOf, community) }]
      : [];
  });
  const split = [...parts]
    .filter(([, into]) => into.length > 1)
    .map(([login, into]) => ({ login, into: into.sort() }));
  const byLogin = (a: { login: string }, b: { login: string }) => (a.login < b.login ? -1 : 1);
  return { joined: joined.sort(byLogin), split: split.sort(byLogin) };
}

type LoginFinder = (identity: AuthorIdentity) => string | undefined;

async function createLoginFinder(
  brought: Iterable<string>,
  pool: Pick<Pool, "findFacts">,
): Promise<LoginFinder> {
  const found = new Map<string, string>();
  const add = ({ login, formerLogins = [], emails }: Facts): void => {
    for (const name of [login, ...formerLogins]) found.set(`login:${name.toLowerCase()}`, login);
    for (const { address } of emails) {
      if (!isGenericAddress(address)) found.set(`address:${address}`, login);
    }
  };
  for (const logins of splitBatches(brought, batchSize)) {
    for (const facts of await pool.findFacts(logins)) if (facts) add(facts);
    await Bun.sleep(0);
  }
  return (identity) => {
    const { email, rawEmail } = identity;
    const keys = [
      ...[rawEmail, email].map((address) => `address:${address}`),
      ...listLoginsAlone(identity).map((login) => `login:${login.toLowerCase()}`),
    ];
    return keys.map((key) => found.get(key)).find((login) => login !== undefined);
  };
}

const batchSize = 100;

function listBridges(
  named: NamedPerson,
  loginOf: LoginFinder,
  community: Community,
): KnownIdentity["joins"] {
  const isBridge = ({ spellings: [a, b] }: IdentityJoin) => loginOf(a) !== loginOf(b);
  const { person } = named;
  const bridged = { ...person, joins: person.joins.filter(isBridge) };
  return toKnownIdentity({ ...named, person: bridged }, community).joins;
}
