/** Says why an address or a token could not be used, and what would be right. */
import { Fault, isFault } from "../../contract/fault.ts";
import { ForgeOverload, ForgePause } from "../forges/forge.ts";
import { RepositoryFault } from "../git/repository/refusal.ts";
import { explainFetch, FetchFault } from "../mirrors/explain-fetch.ts";

/** @param host with its port; empty if none was found. @throws the error if neither the server nor the input is its reason. */
export function explainProbe(error: unknown, host: string, hasToken: boolean) {
  const fault = explainFetch(toFault(error as Error), host, hasToken);
  if (!(fault instanceof RepositoryFault)) throw error;
  const words = `${fault.message} ${fault.remedy}`.replace(/^(?:the|it|no) /, toCapital).trim();
  const field: FetchFault["field"] = fault instanceof FetchFault ? fault.field : "address";
  return { field, message: host === "" ? words : words.replaceAll("HOST", host) };
}

const toCapital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Turns what only a forge or a typed address causes into faults. */
function toFault(error: Error): Error {
  if (isFault(error, "usage")) return new FetchFault(`${error.message}.`, "");
  if (error.name === "TimeoutError") return new Fault("time_limit", error.message);
  if (error instanceof ForgeOverload) {
    return new FetchFault("HOST is overloaded or down.", "Try again later.");
  }
  if (error instanceof ForgePause) {
    const until = new Date(error.until).toISOString().slice(0, 16).replace("T", " ");
    return new FetchFault(`HOST allows no more requests before ${until} UTC.`, "Try again then.");
  }
  if (!(error.cause instanceof URL)) return error;
  return new FetchFault(
    `HOST redirects to ${error.cause.origin}, and Roster does not follow.`,
    "If that is the right server, type its address.",
  );
}
