/**
 * A selector is a text that names authors: `Name <address>`, `Name`, `address`, `github.com/login`, `@login` for any forge, or
 * `*@example.com` for a domain.
 */
import { normaliseAddress } from "./address.ts";

export interface Selector {
  /** The name as it was written. */
  readonly name: string | undefined;
  /** The address in lower case. Empty selects commits without an address. */
  readonly address: string | undefined;
  /** The account in lower case. Without a forge, the login is meant on any forge. */
  readonly account: { readonly forge: string | undefined; readonly login: string } | undefined;
}

export function parseSelector(text: string): Selector | undefined {
  const trimmed = text.trim();
  const [, name, inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(trimmed) ?? [];
  if (name !== undefined && inBrackets !== undefined) {
    const who = inBrackets.trim();
    // Without a name, an empty address would select everyone without an address.
    return who === "" && name.trim() === "" ? undefined : toSelector(who, name.trim() || undefined);
  }
  if (trimmed === "" || /[<>]/.test(trimmed)) return undefined;
  const isName = !/@/.test(trimmed) && !accountForm.test(trimmed);
  return isName ? { name: trimmed, address: undefined, account: undefined } : toSelector(trimmed);
}

/** Formats a selector as text that `parseSelector` reads. */
export function formatSelector({ name, address, account }: Selector): string {
  const who = account ? `${account.forge ? `${account.forge}/` : "@"}${account.login}` : address;
  if (who === undefined) return name ?? "";
  return name === undefined && who !== "" && /@|\//.test(who)
    ? who
    : `${name ?? ""} <${who}>`.trim();
}

export function foldName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, " ");
}

function toSelector(who: string, name?: string): Selector {
  const [, forge, login] = accountForm.exec(who) ?? loginForm.exec(who) ?? [];
  if (login !== undefined) {
    const account = { forge: forge?.toLowerCase() || undefined, login: login.toLowerCase() };
    return { name, address: undefined, account };
  }
  return { name, address: normaliseAddress(who), account: undefined };
}

const accountForm =
  /^([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?)\/([a-z0-9][a-z0-9._-]*(?:\[bot\])?)$/i;
const loginForm = /^@()([a-z0-9][a-z0-9._-]*(?:\[bot\])?)$/i;
