import { quoteForModel } from "../contract/foreign-text.ts";
import { limits } from "../contract/limits.ts";
import { LookupData, LookupRequest } from "../contract/terms.ts";
import { defineOperation } from "./operation.ts";

export const lookupTerms = defineOperation({
  name: "lookup_terms",
  command: "lookup",
  summary: "Look up the names of places, skills, roles and repositories that a search knows",
  description:
    "Ask this first when you are not sure how a place, skill, role or repository is called here: it completes and corrects. " +
    "Answers with the names that search_developers takes, best first, each with how many people it is about. " +
    "Costs no quota.",
  scope: "search",
  isFree: true,
  isAddition: true,
  method: "GET",
  path: "/v1/lookup",
  input: LookupRequest,
  output: LookupData,
  example: { q: "Ber", kind: "place" },
  view: ({ terms }) =>
    terms.length === 0
      ? ["No place, skill, role or repository is called so or nearly so."]
      : [
          {
            lines: () =>
              terms.map(({ kind, name, people }) => {
                // Users name repositories; all other names come from our own lists and need no cleaning.
                return `${kind} ${kind === "repository" ? quoteForModel(name) : name}: ${people} ${people === 1 ? "person" : "people"}`;
              }),
            table: {
              headings: ["kind", "name", "people"],
              rows: () => terms.map(({ kind, name, people }) => [kind, name, String(people)]),
            },
          },
        ],
  async run({ q, kind, limit = limits.termsDefault }, { search }) {
    return { terms: [...(await search.lookUp({ text: q, kind, limit }))] };
  },
});
