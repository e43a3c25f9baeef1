/** Decides where a browser may go after signing in: back to the page that required it, and nowhere else. */
import type { Page } from "./page.ts";

/**
 * @returns whether a path with its query is the home or a page for signed-in visitors. Other addresses would make the
 *   sign-in an open redirect.
 */
export function createReturnPathCheck(pages: readonly Page[]): (path: string) => boolean {
  const ways = pages
    .filter(({ audience, path }) => audience !== "anyone" || path === "/")
    .map(({ path }) => path.split("/"));
  return (path) => {
    if (!isPlain(path)) return false;
    const parts = new URL(path, here).pathname.split("/");
    return ways.some((way) => way.length === parts.length && way.every(isLike(parts)));
  };
}

/** A `:word` in the path of a page matches any part that is not empty. */
const isLike = (parts: readonly string[]) => (part: string, at: number) =>
  part.startsWith(":") ? parts[at] !== "" : part === parts[at];

const here = "http://roster.invalid";

/** Whether browsers use the path unchanged. They read `//host` as another site and shorten `/account/../other`. */
function isPlain(path: string): boolean {
  if (!URL.canParse(path, here)) return false;
  const { origin, pathname, search } = new URL(path, here);
  return origin === here && pathname + search === path;
}
