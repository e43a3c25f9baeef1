/** Answers the script that completes names in form fields. Completing costs no call. */
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

/** Creates the JSON for the script: `{"terms": [{"name"}]}`, the best match first. */
function toTerms(answer: CallAnswer<readonly object[]>): Download {
  if (!answer.ok) throw answer.problem;
  return { content: JSON.stringify({ terms: answer.shown }), type: "application/json" };
}

const noTerms: Download = { content: JSON.stringify({ terms: [] }), type: "application/json" };

/** Completes names of people. At least three letters are needed, and at most ten people are named. */
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
          matched === "near" && "similar name",
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

/** Completes the places, skills, languages and repositories of a search. Each name has its number of people. */
export const termsPage = defineSignedInPage({
  path: "/search/terms",
  show: async (ask) => {
    const [field, q] = [read(ask, "field"), read(ask, "q")];
    const kind = kinds[field];
    if (kind === undefined || q.length < 2) return noTerms;
    const isLanguages = field === "languages";
    const request = { q, kind, limit: isLanguages ? limits.termsMax : termsMax };
    const answer = await ask.calls.perform(ask, "lookup_terms", request, (found) => {
      const terms = found.terms.filter(({ people }) => people > 0);
      if (!isLanguages) return terms.map(({ name, people }) => ({ name, people }));
      // The field for languages offers only skills that are languages.
      const names = terms.map(({ name }) => name);
      const { languages } = ask.modules.index.understand({ languages: names });
      return terms.filter((_, at) => languages[at]?.name !== undefined).slice(0, termsMax);
    });
    return toTerms(answer);
  },
});

/** Completes the repositories and paths of the page "Who knows". Each folder has its number of files. */
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
