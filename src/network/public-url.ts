/** The path of the public URL, without a trailing slash: `/roster`, or empty. */
export function getBasePath(publicUrl: string): string {
  const { pathname } = new URL(publicUrl);
  return pathname === "/" ? "" : pathname;
}

/**
 * The name and the scope of a cookie. Under https its name begins with `__Host-`, so that neither another host nor plain http
 * can set it. On plain http browsers refuse that prefix, so there is none. Below a path the cookie goes to that path only, for
 * which `__Secure-` is the strictest prefix that browsers accept.
 */
export function describeCookieScope(publicUrl: string) {
  const isSecure = publicUrl.startsWith("https:");
  const path = getBasePath(publicUrl) || "/";
  const prefix = !isSecure ? "" : path === "/" ? "__Host-" : "__Secure-";
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return { isSecure, path, prefix, attributes };
}
