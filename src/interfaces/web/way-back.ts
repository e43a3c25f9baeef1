/** Where somebody may be led after signing in: back to the page that asked for it, and nowhere else. */
import type { Page } from "./page.ts";

/**
 * @returns whether a path with its query is the home or a page for who is signed in. Another address would make the
 * sign-in an open redirect.
 */
export function createWayBack(pages: readonly Page[]): (path: string) => boolean {
  const ways = pages
    .filter(({ who, path }) => who !== "anyone" || path === "/")
    .map(({ path }) => path.split("/"));
  return (path) => {
    if (!isPlain(path)) return false;
    const parts = new URL(path, here).pathname.split("/");
    return ways.some((way) => way.length === parts.length && way.every(isLike(parts)));
  };
}

/** A `:word` of a page's path stands for anything but nothing. */
const isLike = (parts: readonly string[]) => (part: string, at: number) =>
  part.startsWith(":") ? parts[at] !== "" : part === parts[at];

const here = "http://roster.invalid";

/** Only what a browser would not read as something else: `//host`, `/account/../other`, and their like. */
function isPlain(path: string): boolean {
  if (!URL.canParse(path, here)) return false;
  const { origin, pathname, search } = new URL(path, here);
  return origin === here && pathname + search === path;
}
