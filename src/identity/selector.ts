/**
 * How a spelling of an author is named by an operator's file, by a decision and on the command line:
 * `Name <address>`, an address, an account as `github.com/login`, a login of any forge as `@login`,
 * every address of a domain as `*@example.com`, or a name alone.
 */
import { normaliseAddress } from "./address.ts";

export interface Selector {
  /** As written; compared without regard to case and width of spaces. */
  readonly name: string | undefined;
  /** Normalised; may be empty, as in commits that name none. */
  readonly address: string | undefined;
  /** Lower case; without a forge it is that login of any. */
  readonly account: { readonly forge: string | undefined; readonly login: string } | undefined;
}

/** @returns undefined for a blank text, or one with brackets in other places. */
export function parseSelector(text: string): Selector | undefined {
  const trimmed = text.trim();
  const [, name, inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(trimmed) ?? [];
  if (name !== undefined && inBrackets !== undefined) {
    const who = inBrackets.trim();
    // Without a name, an empty address would be everybody's who has none.
    return who === "" && name.trim() === "" ? undefined : asMark(who, name.trim() || undefined);
  }
  if (trimmed === "" || /[<>]/.test(trimmed)) return undefined;
  const isName = !/@/.test(trimmed) && !accountForm.test(trimmed);
  return isName ? { name: trimmed, address: undefined, account: undefined } : asMark(trimmed);
}

/** The text by which `readMark` reads it again. */
export function formatSelector({ name, address, account }: Selector): string {
  const who = account ? `${account.forge ? `${account.forge}/` : "@"}${account.login}` : address;
  if (who === undefined) return name ?? "";
  return name === undefined && who !== "" && /@|\//.test(who)
    ? who
    : `${name ?? ""} <${who}>`.trim();
}

/** The form in which names are compared. */
export function foldName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, " ");
}

function asMark(who: string, name?: string): Selector {
  const [, forge, login] = accountForm.exec(who) ?? loginForm.exec(who) ?? [];
  if (login !== undefined) {
    const account = { forge: forge?.toLowerCase() || undefined, login: login.toLowerCase() };
    return { name, address: undefined, account };
  }
  return { name, address: normaliseAddress(who), account: undefined };
}

const accountForm = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)\/([a-z0-9][a-z0-9._-]*(?:\[bot\])?)$/i;
const loginForm = /^@()([a-z0-9][a-z0-9._-]*(?:\[bot\])?)$/i;
