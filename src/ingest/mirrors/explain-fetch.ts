/** Explains why git could not ask a server or fetch from it, and what helps. */
import { Fault, isFault } from "../../contract/fault.ts";
import type { GitAddress } from "../../contract/git-address.ts";
import { RepositoryFault } from "../git/repository/refusal.ts";

/** A repository that could not be fetched. */
export class FetchFault extends RepositoryFault {
  /** What to change: the address, or what the server takes as proof. */
  readonly field: "address" | "token";

  constructor(reason: string, remedy: string, field: FetchFault["field"] = "address") {
    super(reason, remedy);
    this.field = field;
  }
}

/** Explains a Fault of a fetch. Other errors, such as the reason of an abort, are returned unchanged. */
export function explainFetch(
  error: unknown,
  { host }: Pick<GitAddress, "host">,
  hasToken: boolean,
): unknown {
  if (error instanceof RepositoryFault || !(error instanceof Fault)) return error;
  const { code, message, cause } = error;
  const name = (words: string) => words.replace("HOST", host || "this machine");
  if (code === "time_limit") return new FetchFault(name("HOST does not answer in time."), again);
  if (code !== "git") {
    const remedy = "Write the token alone into that file, with mode 0600.";
    return new FetchFault(`${message}.`, remedy, "token");
  }
  const said = `${message}\n${String(cause)}`;
  const proof = hasToken ? refused : needed;
  const found = [proof, ...known].find(([pattern]) => pattern.test(said));
  if (!found) return new FetchFault(message.replace(/[^.]$/, "$&."), again);
  const [, reason, remedy, field] = found;
  return new FetchFault(name(reason), name(remedy), field);
}

/** Whether the server has answered with a redirect. */
export function isRedirected(error: unknown): boolean {
  return isFault(error, "git") && redirected.test(String(error.cause));
}

const redirected = /returned error: 3\d\d|unable to update url base from redirection/;
const again = "A later run tries again. What was read before stays.";

type Explanation = readonly [
  pattern: RegExp,
  reason: string,
  remedy: string,
  field?: FetchFault["field"],
];

const unproved =
  /could not read (?:Username|Password)|Authentication failed|returned error: 40[13]/;
const refused: Explanation = [
  unproved,
  "HOST refuses the token, or the token may not read this repository.",
  "Make a new token there that may read it.",
  "token",
];
const needed: Explanation = [
  unproved,
  "HOST shows no repository there without a token.",
  "Check how the address is written. A private repository needs a token in a file, or a credential helper of git.",
  "token",
];

/** Explanations by git's message; the first matching pattern counts. */
const known: readonly Explanation[] = [
  [
    redirected,
    "HOST sends to another address, and no redirect is followed.",
    "Name the repository by its present address.",
  ],
  [
    /Permission denied \(|Too many authentication failures/i,
    "HOST refuses the ssh keys of this user.",
    "Add the public key of the user that runs Roster there, and let ssh find the key without a question.",
    "token",
  ],
  [
    /Host key verification failed/,
    "ssh does not know the key of HOST.",
    "Connect to it once with ssh, as the user that runs Roster, and compare its key.",
  ],
  [
    /repository '[^']*' not found|does not appear to be a git repository|is this a git repository/,
    "HOST shows no repository there.",
    "Check how the address is written, and whether its token may read it.",
  ],
  [/Could not resolve host/i, "no host has the name HOST.", "Check how the address is written."],
  [
    /Failed to connect|Couldn't connect|Connection (?:refused|timed out|reset|closed)|No route to host/i,
    "HOST cannot be reached.",
    "Check the address, its port, and whether a firewall or proxy stands between.",
  ],
  [
    /certificate|SSL|TLS/,
    "the certificate of HOST is not trusted.",
    "Name a file with its authority in GIT_SSL_CAINFO.",
  ],
  [/No space left/i, "no space is left on the disk of the mirrors.", "Free some there."],
  [
    /it is larger than/,
    "it is larger than the limit.",
    "Raise the limit with --megabytes, or read a clone of your own.",
  ],
];
