/** @returns the path of the public URL, such as `/roster`, or an empty text if it has none. */
export function getBasePath(publicUrl: string): string {
  const { pathname } = new URL(publicUrl);
  return pathname === "/" ? "" : pathname;
}

/**
 * @returns the prefix of cookie names, and the cookies' attributes. Over https, the prefix is the strictest that browsers accept:
 * `__Host-`, or `__Secure-` with a path.
 */
export function describeCookieScope(publicUrl: string) {
  const isSecure = publicUrl.startsWith("https:");
  const path = getBasePath(publicUrl) || "/";
  const prefix = !isSecure ? "" : path === "/" ? "__Host-" : "__Secure-";
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return { isSecure, path, prefix, attributes };
}
