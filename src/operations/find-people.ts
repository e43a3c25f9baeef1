import { cleanForModel, quoteForModel } from "../contract/foreign-text.ts";
import { limits } from "../contract/limits.ts";
import {
  areOnlyNear,
  describeMatch,
  FindData,
  FindRequest,
  type FoundPerson,
} from "../contract/people/found-person.ts";
import { listNamedRoles } from "../contract/people/profile-analysis.ts";
import type { PeopleHit } from "../pool/pool.ts";
import { defineOperation, type Modules } from "./operation.ts";
import { joinKnown } from "./view.ts";

export const findPeople = defineOperation({
  name: "find_people",
  command: "find",
  summary: "Find people by name, login, account or e-mail",
  description:
    "Finds people by name (a part of it is enough, and it may be misspelled), account or e-mail. Use it to get the login that " +
    "get_developer and other tools need. For people by skill or place use search_developers. Costs one call.",
  scope: "search",
  isAddition: true,
  method: "POST",
  path: "/v1/people/find",
  input: FindRequest,
  output: FindData,
  // The text of the answer already contains these names.
  slimWithout: ["results.otherNames"],
  example: { text: "ada" },
  view: (data) => [
    sayFound(data),
    {
      lines: () =>
        data.results.map(({ login, name, otherNames = [], location, role, matched }) =>
          joinKnown([
            `${cleanForModel(login)}${name ? ` ${quoteForModel(name)}` : ""}`,
            otherNames.length > 0 &&
              `also ${otherNames.map((each) => quoteForModel(each)).join(", ")}`,
            location && `in ${quoteForModel(location)}`,
            role && cleanForModel(role),
            describeMatch({ matched }),
          ]),
        ),
      table: {
        headings: ["login", "name", "other names", "location", "role", "matched"],
        rows: () =>
          data.results.map(
            ({ login, name = "", otherNames = [], location = "", role = "", matched }) => [
              ...[login, name, otherNames.join("; "), location, role, matched],
            ],
          ),
      },
    },
  ],
  async run({ text, limit = limits.foundDefault, offset = 0 }, modules, caller) {
    const { search, accounts } = modules;
    const canSeeUnpublished = text.includes("@") && (await accounts.canSeeUnpublished(caller));
    const { total, hits } = await search.findPeople({ text, canSeeUnpublished, limit, offset });
    return { total, results: await readResults(hits, modules) };
  },
});

/** Completes names of people while a user types them on a page. */
export const completePeople = defineOperation({
  ...findPeople,
  ...{ name: "complete_people", isFree: true },
});

const otherNamesShown = 5;

function sayFound(data: FindData): string {
  const { total, results } = data;
  if (total === 0) return "Nobody has this name.";
  const found = `${total} found, ${results.length} of them here.`;
  return areOnlyNear(data) ? `Nobody has exactly this name. With similar names: ${found}` : found;
}

async function readResults(
  hits: readonly PeopleHit[],
  { pool }: Pick<Modules, "pool">,
): Promise<FoundPerson[]> {
  const cards = await pool.cards(hits.map(({ rowId }) => rowId));
  const known = hits.flatMap(({ rowId, matched }) => {
    const card = cards.get(rowId);
    return card ? [{ card, matched }] : [];
  });
  const analyses = await pool.findAnalyses(known.map(({ card }) => card.login));
  return known.map(({ card: { login, name, location }, matched }, at) => {
    const analysis = analyses[at];
    const role = analysis && listNamedRoles(analysis)[0]?.role;
    const otherNames = analysis?.profile.otherNames?.slice(0, otherNamesShown);
    return {
      login,
      matched,
      ...(name === undefined ? {} : { name }),
      ...(otherNames && { otherNames }),
      ...(location === undefined ? {} : { location }),
      ...(role === undefined ? {} : { role }),
    };
  });
}
