/** Where somebody may be led after signing in: back to the page that asked for it, and nowhere else. */
import type { Page } from "./page.ts";

/**
 * @returns whether a path with its query is the home or a page for who is signed in. Another address would make the
 * sign-in an open redirect.
 */
export function createWayBack(pages: readonly Page[]): (path: string) => boolean {
  const ways = pages
    .filter(({ who, path }) => who !== "anyone" || path === "/")
    .map(({ path }) => new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`));
  return (path) => isPlain(path) && ways.some((way) => way.test(new URL(path, here).pathname));
}

const here = "http://roster.invalid";

/** Only what a browser would not read as something else: `//host`, `/account/../other`, and their like. */
function isPlain(path: string): boolean {
  if (!URL.canParse(path, here)) return false;
  const { origin, pathname, search } = new URL(path, here);
  return origin === here && pathname + search === path;
}
