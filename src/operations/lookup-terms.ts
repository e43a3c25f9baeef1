import { quoteForModel } from "../contract/foreign-text.ts";
import { limits } from "../contract/limits.ts";
import { LookupData, LookupRequest } from "../contract/terms.ts";
import { defineOperation } from "./operation.ts";

export const lookupTerms = defineOperation({
  name: "lookup_terms",
  command: "lookup",
  summary: "Look up the names of places, skills, roles and repositories that a search knows",
  description:
    "Lists names of places, skills, roles and repositories, each with its number of people. With q, names that begin with it or resemble " +
    "it; without q, those with the most people. Use it to check a spelling before a search, to count people, or to see what there is. " +
    "For people's names use find_people. Free: costs no call.",
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
      ? ["No place, skill, role or repository has this name or a similar one."]
      : [
          {
            lines: () =>
              terms.map(({ kind, name, people }) => {
                // Only names of repositories come from other people, so only these are quoted.
                return `${kind} ${kind === "repository" ? quoteForModel(name) : name}: ${people} ${people === 1 ? "person" : "people"}`;
              }),
            table: {
              headings: ["kind", "name", "people"],
              rows: () => terms.map(({ kind, name, people }) => [kind, name, String(people)]),
            },
          },
        ],
  async run({ q = "", kind, limit = limits.termsDefault }, { search }) {
    return { terms: [...(await search.lookUp({ text: q, kind, limit }))] };
  },
});
