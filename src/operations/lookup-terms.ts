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
  async run({ q, kind, limit = limits.termsDefault }, { search }) {
    return { terms: [...(await search.lookUp({ text: q, kind, limit }))] };
  },
});
