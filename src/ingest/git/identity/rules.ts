/**
 * What people have said about who is who: the operator's two files and the decisions recorded on the
 * command line, in one form. That two spellings are not one goes before that they are, whoever said so:
 * people wrongly taken apart are noticed by themselves, strangers put together are not.
 */

import type { AuthorClass } from "../../../contract/people/facts.ts";
import { foldName, parseSelector, type Selector } from "../../../identity/selector.ts";
import type { AuthorIdentity } from "./author-identity.ts";

export interface Statement {
  readonly kind: "same" | "different";
  readonly a: Selector;
  readonly b: Selector;
  readonly by: "alias file" | "decision";
  /** File and line, or the decision's name. */
  readonly origin: string;
}

export interface ClassRule {
  readonly mark: Selector;
  readonly class: AuthorClass;
  readonly reason: string;
  /** File and line. */
  readonly origin: string;
}

export interface ProperName {
  readonly mark: Selector;
  readonly name: string;
}

export interface OperatorFiles {
  readonly statements: readonly Statement[];
  readonly names: readonly ProperName[];
  readonly classes: readonly ClassRule[];
}

export const noFiles: OperatorFiles = { statements: [], names: [], classes: [] };

export interface IdentityRules {
  readonly statements: readonly Statement[];
  readonly names: readonly ProperName[];
  readonly classes: readonly ClassRule[];
  /** Another one, and everybody is counted anew. */
  readonly fingerprint: string;
}

/** As the pool keeps it; the marks as texts. */
interface DecisionText {
  readonly id: string;
  readonly kind: "same" | "different";
  readonly a: string;
  readonly b: string;
}

/** Files and decisions together. */
export function createIdentityRules(
  { statements, names, classes }: OperatorFiles,
  decisions: readonly DecisionText[],
): IdentityRules {
  const decided = decisions.flatMap(({ id, kind, a, b }): Statement[] => {
    const [one, other] = [parseSelector(a), parseSelector(b)];
    return one && other ? [{ kind, a: one, b: other, by: "decision", origin: id }] : [];
  });
  const said = { statements: [...statements, ...decided], names, classes };
  return { ...said, fingerprint: Bun.hash(JSON.stringify(said)).toString(36) };
}

type NameAndAddress = Pick<AuthorIdentity, "name" | "email" | "rawEmail" | "account">;

/** Whether a mark means this spelling. */
export function matchesSelector(
  { name, address, account }: Selector,
  spelling: NameAndAddress,
): boolean {
  if (name !== undefined && foldName(name) !== foldName(spelling.name)) return false;
  if (account) {
    const held = spelling.account;
    return (
      held?.login.toLowerCase() === account.login &&
      (account.forge === undefined || account.forge === held.forge)
    );
  }
  if (address === undefined) return true;
  const { email, rawEmail } = spelling;
  if (!address.startsWith("*@")) return address === email || address === rawEmail;
  return email.endsWith(address.slice(1)) || rawEmail.endsWith(address.slice(1));
}

/** Finds spellings by mark without looking at each: files of operators may have thousands of lines. */
export function createIdentityMatcher(identities: readonly AuthorIdentity[]) {
  const byKey = new Map<string, AuthorIdentity[]>();
  const add = (key: string, identity: AuthorIdentity): void => {
    const held = byKey.get(key);
    if (held) held.push(identity);
    else byKey.set(key, [identity]);
  };
  for (const identity of identities) for (const key of keysOf(identity)) add(key, identity);
  return {
    /** In the order of the author identities given. */
    fitting: (mark: Selector): readonly AuthorIdentity[] =>
      (byKey.get(keyOf(mark)) ?? []).filter((identity) => matchesSelector(mark, identity)),
  };
}

/** @returns those lines that mean a spelling, in the order of the file. */
export function createLineMatcher<Line extends { readonly mark: Selector }>(
  lines: readonly Line[],
): (spelling: NameAndAddress) => readonly Line[] {
  const numbered = lines.map((line, at) => ({ line, at }));
  const byKey = Map.groupBy(numbered, ({ line }) => keyOf(line.mark));
  return (spelling) =>
    [...keysOf(spelling)]
      .flatMap((key) => byKey.get(key) ?? [])
      .filter(({ line }) => matchesSelector(line.mark, spelling))
      .sort((a, b) => a.at - b.at)
      .map(({ line }) => line);
}

/** A mark means only spellings that have its key among theirs. */
function keysOf({ name, email, rawEmail, account }: NameAndAddress): ReadonlySet<string> {
  const addresses = [email, rawEmail];
  return new Set([
    ...addresses.map((address) => `address:${address}`),
    ...addresses.map((address) => `address:*${address.slice(address.lastIndexOf("@"))}`),
    ...(account ? [`login:${account.login.toLowerCase()}`] : []),
    `name:${foldName(name)}`,
  ]);
}

function keyOf({ name, address, account }: Selector): string {
  if (account) return `login:${account.login}`;
  return address === undefined ? `name:${foldName(name ?? "")}` : `address:${address}`;
}
