/**
 * The session's cookie. Under https its name begins with `__Host-`, so that no other host and no plain http can
 * set it; on plain http browsers refuse that prefix, so there it has none.
 */
export interface SessionCookie {
  readonly isSecure: boolean;
  readonly prefix: string;
  readonly name: string;
  /** Tells the browser to forget it. */
  readonly removal: string;
}

export function describeSessionCookie(publicUrl: string): SessionCookie {
  const isSecure = publicUrl.startsWith("https:");
  const prefix = isSecure ? "__Host-roster" : "roster";
  // The library's own pattern of names.
  const name = `${prefix}.session_token`;
  const removal = `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return { isSecure, prefix, name, removal };
}

/** The token in a request's cookie; the signature behind it is for the library. */
export function readSessionToken(request: Request, { name }: SessionCookie): string | undefined {
  const cookies = new Bun.CookieMap(request.headers.get("cookie") ?? "");
  return /^[0-9A-Za-z]{16,64}(?=\.)/.exec(cookies.get(name) ?? "")?.[0];
}
