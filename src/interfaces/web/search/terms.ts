/** Completes names in the fields of the search, for the page's script. It costs no call. */
import { limits } from "../../../contract/limits.ts";
import type { KnownTerm, TermKind } from "../../../contract/terms.ts";
import { defineSignedInPage, type SignedInRequest } from "../page.ts";

const shownMax = 8;

const kinds: Readonly<Record<string, TermKind>> = {
  location: "place",
  skills: "skill",
  languages: "skill",
  repositories: "repository",
};

/** `{"terms": [{"name", "people"}]}`, at most eight, best first. */
export const termsPage = defineSignedInPage({
  path: "/search/terms",
  show: async (ask) => {
    const field = ask.url.searchParams.get("field") ?? "";
    const q = (ask.url.searchParams.get("q") ?? "").trim().slice(0, limits.textLengthMax);
    const kind = kinds[field];
    const terms = kind === undefined || q.length < 2 ? [] : await lookUp(ask, { field, q, kind });
    const type = "application/json";
    return { content: JSON.stringify({ terms: terms.slice(0, shownMax) }), type };
  },
});

async function lookUp(
  ask: SignedInRequest,
  { field, q, kind }: { readonly field: string; readonly q: string; readonly kind: TermKind },
): Promise<readonly Pick<KnownTerm, "name" | "people">[]> {
  const isLanguages = field === "languages";
  const limit = isLanguages ? limits.termsMax : shownMax;
  const answer = await ask.calls.perform(
    ask,
    "lookup_terms",
    { q, kind, limit },
    (data) => data.terms,
  );
  if (!answer.ok) throw answer.problem;
  const terms = answer.shown;
  if (!isLanguages) return terms.map(({ name, people }) => ({ name, people }));
  // Languages are skills too, but have their own field.
  const { languages } = ask.modules.index.understand({
    languages: terms.map(({ name }) => name),
  });
  return terms.filter((_, at) => languages[at]?.name !== undefined);
}
