/**
 * Tells an open page of the search that other people have come to it. The page's script asks; the index counts, so it
 * costs no call.
 */
import { formatPeople } from "../look/format.ts";
import { defineSignedInPage, type SignedInRequest } from "../page.ts";
import { formatQuery, readFilters, type SearchFilters } from "./search-query.ts";
import { countPeople } from "./suggested-searches.ts";

/** What an open page shows, for `newsPage`. */
export interface ShownPeople {
  /** Revision of the index. */
  readonly revision: number;
  readonly people: number;
  readonly hasDemo: boolean;
}

/**
 * The address at which the script of the page asks, relative to that of the search: a base path comes before both.
 *
 * @param found how many people the search has found, where it was run.
 */
export async function formatNewsPath(
  ask: SignedInRequest,
  filters: SearchFilters,
  found?: number,
): Promise<string> {
  const { revision, people, hasDemo } = await countShown(ask, filters, found);
  const shown = { revision: String(revision), people: String(people), demo: hasDemo ? "yes" : "" };
  const query = formatQuery({ ...filters, offset: 0 });
  return `search/news?${new URLSearchParams(shown)}${query && `&${query}`}`;
}

async function countShown(
  ask: SignedInRequest,
  filters: SearchFilters,
  found?: number,
): Promise<ShownPeople> {
  const revision = ask.modules.operating.search.generation?.revision ?? 0;
  const people = revision === 0 ? 0 : (found ?? (await countPeople(ask, filters)));
  return { revision, people, hasDemo: (await ask.modules.countDemoPeople()) > 0 };
}

/** `{"text"}`: empty as long as there is nothing to tell. */
export const newsPage = defineSignedInPage({
  path: "/search/news",
  show: async (ask) => {
    const { searchParams } = ask.url;
    const shown = {
      revision: Number(searchParams.get("revision")),
      people: Number(searchParams.get("people")),
      hasDemo: searchParams.get("demo") === "yes",
    };
    const isSame = ask.modules.operating.search.generation?.revision === shown.revision;
    const text = isSame
      ? ""
      : describeNews(shown, await countShown(ask, readFilters(searchParams)));
    return { content: JSON.stringify({ text }), type: "application/json" };
  },
});

/** @package */
export function describeNews(shown: ShownPeople, now: ShownPeople): string {
  if (shown.hasDemo && !now.hasDemo) {
    return `Your own people have taken the place of the invented ones: ${formatPeople(now.people).toLowerCase()}`;
  }
  const more = now.people - shown.people;
  if (more > 0) {
    return `${formatPeople(more)} ${more === 1 ? "is" : "are"} new since you opened this page`;
  }
  return more < 0 ? "Some of these people have gone since you opened this page" : "";
}
