import { cleanForModel, quoteForModel } from "../contract/foreign-text.ts";
import { limits } from "../contract/limits.ts";
import { FindData, FindRequest, type FoundPerson } from "../contract/people/found-person.ts";
import { listNamedRoles } from "../contract/people/profile-analysis.ts";
import type { PeopleHit } from "../pool/pool.ts";
import { defineOperation, type Modules } from "./operation.ts";
import { joinKnown } from "./view.ts";

export const findPeople = defineOperation({
  name: "find_people",
  command: "find",
  summary: "Find people by name, login, account or e-mail",
  description:
    "For a person of whom only the name, an earlier login, an account or a published e-mail is known. Answers with " +
    "logins, best match first, which get_developer takes. Bots only by exact login.",
  scope: "search",
  isAddition: true,
  method: "POST",
  path: "/v1/people/find",
  input: FindRequest,
  output: FindData,
  example: { text: "ada" },
  view: ({ total, results }) => [
    total === 0 ? "Nobody is called so." : `${total} found, ${results.length} of them here.`,
    {
      lines: () =>
        results.map(({ login, name, location, role, matched }) =>
          joinKnown([
            `${cleanForModel(login)}${name ? ` ${quoteForModel(name)}` : ""}`,
            location && `in ${quoteForModel(location)}`,
            role && cleanForModel(role),
            `by ${matched}`,
          ]),
        ),
      table: {
        headings: ["login", "name", "location", "role", "matched"],
        rows: () =>
          results.map(({ login, name = "", location = "", role = "", matched }) => [
            ...[login, name, location, role, matched],
          ]),
      },
    },
  ],
  async run({ text, limit = limits.foundDefault, offset = 0 }, modules, caller) {
    const { search, accounts } = modules;
    // Only a text with an @ can be an e-mail.
    const canSeeUnpublished = text.includes("@") && (await accounts.canSeeUnpublished(caller));
    const { total, hits } = await search.findPeople({ text, canSeeUnpublished, limit, offset });
    return { total, results: await readResults(hits, modules) };
  },
});

/** People who were erased since are left out. */
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
    return {
      login,
      matched,
      ...(name === undefined ? {} : { name }),
      ...(location === undefined ? {} : { location }),
      ...(role === undefined ? {} : { role }),
    };
  });
}
