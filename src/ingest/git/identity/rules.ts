/**
 * What people have said about who is who: the operator's two files and the decisions recorded on the
 * command line, in one form. That two spellings are not one goes before that they are, whoever said so:
 * people wrongly taken apart are noticed by themselves, strangers put together are not.
 */
import type { AuthorClass } from "../../../contract/facts/facts.ts";
import { foldName, type Mark, readMark } from "../../../contract/facts/mark.ts";
import type { OperatorFiles } from "./operator-files.ts";
import type { Persona } from "./people.ts";

export interface Statement {
  readonly kind: "same" | "different";
  readonly a: Mark;
  readonly b: Mark;
  readonly by: "alias file" | "decision";
  /** File and line, or the decision's name. */
  readonly origin: string;
}

export interface ClassRule {
  readonly mark: Mark;
  readonly class: AuthorClass;
  readonly reason: string;
  /** File and line. */
  readonly origin: string;
}

export interface ProperName {
  readonly mark: Mark;
  readonly name: string;
}

export interface IdentityRules {
  readonly statements: readonly Statement[];
  readonly names: readonly ProperName[];
  readonly classes: readonly ClassRule[];
  /** Another one, and everybody is counted anew. */
  readonly fingerprint: string;
}

/** As the pool keeps it; the marks as texts. */
export interface DecisionText {
  readonly id: string;
  readonly kind: "same" | "different";
  readonly a: string;
  readonly b: string;
}

/** Files and decisions together. */
export function identityRules(
  { statements, names, classes }: OperatorFiles,
  decisions: readonly DecisionText[],
): IdentityRules {
  const decided = decisions.flatMap(({ id, kind, a, b }): Statement[] => {
    const [one, other] = [readMark(a), readMark(b)];
    return one && other ? [{ kind, a: one, b: other, by: "decision", origin: id }] : [];
  });
  const said = { statements: [...statements, ...decided], names, classes };
  return { ...said, fingerprint: Bun.hash(JSON.stringify(said)).toString(36) };
}

export type Spelling = Pick<Persona, "name" | "email" | "rawEmail" | "account">;

/** Whether a mark means this spelling. */
export function fits({ name, address, account }: Mark, spelling: Spelling): boolean {
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
export function openSpellings(personas: readonly Persona[]) {
  const byKey = new Map<string, Persona[]>();
  const add = (key: string, persona: Persona): void => {
    const held = byKey.get(key);
    if (!held) byKey.set(key, [persona]);
    else if (held.at(-1) !== persona) held.push(persona);
  };
  for (const persona of personas) {
    add(`address:${persona.email}`, persona);
    add(`address:${persona.rawEmail}`, persona);
    if (persona.account) add(`login:${persona.account.login.toLowerCase()}`, persona);
    add(`name:${foldName(persona.name)}`, persona);
  }
  return {
    /** In the order of the personas given. */
    fitting: (mark: Mark): readonly Persona[] => {
      const { name, address, account } = mark;
      const key = account
        ? `login:${account.login}`
        : address !== undefined
          ? `address:${address}`
          : `name:${foldName(name ?? "")}`;
      return (byKey.get(key) ?? []).filter((persona) => fits(mark, persona));
    },
  };
}
