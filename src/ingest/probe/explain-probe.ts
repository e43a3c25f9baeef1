/** Says why an address or a token could not be used, and what would be right. */
import { isFault } from "../../contract/fault.ts";
import { ForgeOverload, ForgePause } from "../forges/forge.ts";
import { RepositoryFault } from "../git/repository/refusal.ts";
import { FetchFault } from "../mirrors/explain-fetch.ts";

/** @param host with its port; empty if none was found. @throws the error if neither the server nor the input is its reason. */
export function explainProbe(error: unknown, host: string) {
  const words = explainError(error as Error)?.replace(/^(the|it|no) /, toCapital);
  if (words === undefined) throw error;
  const field: FetchFault["field"] = error instanceof FetchFault ? error.field : "address";
  return { field, message: host === "" ? words : words.replaceAll("HOST", host) };
}

const toCapital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function explainError(error: Error): string | undefined {
  if (error instanceof RepositoryFault) {
    return `${error.message} ${error.remedy.replace(/^A later run tries .*/, "Try again later.")}`;
  }
  if (isFault(error, "usage")) return `${error.message}.`;
  if (error instanceof ForgeOverload) return "HOST is overloaded or down. Try again later.";
  if (error instanceof ForgePause) {
    const until = new Date(error.until).toISOString().slice(0, 16).replace("T", " ");
    return `HOST allows no more requests before ${until} UTC. Try again then.`;
  }
  const cause = (error.cause ?? error) as { readonly name?: string; readonly code?: string };
  if (cause instanceof URL) {
    return `HOST redirects to ${cause.origin}, and Roster does not follow. If that is the right server, type its address.`;
  }
  const known = connections.find(([pattern]) => pattern.test(`${cause.name} ${cause.code}`));
  if (known) return known[1];
  return isFault(error, "forge") ? error.message.replace("The forge of source ", "") : undefined;
}

/** Explanations by the name and the code of a connection's error; the first matching pattern counts. */
const connections: readonly (readonly [RegExp, string])[] = [
  [
    /^TimeoutError/,
    "HOST does not answer in time. Check the address, and whether a firewall stands between.",
  ],
  [/REFUSED/, "HOST refuses the connection. Check the address and its port."],
  [/ENOTFOUND|EAI_AGAIN/, "No server has the name HOST. Check how it is written."],
  [/EPROTO/, "HOST does not speak TLS. Check the port, or type http:// before the name."],
  [
    /CERT|SELF_SIGNED|UNABLE_TO/,
    "The certificate of HOST is not trusted. Name a file with its authority in SSL_CERT_FILE, and start Roster again.",
  ],
];
