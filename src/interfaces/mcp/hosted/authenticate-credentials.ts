import { type Identity, isKey, readBearerCredentials } from "../../../accounts/accounts.ts";
import type { Modules } from "../../../operations/operation.ts";

/** The part of browser sign-in that this interface asks. */
export interface TokenAuthenticator {
  /**
   * Who gave an assistant this access token, if it was issued for `resource`.
   * @returns `undefined` for an unknown, expired or revoked token, and for one of another resource.
   */
  authenticateToken(token: string, resource: string): Promise<Identity | undefined>;
}

export interface McpCredentials {
  readonly accounts: Modules["accounts"];
  readonly signIn: TokenAuthenticator;
  /** Whether an API key opens this endpoint too (decision 30). */
  readonly acceptsKeys: boolean;
}

/**
 * Who sends this request: the holder of a token of the browser sign-in, issued for this endpoint; or of an API key.
 *
 * @returns `undefined` for every cause alike, so that a guesser learns nothing (decision 27).
 */
export async function authenticateCredentials(
  headers: Headers,
  resource: string,
  { accounts, signIn, acceptsKeys }: McpCredentials,
): Promise<Identity | undefined> {
  const presented = readBearerCredentials(headers);
  if (!presented) return undefined;
  const { header, secret } = presented;
  if (isKey(secret)) return acceptsKeys ? accounts.authenticate(secret) : undefined;
  return header === "authorization" ? signIn.authenticateToken(secret, resource) : undefined;
}
