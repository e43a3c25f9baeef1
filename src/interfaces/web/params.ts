/**
 * The words of a path that a template such as `/admin/accounts/:id` leaves open, decoded once.
 *
 * @returns `undefined` when the path is not of this form; a word that cannot be decoded is empty, and names nothing.
 */
export function matchPath(template: string, pathname: string): Record<string, string> | undefined {
  const words = pathname.split("/");
  const segments = template.split("/");
  if (words.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const word = words[index] ?? "";
    if (segment.startsWith(":")) params[segment.slice(1)] = decoded(word);
    else if (segment !== word) return undefined;
  }
  return params;
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return "";
  }
}
