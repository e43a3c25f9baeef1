/** The operator's statements about identity. A statement that two people are not one person overrides the opposite. */
import type { AuthorClass } from "../../../contract/people/facts.ts";
import { foldName, parseSelector, type Selector } from "../../../identity/selector.ts";
import type { IdentityDecisionRecord } from "../../../pool/pool.ts";
import { digestForgeContent, type FrozenForges } from "../../forges/forge-content.ts";
import { groupByKeys } from "../../group-by-keys.ts";
import type { AuthorIdentity } from "./author-identity.ts";

export interface Statement {
  readonly kind: "same" | "different";
  readonly a: Selector;
  readonly b: Selector;
  readonly by: "alias file" | "decision";
  /** File and line, or the id of the decision. */
  readonly origin: string;
}

export interface ClassRule {
  /** The selector. Renaming this field would change the stored fingerprint. */
  readonly mark: Selector;
  readonly class: AuthorClass;
  readonly reason: string;
  /** File and line of the statement. */
  readonly origin: string;
}

export interface ProperName {
  /** The selector. Renaming this field would change the stored fingerprint. */
  readonly mark: Selector;
  readonly name: string;
}

/** Where equal names join author identities: within a repository (docs/identity.md), or nowhere. */
export type JoiningByName = "repository" | "off";

export interface OperatorFiles {
  readonly statements: readonly Statement[];
  readonly names: readonly ProperName[];
  readonly classes: readonly ClassRule[];
  readonly byName: JoiningByName;
  /** The content of forges.db; undefined when no forge was ever read. */
  readonly forges?: FrozenForges | undefined;
}

export const noFiles: OperatorFiles = {
  statements: [],
  names: [],
  classes: [],
  byName: "repository",
};

export interface IdentityRules extends OperatorFiles {
  /** Fingerprint of the rules and of the accounts of forges. A new fingerprint means that everybody is identified again. */
  readonly fingerprint: () => string;
}

/** Combines the operator's files with the recorded decisions. */
export function createIdentityRules(
  { statements, forges, ...files }: OperatorFiles,
  decisions: readonly Pick<IdentityDecisionRecord, "id" | "kind" | "a" | "b">[],
): IdentityRules {
  const decided = decisions.flatMap(({ id, kind, a, b }): Statement[] => {
    const [one, other] = [parseSelector(a), parseSelector(b)];
    return one && other ? [{ kind, a: one, b: other, by: "decision", origin: id }] : [];
  });
  const rules = { statements: [...statements, ...decided], ...files };
  const stated = { edition: rulesEdition, ...rules };
  const fingerprint = () => {
    const told = forges && digestForgeContent(forges.content());
    return Bun.hash(JSON.stringify({ ...stated, forges: told || undefined })).toString(36);
  };
  return { ...rules, forges, fingerprint };
}

/** Edition of the built-in rules. Increase it when the rules join or classify differently. */
export const rulesEdition = 9;

export type NamedAuthor = Pick<AuthorIdentity, "name" | "email" | "rawEmail" | "account">;

export function matchesSelector({ name, address, account }: Selector, author: NamedAuthor) {
  if (name !== undefined && foldName(name) !== foldName(author.name)) return false;
  if (account) {
    return (
      author.account?.login.toLowerCase() === account.login &&
      (account.forge === undefined || account.forge === author.account.forge)
    );
  }
  if (address === undefined) return true;
  const { email, rawEmail } = author;
  if (!address.startsWith("*@")) return address === email || address === rawEmail;
  return email.endsWith(address.slice(1)) || rawEmail.endsWith(address.slice(1));
}

/** Indexes author identities, so that selectors find them fast. */
export function createIdentityMatcher(identities: readonly AuthorIdentity[]) {
  const byKey = groupByKeys(identities, keysOf);
  return {
    /** Finds matching identities, in the order of the given identities. */
    fitting: (selector: Selector): readonly AuthorIdentity[] =>
      (byKey.get(keyOf(selector)) ?? []).filter((identity) => matchesSelector(selector, identity)),
  };
}

export function createLineMatcher<Line extends { readonly mark: Selector }>(
  lines: readonly Line[],
): (author: NamedAuthor) => readonly Line[] {
  const numbered = lines.map((line, at) => ({ line, at }));
  const byKey = Map.groupBy(numbered, ({ line }) => keyOf(line.mark));
  return (author) =>
    keysOf(author)
      .flatMap((key) => byKey.get(key) ?? [])
      .filter(({ line }) => matchesSelector(line.mark, author))
      .sort((a, b) => a.at - b.at)
      .map(({ line }) => line);
}

/** Lists the index keys of an author. A selector can match the author only if its `keyOf` is among these keys. */
function keysOf({ name, email, rawEmail, account }: NamedAuthor): readonly string[] {
  const addresses = [email, rawEmail];
  const keys = [
    ...addresses.map((address) => `address:${address}`),
    ...addresses.map((address) => `address:*${address.slice(address.lastIndexOf("@"))}`),
    ...(account ? [`login:${account.login.toLowerCase()}`] : []),
    `name:${foldName(name)}`,
  ];
  return [...new Set(keys)];
}

function keyOf({ name, address, account }: Selector): string {
  if (account) return `login:${account.login}`;
  return address === undefined ? `name:${foldName(name ?? "")}` : `address:${address}`;
}
