/**
 * Tells an open page of the search that the people have changed. The page's script asks; only the revision of the index is
 * compared, so the answer costs no call and tells of no search.
 */
import { defineSignedInPage, type SignedInRequest } from "../page.ts";

const findRevision = ({ modules }: SignedInRequest) => modules.index.generation?.revision ?? 0;

/** The address at which the script of the page asks, relative to that of the search: a base path comes before both. */
export const formatNewsPath = (ask: SignedInRequest): string =>
  `search/news?revision=${findRevision(ask)}`;

/** `{"isNew"}` */
export const newsPage = defineSignedInPage({
  path: "/search/news",
  show: (ask) => {
    const isNew = ask.url.searchParams.get("revision") !== String(findRevision(ask));
    return { content: JSON.stringify({ isNew }), type: "application/json" };
  },
});
