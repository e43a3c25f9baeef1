/** Decides where sign-in and forms may send a browser back to: only to pages of Roster. */
import type { Page } from "./page.ts";

/** Creates a function that accepts only the start page and pages for signed-in users, so that sign-in is no open redirect. */
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

/** Whether browsers use the path unchanged. They would read `//host` as another site, and `/account/../other` as `/other`. */
function isPlain(path: string): boolean {
  if (!URL.canParse(path, here)) return false;
  const { origin, pathname, search } = new URL(path, here);
  return origin === here && pathname + search === path;
}
