import { readBearerCredentials } from "../../accounts/accounts.ts";
import type { Caller } from "../../contract/caller.ts";
import type { RequestMetadata } from "../../contract/http/route.ts";
import { Problem } from "../../contract/problem.ts";
import type { Modules } from "../../operations/operation.ts";

/**
 * Who sends this request: the holder of an API key. Tokens of the browser sign-in open nothing here.
 *
 * @throws Problem unauthorized, the same for every cause, so that a guesser learns nothing (decision 27).
 */
export async function authenticateKey(
  request: Request,
  visit: RequestMetadata,
  { accounts }: Modules,
): Promise<Caller> {
  const presented = readBearerCredentials(request.headers);
  const identity = presented && (await accounts.authenticate(presented.secret));
  if (!identity) throw new Problem("unauthorized");
  const { accountId, plan, credential } = identity;
  return { accountId, plan, credential, ...visit };
}
