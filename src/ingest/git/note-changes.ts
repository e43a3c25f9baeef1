/**
 * Notes what else may change who is who than commits: the operator's statements, and the accounts of forges. It touches the
 * spellings that they concern, and links those that are new.
 */
import { normaliseAddress } from "../../identity/address.ts";
import { formatSelector } from "../../identity/selector.ts";
import { digestForgeContent } from "../forges/forge-content.ts";
import { type AccountKey, listNoreplyHosts } from "../forges/forge-people.ts";
import type { IdentityContext } from "./identify-people.ts";
import { createAuthorIdentities } from "./identity/author-identities.ts";
import type { AuthorIdentity } from "./identity/author-identity.ts";
import { hashLinkKey, listLinks, reach } from "./identity/links.ts";
import { assignAccount } from "./identity/personas.ts";
import {
  createLineMatcher,
  type IdentityRules,
  rulesEdition,
  type Statement,
} from "./identity/rules.ts";
import type { Ledger } from "./ledger/ledger.ts";
import type { StoredSpelling } from "./ledger/spelling-rows.ts";

type Writable = Pick<Ledger, "spellings" | "identity">;

/** Call it inside a change of the ledger. */
export function noteChanges(ledger: Writable, context: IdentityContext): void {
  noteRules(ledger, context);
  noteForges(ledger, context);
  linkNew(ledger, context);
}

/** Touches those whom another statement concerns now, or everybody when the rules themselves changed. */
function noteRules({ identity, spellings }: Writable, { rules }: IdentityContext): void {
  const before = identity.state();
  const general = describeGeneral(rules);
  const stated = new Map(rules.statements.map((statement) => [describe(statement), statement]));
  const isGeneral = before?.general === general;
  const known = new Map((before?.statements ?? []).map((each) => [each.digest, each]));
  const gone = [...known.values()].filter(({ digest }) => !stated.has(digest));
  const added = [...stated].filter(([digest]) => !known.has(digest));
  if (isGeneral && gone.length + added.length === 0) return;
  if (!isGeneral) spellings.unlinkAll();
  for (const key of new Set(gone.flatMap(({ keys }) => [...keys]))) {
    spellings.touch(spellings.linkedBy(key));
    spellings.unlink(key);
  }
  const isWanted = isGeneral ? added : [...stated];
  for (const [, statement] of isWanted) linkStated(spellings, statement);
  // Other statements may have the keys of those that are gone.
  const kept = gone.length > 0 ? [...stated].filter(([digest]) => known.has(digest)) : [];
  for (const [, statement] of kept) linkStated(spellings, statement);
  const statements = [...stated].map(([digest, statement]) => ({
    ...{ digest, keys: listStatementKeys(statement) },
  }));
  identity.setState({ ...before, general, statements });
}

function describeGeneral(rules: IdentityRules): string {
  const { statements: _, forges, fingerprint: __, ...others } = rules;
  const hosts = [...listNoreplyHosts(forges?.content())];
  return digestText(JSON.stringify({ ...others, edition: rulesEdition, hosts }));
}

/** Rules name people, so only hashes of them are kept. */
function describe(statement: Statement): string {
  return digestText(JSON.stringify(statement));
}

/** A digest that is kept in place of a text. */
export function digestText(text: string): string {
  return Bun.hash(text).toString(36);
}

/**
 * Links those whom a statement names. Both sides have the keys of both, so that statements whose selectors match nobody chain
 * others too.
 */
function linkStated(spellings: Writable["spellings"], statement: Statement): void {
  const { a, b } = statement;
  for (const spelling of new Set([...spellings.fitting(a), ...spellings.fitting(b)])) {
    for (const key of listStatementKeys(statement)) {
      spellings.addLink(spelling, { key, reach: reach.everywhere });
    }
    spellings.touch([spelling]);
  }
}

function listStatementKeys({ a, b }: Pick<Statement, "a" | "b">): readonly number[] {
  return [a, b].map((selector) => hashLinkKey(`stated ${formatSelector(selector).toLowerCase()}`));
}

/** Stores the accounts of forges as spellings, and touches those whose account is another now. */
function noteForges({ identity, spellings }: Writable, { rules, forges }: IdentityContext): void {
  const before = identity.state();
  const fingerprint = rules.forges ? digestForgeContent(rules.forges.content()) : "";
  if ((before?.forges ?? "") === fingerprint) return;
  const wanted = new Map<string, { name: string; address: string; key: string; digest: string }>();
  for (const [key, account] of forges.accounts) {
    const addresses = new Set(account.addresses.map(({ address }) => normaliseAddress(address)));
    const owned = forges.repositoriesOf(key);
    const reviews = forges.reviewsOf(key);
    const told = [account, owned, ...(reviews.length > 0 ? [reviews] : [])];
    const digest = digestText(JSON.stringify(told));
    for (const address of addresses.size > 0 ? addresses : [""]) {
      const name = account.profile.name ?? account.login;
      wanted.set(`${key} ${address}`, { name, address, key, digest });
    }
  }
  for (const { id, persona = "", rawEmail, digest, name } of spellings.personas()) {
    const one = wanted.get(`${persona} ${rawEmail}`);
    wanted.delete(`${persona} ${rawEmail}`);
    if (!one || one.name !== name) {
      spellings.touchWithNeighbours([id]);
      spellings.removePersona(id);
      if (one) wanted.set(`${persona} ${rawEmail}`, one);
    } else if (one.digest !== digest) {
      spellings.setPersonaDigest(id, one.digest);
      spellings.relink(id);
    }
  }
  for (const { name, address, key, digest } of wanted.values()) {
    spellings.addPersona({ name, email: address, rawEmail: address, place: key }, key, digest);
  }
  for (const { id, told, identity: author } of readTold(spellings, { rules, forges })) {
    if (formatTold(author) === told) continue;
    spellings.setTold(id, formatTold(author));
    spellings.relink(id);
  }
  identity.dueRepositories();
  identity.setState({ general: "", statements: [], ...before, forges: fingerprint });
}

function* readTold(
  spellings: Writable["spellings"],
  { rules, forges }: Pick<IdentityContext, "rules" | "forges">,
) {
  const identities = createAuthorIdentities(rules);
  for (const stored of spellings.read("all")) {
    const identity = toIdentity(identities, stored, forges);
    if (identity) yield { id: stored.id, told: stored.told, identity };
  }
}

function toIdentity(
  identities: ReturnType<typeof createAuthorIdentities>,
  stored: StoredSpelling,
  forges: IdentityContext["forges"],
): AuthorIdentity | undefined {
  const [repository] = stored.repositories;
  if (stored.persona !== undefined || repository === undefined) return undefined;
  const identity = identities.find(stored, repository);
  assignAccount(identity, forges);
  return identity;
}

function formatTold({ told }: AuthorIdentity): string | undefined {
  return told && `${told.forge}/${told.login}#${told.id ?? ""}`;
}

/** Links spellings that have none yet. */
function linkNew({ spellings }: Writable, { rules, forges }: IdentityContext): void {
  const unlinked = spellings.unlinked();
  if (unlinked.length === 0) return;
  const identities = createAuthorIdentities(rules);
  const stated = createLineMatcher(
    rules.statements.flatMap((statement) =>
      [statement.a, statement.b].map((mark) => ({ mark, keys: listStatementKeys(statement) })),
    ),
  );
  for (const stored of spellings.read(new Set(unlinked))) {
    const { persona } = stored;
    const identity =
      persona === undefined
        ? toIdentity(identities, stored, forges)
        : toPersonaIdentity(identities, stored, forges.accounts.get(persona as AccountKey));
    if (!identity) continue;
    const { account } = identity;
    const links = [
      ...listLinks(identity),
      ...stated(identity).flatMap(({ keys }) =>
        keys.map((key) => ({ key, reach: reach.everywhere })),
      ),
    ];
    spellings.link(stored.id, links, account && `${account.forge}/${account.login}`.toLowerCase());
    spellings.touch([stored.id]);
  }
}

function toPersonaIdentity(
  identities: ReturnType<typeof createAuthorIdentities>,
  stored: StoredSpelling,
  persona: AuthorIdentity["persona"],
): AuthorIdentity | undefined {
  if (!persona) return undefined;
  const { forge, login, number } = persona;
  const identity = identities.find(stored, stored.place);
  return { ...identity, persona, account: { forge, login, id: number } };
}
