import { Problem } from "../problem.ts";

/**
 * Holds path and query to percent-encoded UTF-8 (decision 8). Bun has put U+FFFD in place of each raw byte that is
 * none before anybody sees it, so a U+FFFD is refused too, even where the caller encoded one: nothing tells them apart.
 *
 * @throws Problem invalid_request
 */
export function requireDecodableUrl(url: string): void {
  if (decoded(url)?.includes("\uFFFD") === false) return;
  const message = "path and query must be percent-encoded UTF-8, without U+FFFD";
  throw new Problem("invalid_request", { message });
}

function decoded(url: string): string | undefined {
  try {
    return decodeURIComponent(url);
  } catch {
    return undefined;
  }
}
