/** The path of the public address, without a trailing slash: `/roster`, or empty. */
export function getBasePath(publicUrl: string): string {
  const { pathname } = new URL(publicUrl);
  return pathname === "/" ? "" : pathname;
}

/**
 * How a cookie is named and where it is sent. Under https its name begins with `__Host-`, so that no other host and no
 * plain http can set it; on plain http browsers refuse that prefix, so there it has none. Below a path it goes to that
 * path only, for which `__Secure-` is the strictest prefix that browsers take.
 */
export function describeCookieScope(publicUrl: string) {
  const isSecure = publicUrl.startsWith("https:");
  const path = getBasePath(publicUrl) || "/";
  const prefix = !isSecure ? "" : path === "/" ? "__Host-" : "__Secure-";
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return { isSecure, path, prefix, attributes };
}
