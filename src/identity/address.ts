/**
 * Decides what an e-mail address proves. A forge's noreply address names an account. A generic address such as `root@localhost`
 * proves nothing, and must never merge two people.
 */
import lists from "../../seed/names.json" with { type: "json" };
import { isDeletedName } from "./person-name.ts";

export interface ForgeAccount {
  /** Host of the forge, such as github.com. */
  readonly forge: string;
  readonly login: string;
  /** The forge's number for the account. It does not change with the login. */
  readonly id: string | undefined;
}

export function normaliseAddress(address: string): string {
  return address
    .trim()
    .replace(/^[<"']+/, "")
    .replace(/(?<![>"'])[>"']+$/, "")
    .toLowerCase();
}

/**
 * Parses a noreply address of a known host: `ID+login@`, `ID-login@` or `login@`.
 * @param hosts the forge of each host of noreply addresses.
 */
export function parseKnownNoreply(
  address: string,
  hosts: ReadonlyMap<string, string>,
): ForgeAccount | undefined {
  const at = address.lastIndexOf("@");
  const forge = hosts.get(address.slice(at + 1).toLowerCase());
  const [, id, login = ""] = /^(?:(\d+)[+-])?(.+)$/.exec(address.slice(0, Math.max(at, 0))) ?? [];
  if (forge === undefined || !loginForm.test(login)) return undefined;
  return { forge, login, id };
}

const loginForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}(\[bot\])?$/;

/** Parses `ID+login@users.noreply.HOST` of GitHub, `ID-login@users.noreply.HOST` of GitLab, or `login@noreply.HOST` of Gitea. */
export function parseNoreplyAddress(address: string): ForgeAccount | undefined {
  const at = address.lastIndexOf("@");
  if (at < 1) return undefined;
  const host = address.slice(at + 1).toLowerCase();
  const local = address.slice(0, at);
  const ofUsers = /^users\.noreply\.(.[^.\r\n]*\..+)$/.exec(host)?.[1];
  const ofServer = /^noreply\.(.[^.\r\n]*\..+)$/.exec(host)?.[1];
  const forge = ofUsers ?? ofServer;
  if (!forge) return undefined;
  const form = forge.startsWith("gitlab.") ? /^(?:(\d+)-)?(.+)$/ : /^(?:(\d+)\+)?(.+)$/;
  const [, id, login = ""] = form.exec(local) ?? [];
  if (!loginForm.test(login)) return undefined;
  if (genericLocals.has(login.toLowerCase())) return undefined;
  return { forge, login, id };
}

/** Whether an address identifies nobody, such as `root@localhost`. */
export function isGenericAddress(address: string): boolean {
  const at = address.lastIndexOf("@");
  if (at < 1) return true;
  const local = address.slice(0, at).toLowerCase();
  const host = address.slice(at + 1).toLowerCase();
  return (
    genericLocals.has(local.split("+")[0] ?? local) ||
    // This is a mistyped noreply address such as `ada@users.noreply@github.com`.
    local.includes("@") ||
    (/(^|[.@])no-?reply[.@]/.test(`${local}@${host}`) && !parseNoreplyAddress(address)) ||
    !/^[a-z0-9\u0080-\uffff.-]+\.[a-z\u0080-\uffff]{2,}$|\.xn--[a-z0-9-]+$/.test(host) ||
    /(^|\.)(localhost|localdomain|local|lan|home|internal|intranet|none|invalid|fritz\.box|arpa|localnet|workgroup)$/.test(
      host,
    ) ||
    /^(localhost|none|unknown)\./.test(host) ||
    uuid.test(host) ||
    (/^(email|mail|example|domain|yourdomain|company|server)\.(com|org|net)$/.test(host) &&
      placeholders.has(local))
  );
}

/** Whether an address does not identify its author: it is generic, or belongs to a mailing list or a deleted account. */
export function isUnusableAddress({ name, email }: Record<"name" | "email", string>): boolean {
  return isGenericAddress(email) || isRelayed(name) || isDeletedName(name);
}

/** Whether a mailing list wrote the name, as in `Ada Example via List`. The address is then that of the list. */
export function isRelayed(name: string): boolean {
  return /\S via \S/i.test(name);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a local part or nickname names a function or service, not a person: `contact`, `github.com`, `dev2`. */
export function isFunctionName(text: string): boolean {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const isFunction = (word: string) => functions.has(word.toLowerCase().replace(/(?<!\d)\d+$/, ""));
  return isFunction(words.join("")) || words.every(isFunction);
}

const genericLocals = new Set(lists.generic);
const functions = new Set(
  [...lists.generic, ...lists.placeholders, ...lists.functions].map((text) =>
    text.replace(/[^\p{L}\p{N}]+/gu, ""),
  ),
);

const placeholders = new Set(lists.placeholders);
