/** Parses addresses of git repositories on servers. The rules are strict: git receives the address, and its parts name folders. */
import { cutText } from "./complaint.ts";
import { Fault } from "./fault.ts";

const protocols = ["https", "ssh", "http", "file"] as const;

export interface GitAddress {
  readonly protocol: (typeof protocols)[number];
  /** The address for git. It contains no password. */
  readonly url: string;
  /** Host, and port if there is one, in small letters; empty for `file`. */
  readonly host: string;
  /** Relative path for the mirror, such as `git.example.com+3000/acme/tool.git`. */
  readonly place: string;
}

/** Whether a text names a protocol or a server's user, so that it is no path on this machine. */
export function isGitAddress(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/|:)|^[^/@]*@[^/]*:|^[^/@:]*:[^/@]*@/.test(text);
}

/**
 * @param allowed protocols besides https and ssh.
 * @throws Fault `usage` that says what would be right. It shows no user, password or query, because these may be secret.
 */
export function parseGitAddress(
  text: string,
  allowed: readonly GitAddress["protocol"][] = [],
): GitAddress {
  const refuse = (rule: string) =>
    new Fault("usage", `the address "${cutText(hideSecrets(text))}" ${rule}`);
  if (text.length > lengthMax || !/^[\x21-\x7e]+$/.test(text)) {
    throw refuse(`must have at most ${lengthMax} letters of ASCII and no spaces`);
  }
  const [, given, user, named, port, path] = split(text);
  const protocol = protocols.find((one) => one === given);
  if (!protocol) throw refuse("must begin with https:// or ssh://, or be USER@HOST:PATH");
  if (user !== undefined && (protocol !== "ssh" || user.includes(":"))) {
    throw refuse("must have no password, and no user at https: put a token into a file");
  }
  if (!["https", "ssh", ...allowed].includes(protocol)) {
    const why =
      protocol === "http" ? "plain http protects nothing on its way" : "it names a folder here";
    throw refuse(`must begin with https:// or ssh://, or --allow ${protocol} be given: ${why}`);
  }
  const host = named?.toLowerCase() ?? "";
  const isHost = protocol === "file" ? host === "" : hostForm.test(host);
  if (!isHost || Number(port ?? 1) > 65_535 || !userForm.test(user ?? "git")) {
    throw refuse("must have the name of a host, or none after file://");
  }
  const parts = (path ?? "").replace(/(?<!\/)\/+$/, "").split("/");
  const folders = parts.map((part, at) => (at < parts.length - 1 ? part : cutEnding(part)));
  if (!folders.every((part) => partForm.test(part) && !/^\.+$|\.git$/i.test(part))) {
    throw refuse("must end in the path of a repository, such as /acme/tool or /acme/tool.git");
  }
  const home = user === undefined || user === "git" ? "" : `${user}@`;
  const server = `${host}${port === undefined ? "" : `:${port}`}`;
  const isShort = !text.includes("://");
  return {
    protocol,
    url: isShort
      ? `${user}@${host}:${text.slice(text.indexOf(":") + 1)}`
      : `${protocol}://${user === undefined ? "" : `${user}@`}${server}/${parts.join("/")}`,
    host: server,
    place: `${home}${server.replaceAll(":", "+") || "localhost"}/${folders.join("/")}.git`,
  };
}

const lengthMax = 500;
const hostForm = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;
const userForm = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
/** Percent signs may stand for spaces and for letters beyond ASCII, as at Azure DevOps. */
const partForm = /^(?:[A-Za-z0-9_.~](?:[A-Za-z0-9_.~+-]|%20|%[89A-F][0-9A-F]){0,199})$/i;

const cutEnding = (name: string) => name.replace(/(?<=.)\.git$/, "");

/** @returns the whole, and the protocol, user, host, port and path. All are undefined if the text has another form. */
function split(text: string): readonly (string | undefined)[] {
  const [whole, user, host, path] = /^([^/@:]+)@([^/@:]+):(?!\/\/)\/?(.+)$/.exec(text) ?? [];
  if (whole) return [whole, "ssh", user, host, undefined, path];
  const url = /^([A-Za-z]+):\/\/(?:([^/]*)@)?([^/:@[]*|\[[^/\]]*\])(?::(\d{1,5}))?\/(.*)$/;
  const [all, protocol, ...rest] = url.exec(text) ?? [];
  return [all, protocol?.toLowerCase(), ...rest];
}

/** Removes everything before the last `@`, and everything after a question mark or number sign. */
function hideSecrets(text: string): string {
  const at = text.lastIndexOf("@");
  const end = text.slice(at + 1).replace(/[?#].*$/s, "…");
  return at < 0 ? end : `…@${end}`;
}
