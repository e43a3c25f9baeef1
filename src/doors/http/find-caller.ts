import type { Caller } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import type { Rooms } from "../../operations/operation.ts";

/**
 * Who sends this request.
 *
 * @throws Problem unauthorized, the same for every cause, so that a guesser learns nothing (decision 27).
 */
export function findCaller(request: Request, requestId: string, { accounts }: Rooms): Caller {
  const key = keyOf(request.headers);
  const identity = key === undefined ? undefined : accounts.authenticate(key);
  if (!identity) throw new Problem("unauthorized");
  const { accountId, plan, credential } = identity;
  return { accountId, plan, credential, requestId };
}

/**
 * The key, when exactly one of the two header forms carries it. A header sent twice arrives joined
 * by a comma, which no key contains. The query string and cookies are never looked at.
 */
function keyOf(headers: Headers): string | undefined {
  const authorization = headers.get("authorization");
  const apiKey = headers.get("x-api-key");
  if (authorization !== null && apiKey !== null) return undefined;
  const text = authorization === null ? apiKey : /^bearer +(.*)$/i.exec(authorization)?.[1];
  return text && /^[^\s,]+$/.test(text) ? text : undefined;
}
