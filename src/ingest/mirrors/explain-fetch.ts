/** Explains why a server could not be asked or fetched from, and what helps. */
import { Fault, isFault } from "../../contract/fault.ts";
import { RepositoryFault } from "../git/repository/refusal.ts";

/** A server that could not be asked, or a repository that could not be fetched. */
export class FetchFault extends RepositoryFault {
  /** What to change: the address, or what the server takes as proof. */
  readonly field: "address" | "token";

  constructor(reason: string, remedy: string, field: FetchFault["field"] = "address") {
    super(reason, remedy);
    this.field = field;
  }
}

/** Explains a Fault of git, of a forge's client or of a token file. Other errors are returned unchanged. */
export function explainFetch(error: unknown, host: string, hasToken: boolean): unknown {
  if (error instanceof RepositoryFault || !(error instanceof Fault)) return error;
  const name = (words: string) => words.replace("HOST", host || "this machine");
  const said = quote(error);
  const found = [hasToken ? refused : needed, ...known].find(([pattern]) => pattern.test(said));
  if (found) return new FetchFault(name(found[1]), name(found[2]), found[3]);
  const reason = error.message.replace("The forge of source ", "").replace(/[^.]$/, "$&.");
  if (isFault(error, "git") || isFault(error, "forge")) return new FetchFault(reason, again);
  return new FetchFault(reason, "Write the token alone into that file, with mode 0600.", "token");
}

/** Returns what git has said, or the codes of another fault. */
function quote({ code, message, cause }: Fault): string {
  if (code === "git") return `${message}\n${String(cause)}`;
  const { name, code: reason } = (cause ?? {}) as Partial<Record<"name" | "code", string>>;
  return `${code} ${name} ${reason}`;
}

export function isRedirected(error: unknown): boolean {
  return isFault(error, "git") && redirected.test(String(error.cause));
}

const redirected = /returned error: 3\d\d|unable to update url base from redirection/;
const again = "Try again later. What was read before stays.";

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

/** Explanations by git's message, or by the codes of a connection's error; the first matching pattern counts. */
const known: readonly Explanation[] = [
  [
    /^time_limit|^forge TimeoutError/,
    "HOST does not answer in time.",
    "Try again later, and check whether a firewall stands between.",
  ],
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
  [
    /Could not resolve host|ENOTFOUND|EAI_AGAIN/i,
    "no host has the name HOST.",
    "Check how the address is written.",
  ],
  [
    /Failed to connect|Couldn't connect|(?:Connection ?|ECONN)(?:refused|timed out|reset|closed)|No route to host/i,
    "HOST cannot be reached.",
    "Check the address, its port, and whether a firewall or proxy stands between.",
  ],
  [
    /EPROTO|wrong version number/,
    "HOST does not speak TLS.",
    "Check the port, or type http:// before the name.",
  ],
  [
    /certificate|SSL|TLS|CERT|SELF_SIGNED|UNABLE_TO/,
    "the certificate of HOST is not trusted.",
    "Name a file with its authority in GIT_SSL_CAINFO for git and in SSL_CERT_FILE for forges, and start Roster again.",
  ],
  [/No space left/i, "no space is left on the disk of the mirrors.", "Free some there."],
  [/it is larger than/, "it is larger than the limit.", "Read a clone of your own."],
];
