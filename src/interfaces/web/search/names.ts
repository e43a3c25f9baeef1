/**
 * Completes names of people in the header's field, for the script of every page. It costs no call, so it tells little:
 * ten people at most, for three letters or more, without saying how many there are, and as seldom as a look-up.
 */
import { limits } from "../../../contract/limits.ts";
import { defineSignedInPage } from "../page.ts";

const shownMax = 10;
const lettersMin = 3;

/** `{"terms": [{"name", "login", "about"}]}`, best match first. */
export const namesPage = defineSignedInPage({
  path: "/find/names",
  show: async (ask) => {
    const text = (ask.url.searchParams.get("q") ?? "").trim().slice(0, limits.textLengthMax);
    const type = "application/json";
    if ([...text].length < lettersMin) return { content: JSON.stringify({ terms: [] }), type };
    const answer = await ask.calls.perform(
      ask,
      "complete_people",
      { text, limit: shownMax },
      ({ results }) =>
        results.map(({ login, name = login, location, matched }) => ({
          name,
          login,
          about: [
            name !== login && login,
            location,
            matched === "near" && "spelt nearly so",
            matched === "former login" && "earlier login",
          ]
            .filter(Boolean)
            .join(" · "),
        })),
    );
    if (!answer.ok) throw answer.problem;
    return { content: JSON.stringify({ terms: answer.shown }), type };
  },
});
