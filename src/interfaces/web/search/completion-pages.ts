/** Completes names in the fields of the pages, for the script of every page. It costs no call, and is limited like look-ups. */
import { limits } from "../../../contract/limits.ts";
import type { TermKind } from "../../../contract/terms.ts";
import type { CallAnswer } from "../calls.ts";
import { formatCounted } from "../look/format.ts";
import { type Download, defineSignedInPage, type SignedInRequest } from "../page.ts";

const namesMax = 10;
const lettersMin = 3;
const termsMax = 8;

const read = ({ url }: SignedInRequest, name: string, max: number = limits.textLengthMax) =>
  (url.searchParams.get(name) ?? "").trim().slice(0, max);

/** `{"terms": [{"name"}]}`, best match first. */
function toTerms(answer: CallAnswer<readonly object[]>): Download {
  if (!answer.ok) throw answer.problem;
  return { content: JSON.stringify({ terms: answer.shown }), type: "application/json" };
}

const noTerms: Download = { content: JSON.stringify({ terms: [] }), type: "application/json" };

/** People, with `login` and `about`. It gives away little: ten people at most, for three letters or more, without their number. */
export const namesPage = defineSignedInPage({
  path: "/find/names",
  show: async (ask) => {
    const text = read(ask, "q");
    if ([...text].length < lettersMin) return noTerms;
    const request = { text, limit: namesMax };
    const answer = await ask.calls.perform(ask, "complete_people", request, ({ results }) =>
      results.map(({ login, name = login, location, matched }) => {
        const about = [
          name !== login && login,
          location,
          matched === "near" && "spelt nearly so",
          matched === "former login" && "earlier login",
        ];
        return { name, login, about: about.filter(Boolean).join(" · ") };
      }),
    );
    return toTerms(answer);
  },
});

const kinds: Readonly<Record<string, TermKind>> = {
  location: "place",
  skills: "skill",
  languages: "skill",
  repositories: "repository",
};

/** Places, skills, languages and repositories of the search, with the number of `people`; at most eight. */
export const termsPage = defineSignedInPage({
  path: "/search/terms",
  show: async (ask) => {
    const [field, q] = [read(ask, "field"), read(ask, "q")];
    const kind = kinds[field];
    if (kind === undefined || q.length < 2) return noTerms;
    const isLanguages = field === "languages";
    const request = { q, kind, limit: isLanguages ? limits.termsMax : termsMax };
    const answer = await ask.calls.perform(ask, "lookup_terms", request, ({ terms }) => {
      if (!isLanguages) return terms.map(({ name, people }) => ({ name, people }));
      // Languages are skills too, but have their own field.
      const names = terms.map(({ name }) => name);
      const { languages } = ask.modules.index.understand({ languages: names });
      return terms.filter((_, at) => languages[at]?.name !== undefined).slice(0, termsMax);
    });
    return toTerms(answer);
  },
});

/** Repositories and paths of who knows, with `about`. */
export const whoTermsPage = defineSignedInPage({
  path: "/who/terms",
  show: async (ask) => {
    const request =
      read(ask, "field") === "path"
        ? { repository: read(ask, "repository"), path: read(ask, "q", limits.pathLengthMax) }
        : { repository: read(ask, "q") };
    const answer = await ask.calls.perform(ask, "complete_files", request, ({ terms }) =>
      terms.map(({ name, files }) => ({
        name,
        about: files === undefined ? "" : formatCounted(files, "file"),
      })),
    );
    return toTerms(answer);
  },
});
