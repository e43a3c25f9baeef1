/** What a request presents to prove who sends it, before anybody looks whether it is good. */
export interface BearerCredentials {
  readonly header: "authorization" | "x-api-key";
  /** A key, a token, or nonsense. */
  readonly secret: string;
}

/**
 * The secret, when exactly one of the two header forms carries one (decision 27). A header sent twice arrives
 * joined by a comma, which no secret contains. The query string and cookies are never looked at.
 */
export function readBearerCredentials(headers: Headers): BearerCredentials | undefined {
  const authorization = headers.get("authorization");
  const apiKey = headers.get("x-api-key");
  if (authorization !== null && apiKey !== null) return undefined;
  const header = authorization === null ? "x-api-key" : "authorization";
  const secret = authorization === null ? apiKey : /^bearer +([^ ].*)$/i.exec(authorization)?.[1];
  return secret && /^[^\s,]+$/.test(secret) ? { header, secret } : undefined;
}
